/**
 * Checks that the version is the same everywhere: deno.json, src/values/version.ts, the package for
 * Python and CHANGELOG.md.
 *
 *     deno run --allow-read scripts/check_version.ts
 *
 * @module
 */
import { finish } from "./print.ts";
import { ROOT } from "./source_files.ts";

/** The texts of files that contain the version, by path. */
export type VersionedFiles = Readonly<Record<string, string>>;

/** The file whose version all others must have. */
const FIRST = "src/values/version.ts";
const CHANGELOG = "CHANGELOG.md";

/** Patterns for the version in each file, with groups for the text before it and the version. */
export const VERSION_PLACES: Readonly<Record<string, RegExp>> = {
  "deno.json": /^(\s+"version": ")([^"]+)/m,
  [FIRST]: /(VERSION = ")([^"]+)/,
  "integrations/python/src/covtool/__init__.py": /^(__version__ = ")([^"]+)/m,
};

/** Finds versions that differ from src/values/version.ts: a sentence each, beginning with the file. */
export function versionProblems(files: VersionedFiles): string[] {
  const versionIn = (path: string) => VERSION_PLACES[path]?.exec(files[path] ?? "")?.[2];
  const version = versionIn(FIRST);
  const problems = Object.keys(VERSION_PLACES).filter((path) => versionIn(path) !== version)
    .map((path) => `${path}: says ${versionIn(path)}, but ${FIRST} says ${version}.`);
  const newest = /^## \[?(?:Unreleased|v?(\d[^\]\s]*))\]?/m.exec(files[CHANGELOG] ?? "");
  if (newest === null) {
    problems.push("CHANGELOG.md: has no heading with a version or for unreleased changes.");
  } else if (newest[1] !== undefined && newest[1] !== version) {
    problems.push(`CHANGELOG.md: starts with ${newest[1]}, but ${FIRST} says ${version}.`);
  }
  return problems;
}

if (import.meta.main) {
  const files: Record<string, string> = {};
  for (const path of [CHANGELOG, ...Object.keys(VERSION_PLACES)]) {
    files[path] = await Deno.readTextFile(`${ROOT}/${path}`);
  }
  finish("versions", versionProblems(files));
}
