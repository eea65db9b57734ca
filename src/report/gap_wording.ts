import { advice } from "./html/app/model/advice.ts";
import type { Missing } from "./html/app/model/operation_gaps.ts";
import { MISSING_WORDS, statusAdvice } from "./html/app/model/words.ts";

/**
 * What a keyword lacks and what to send, as the end of a sentence: the same in every report.
 *
 * @param keyword Its name.
 * @param text What it says, as `keywordText` wrote it; null where that is not known.
 *
 * @example
 * ```ts
 * import { keywordWording } from "./gap_wording.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(keywordWording("maxLength", "120", "invalid"), "never failed: send more than 120 characters");
 * ```
 */
export function keywordWording(keyword: string, text: string | null, missing: Missing): string {
  return withAdvice(MISSING_WORDS[missing], advice(keyword, text, missing));
}

/** What to do about a documented status that never came, as the end of a sentence: the same in every report. */
export function responseWording(status: string): string {
  return withAdvice("never came back", statusAdvice(status));
}

function withAdvice(fate: string, hint: string): string {
  return hint === "" ? fate : `${fate}: ${hint}`;
}
