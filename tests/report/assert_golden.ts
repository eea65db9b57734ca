import assert from "node:assert/strict";
import process from "node:process";
import { ROOT } from "../../scripts/source_files.ts";
import { VERSION } from "../../src/values/version.ts";

/** Set it to anything to write the files instead of comparing with them. */
const UPDATE = "COVTOOL_UPDATE_GOLDEN";
const NEWS = `The text has changed. If it ought to, run this test with ${UPDATE}=1, ` +
  "look at the difference and commit it.";

/** What does not change when only the page's code or covtool's version does. */
function comparable(text: string): string {
  return text.replace(/(<(script|style)>)[\s\S]*?(<\/\2>)/g, "$1$3")
    .replace(/sha256-[\w+/=]+/g, "sha256-")
    .replace(/("covtool_hits":.*"checksum":)"[^"]*"/, '$1"CHECKSUM"')
    .replaceAll(VERSION, "VERSION");
}

/** Compares a text, such as a report, with a file that is named from the root of the project. */
export async function assertGolden(name: string, report: string): Promise<void> {
  const path = `${ROOT}/${name}`;
  const written = comparable(report);
  if (process.env[UPDATE] !== undefined) await Deno.writeTextFile(path, written);
  assert.equal(written, await Deno.readTextFile(path), NEWS);
}
