import { relative } from "node:path";
import process from "node:process";

/**
 * The name of a test in reports: its file, relative to the working directory, and its titles from the outermost on.
 *
 * @param file Its path; undefined if the runner does not tell.
 * @param titles Those of the groups that it is in, and its own; empty ones are passed over.
 *
 * @example
 * ```ts
 * import { testName } from "./test_name.ts";
 * import assert from "node:assert/strict";
 * import process from "node:process";
 *
 * assert.equal(
 *   testName(`${process.cwd()}/tests/books.test.js`, ["books", "are listed"]),
 *   "tests/books.test.js > books > are listed",
 * );
 * ```
 */
export function testName(file: string | undefined, titles: readonly string[]): string {
  // Names have to be those of other machines, whose reports may be compared with this one.
  const path = file === undefined ? "" : relative(process.cwd(), file).replaceAll("\\", "/");
  return [path, ...titles].filter((part) => part !== "").join(" > ");
}
