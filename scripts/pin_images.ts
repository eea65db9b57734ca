/**
 * Pins the base images of the container image and the GitLab template: asks Docker's registry for the digests of their
 * tags and appends them. Dependabot updates them from then on.
 *
 *     deno run -A scripts/pin_images.ts
 *
 * @module
 */
import { print } from "./print.ts";
import { ROOT } from "./source_files.ts";

export const FILES_WITH_IMAGES: readonly string[] = ["Dockerfile", ".gitlab/covtool.gitlab-ci.yml"];

/** Finds the digest of an image in Docker's official library, such as `node:22-slim`. */
export type FindDigest = (image: string) => Promise<string>;

const IMAGE = /^(FROM (?:--\S+ )?| +image: )([a-z\d-]+:[\w.-]+)(?:@sha256:[\da-f]{64})?(?= |$)/gm;
const DIGEST = /^sha256:[\da-f]{64}$/;
/** Media types of manifests that cover all platforms of an image. */
const INDEXES = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
];

/** Returns the text of a Dockerfile or a pipeline with the current digest after each image. */
export async function pinned(text: string, findDigest: FindDigest): Promise<string> {
  const digests = new Map<string, string>();
  for (const [, , image = ""] of text.matchAll(IMAGE)) {
    const digest = await findDigest(image);
    if (!DIGEST.test(digest)) throw new Error(`${image}: "${digest}" is no digest.`);
    digests.set(image, digest);
  }
  return text.replace(
    IMAGE,
    (_all, before: string, image: string) => `${before}${image}@${digests.get(image)}`,
  );
}

/** Returns a function that asks Docker's registry for digests. */
export function dockerDigests(fetch: typeof globalThis.fetch = globalThis.fetch): FindDigest {
  return async (image) => {
    const [name = "", tag = ""] = image.split(":");
    const scope = `repository:library/${name}:pull`;
    const login = await fetch(
      `https://auth.docker.io/token?service=registry.docker.io&scope=${scope}`,
    );
    const { token } = await login.json() as { readonly token?: string };
    const answer = await fetch(`https://registry-1.docker.io/v2/library/${name}/manifests/${tag}`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${token}`, accept: INDEXES.join(", ") },
    });
    const kind = answer.headers.get("content-type") ?? "";
    if (!answer.ok || !INDEXES.includes(kind)) {
      throw new Error(`${image}: the registry answered with status ${answer.status}, ${kind}.`);
    }
    return answer.headers.get("docker-content-digest") ?? "";
  };
}

if (import.meta.main) {
  const findDigest = dockerDigests();
  for (const path of FILES_WITH_IMAGES) {
    const text = await Deno.readTextFile(`${ROOT}/${path}`);
    const written = await pinned(text, findDigest);
    await Deno.writeTextFile(`${ROOT}/${path}`, written);
    print(`${path}: ${written === text ? "is pinned already" : "pinned"}`);
  }
}
