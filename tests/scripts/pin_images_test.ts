import assert from "node:assert/strict";
import { dockerDigests, FILES_WITH_IMAGES, pinned } from "../../scripts/pin_images.ts";
import { ROOT } from "../../scripts/source_files.ts";

const digest = (digit: string) => `sha256:${digit.repeat(64)}`;

Deno.test("pinned() adds a digest to every image in these files, once", async () => {
  for (const path of FILES_WITH_IMAGES) {
    const text = await Deno.readTextFile(`${ROOT}/${path}`);
    const asked: string[] = [];
    const answerWith = (digit: string) => (image: string) => {
      asked.push(image);
      return Promise.resolve(digest(digit));
    };
    const once = await pinned(text, answerWith("a"));
    const images = [...text.matchAll(/^(?:FROM|\s+image:).*?([a-z]+:[\w.-]+)/gm)];
    assert.deepEqual(asked, images.map(([, image]) => image));
    assert.equal(once.split(`@${digest("a")}`).length, asked.length + 1);
    assert.equal(once.replaceAll(`@${digest("a")}`, ""), text.replace(/@sha256:\w+/g, ""));
    assert.equal(await pinned(once, answerWith("b")), once.replaceAll(digest("a"), digest("b")));
  }
  await assert.rejects(
    pinned("FROM node:22\n", () => Promise.resolve("")),
    /^Error: node:22: "" is no digest\.$/,
  );
});

Deno.test("dockerDigests() only accepts digests of multi-platform images", async () => {
  const answer = (kind: string) => (input: RequestInfo | URL) =>
    Promise.resolve(
      String(input).startsWith("https://auth.docker.io/")
        ? Response.json({ token: "t" })
        : new Response(null, {
          headers: { "content-type": kind, "docker-content-digest": digest("c") },
        }),
    );
  const index = "application/vnd.oci.image.index.v1+json";
  assert.equal(await dockerDigests(answer(index))("node:22-slim"), digest("c"));
  await assert.rejects(
    dockerDigests(answer("application/vnd.oci.image.manifest.v1+json"))("node:22-slim"),
    /^Error: node:22-slim: the registry answered with status 200/,
  );
});
