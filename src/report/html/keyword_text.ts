/** The length up to which the value of a keyword is shown. */
const LENGTH = 240;

/** Ends a text that was cut, which is no JSON then. */
export const CUT = "…";

/**
 * The value of a keyword as JSON, cut if it is long.
 *
 * @returns undefined if it says nothing that is shown.
 *
 * @example
 * ```ts
 * import { keywordText } from "./keyword_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(keywordText(["new", "used"]), '["new","used"]');
 * assert.equal(keywordText("a".repeat(1000))?.length, 241);
 * ```
 */
export function keywordText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text.length > LENGTH ? `${text.slice(0, LENGTH).toWellFormed()}${CUT}` : text;
}
