import { asClause, GENERAL_ADVICE, keywordAdvice, type Missing } from "./keyword_advice.ts";
import { statusAdvice } from "./status_wording.ts";

/** The kinds of gaps, in the order in which reports name them. */
export const GAP_KINDS = ["operation", "parameter", "keyword", "example", "response"] as const;

/** The kind of a gap. */
export type GapKind = typeof GAP_KINDS[number];

/** The outcomes that a keyword with these counts lacks; null if it lacks none. */
export function missingOutcomes(valid: number, invalid: number): Missing | null {
  if (valid > 0) return invalid > 0 ? null : "invalid";
  return invalid > 0 ? "valid" : "both";
}

/** The name of each kind of gap, and the fate of the missing thing. */
export const GAP_WORDS: Readonly<Record<GapKind, { readonly gap: string; readonly fate: string }>> =
  {
    operation: { gap: "operation", fate: "never called" },
    parameter: { gap: "parameter", fate: "never sent" },
    keyword: { gap: "keyword", fate: "not fully covered" },
    example: { gap: "example", fate: "never used" },
    response: { gap: "response", fate: "never returned" },
  };

/** The fate of a keyword that lacks an outcome. */
export const MISSING_WORDS: Readonly<Record<Missing, string>> = {
  both: "not covered",
  valid: "never passed",
  invalid: "never failed",
};

/**
 * The missing outcomes of a keyword and what to send, as the end of a sentence: the same in every report.
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

/** The advice for a documented status that was never returned, as the end of a sentence: the same in every report. */
export function responseWording(status: string): string {
  return withAdvice("was never returned", statusAdvice(status));
}

function withAdvice(fate: string, hint: string): string {
  return hint === "" ? fate : `${fate}: ${asClause(hint)}`;
}
