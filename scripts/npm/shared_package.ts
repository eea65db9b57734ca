import { createHash } from "node:crypto";
import { buildPackage, packTarball } from "../build_npm.ts";
import { runOrThrow } from "../run.ts";
import { ROOT, sourceFiles } from "../source_files.ts";
import { sharedFolder } from "./shared_folder.ts";

/** Path prefixes of the files from which the package is built. */
const INGREDIENTS =
  /^(?:src\/|scripts\/|mod\.ts$|cli\.ts$|deno\.(?:json|lock)$|README\.md$|LICENSE$|CHANGELOG\.md$)/;

/** Variables that name the repository in package.json. */
const REPOSITORY = ["GITHUB_SERVER_URL", "GITHUB_REPOSITORY"];

/** The package for npm, as its users get it. */
export interface SharedPackage {
  readonly folder: string;
  readonly tarball: string;
}

/** Builds the package for npm from the current sources, or finds it already built from the same sources. */
export async function sharedPackage(): Promise<SharedPackage> {
  const built = await sharedFolder("package", await ingredients(), async (folder) => {
    await buildPackage(ROOT, `${folder}/build`);
    const tarball = await packTarball(`${folder}/build`);
    await runOrThrow("tar", ["-xzf", tarball, "-C", folder]);
    await Deno.rename(tarball, `${folder}/covtool.tgz`);
    await Deno.remove(`${folder}/build`, { recursive: true });
  });
  return { folder: `${built}/package`, tarball: `${built}/covtool.tgz` };
}

async function ingredients(): Promise<string[]> {
  const found = REPOSITORY.map((name) => Deno.env.get(name) ?? "");
  for (const path of await sourceFiles(ROOT, [""])) {
    if (!INGREDIENTS.test(path)) continue;
    const bytes = await Deno.readFile(`${ROOT}/${path}`);
    found.push(path, createHash("sha256").update(bytes).digest("hex"));
  }
  return found;
}
