import { asClause, GENERAL_ADVICE, keywordAdvice, type Missing } from "./keyword_advice.ts";
import { statusAdvice } from "./status_wording.ts";

/** The kinds of gaps, in the order in which reports name them. */
export const GAP_KINDS = ["operation", "parameter", "keyword", "example", "response"] as const;

/** What kind of thing is missing. */
export type GapKind = typeof GAP_KINDS[number];

/** The outcomes that a keyword with these counts lacks; null if it lacks none. */
export function missingOutcomes(valid: number, invalid: number): Missing | null {
  if (valid > 0) return invalid > 0 ? null : "invalid";
  return invalid > 0 ? "valid" : "both";
}

/** What a gap of a kind is called, and what befell the thing. */
export const GAP_WORDS: Readonly<Record<GapKind, { readonly gap: string; readonly fate: string }>> =
  {
    operation: { gap: "operation", fate: "never called" },
    parameter: { gap: "parameter", fate: "never sent" },
    keyword: { gap: "keyword outcome", fate: "never seen" },
    example: { gap: "example", fate: "never used" },
    response: { gap: "response", fate: "never returned" },
  };

/** What befell a keyword that lacks something. */
export const MISSING_WORDS: Readonly<Record<Missing, string>> = {
  both: "not covered",
  valid: "never passed",
  invalid: "never failed",
};

/**
 * What a keyword lacks and what to send, as the end of a sentence: the same in every report.
 *
 * @param keyword Its name.
 * @param text What it says, as `keywordText` wrote it; null if that is not known.
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
  const hint = keywordAdvice(keyword, text, missing);
  // Without the value, it would only repeat what is missing.
  return withAdvice(MISSING_WORDS[missing], hint === GENERAL_ADVICE[missing] ? "" : hint);
}

/** What to do about a documented status that never came, as the end of a sentence: the same in every report. */
export function responseWording(status: string): string {
  return withAdvice("was never returned", statusAdvice(status));
}

function withAdvice(fate: string, hint: string): string {
  return hint === "" ? fate : `${fate}: ${asClause(hint)}`;
}
