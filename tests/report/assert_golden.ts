import assert from "node:assert/strict";
import process from "node:process";
import { ROOT } from "../../scripts/source_files.ts";
import { VERSION } from "../../src/values/version.ts";

/** If set, files are written instead of compared. */
const UPDATE = "COVTOOL_UPDATE_GOLDEN";
const NEWS = `The text has changed. If it ought to, run this test with ${UPDATE}=1, ` +
  "look at the difference and commit it.";

/** Removes everything that changes with the page's code or covtool's version. */
function comparable(text: string): string {
  return text.replace(/(<(script|style)>)[\s\S]*?(<\/\2>)/g, "$1$3")
    .replace(/sha256-[\w+/=]+/g, "sha256-")
    .replace(/("covtool_hits":.*"checksum":)"[^"]*"/, '$1"CHECKSUM"')
    .replaceAll(VERSION, "VERSION");
}

/** Compares a text, such as a report, with a file whose path starts at the root of the project. */
export async function assertGolden(name: string, report: string): Promise<void> {
  const path = `${ROOT}/${name}`;
  const written = comparable(report);
  if (process.env[UPDATE] !== undefined) await Deno.writeTextFile(path, written);
  assert.equal(written, await Deno.readTextFile(path), NEWS);
}
