/**
 * Checks that the version is the same everywhere: deno.json, src/values/version.ts, the package for
 * Python and CHANGELOG.md.
 *
 *     deno run --allow-read scripts/check_version.ts
 *
 * @module
 */
import { VERSION } from "../src/values/version.ts";
import { finish } from "./print.ts";
import { ROOT } from "./source_files.ts";

const PYTHON = "integrations/python/src/covtool/__init__.py";

/** Versions that differ from src/values/version.ts: sentences that begin with the file. */
export function versionProblems(
  version: string,
  settings: string,
  changelog: string,
  python: string,
): string[] {
  const problems: string[] = [];
  const stated = (JSON.parse(settings) as { readonly version?: unknown }).version;
  if (stated !== version) {
    problems.push(`deno.json: says ${String(stated)}, but src/values/version.ts says ${version}.`);
  }
  if (!python.includes(`\n__version__ = "${version}"\n`)) {
    problems.push(`${PYTHON}: says another __version__ than ${version}.`);
  }
  const newest = /^## \[?(?:Unreleased|v?(\d[^\]\s]*))\]?/m.exec(changelog);
  if (newest === null) {
    problems.push("CHANGELOG.md: has no heading with a version or for unreleased changes.");
  } else if (newest[1] !== undefined && newest[1] !== version) {
    problems.push(
      `CHANGELOG.md: starts with ${newest[1]}, but src/values/version.ts says ${version}.`,
    );
  }
  return problems;
}

if (import.meta.main) {
  const settings = await Deno.readTextFile(`${ROOT}/deno.json`);
  const changelog = await Deno.readTextFile(`${ROOT}/CHANGELOG.md`);
  const python = await Deno.readTextFile(`${ROOT}/${PYTHON}`);
  finish("versions", versionProblems(VERSION, settings, changelog, python));
}
