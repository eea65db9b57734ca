import type { ResponseKeywordSummary } from "../../map/results.ts";
import { formatPercent } from "../percent.ts";
import { formatNumber } from "./amounts.ts";

/** Said of a recording that lacks what response keywords are about. */
export const NO_RESPONSE_BODIES = "the traffic has no response bodies";

/**
 * The number of keywords that responses met; undefined where no body of a response was recorded, or there are no keywords.
 *
 * @example
 * ```ts
 * import { responseKeywordsText } from "./response_keywords_text.ts";
 * import assert from "node:assert/strict";
 *
 * const keywords = { seen: 30, violated: 1, total: 40, percent: 75, measured: true };
 * assert.equal(responseKeywordsText(keywords), "30 of 40 response keywords seen (75%), 1 violated");
 * ```
 */
export function responseKeywordsText(
  keywords: ResponseKeywordSummary | undefined,
): string | undefined {
  if (!isCounted(keywords)) return undefined;
  return keywordsText(keywords, "response keywords seen", ` (${formatPercent(keywords.percent)})`);
}

/** As {@linkcode responseKeywordsText}, without the percentage and beside the name of the figure. */
export function responseKeywordCounts(
  keywords: ResponseKeywordSummary | undefined,
): string | undefined {
  return isCounted(keywords) ? keywordsText(keywords, "seen", "") : undefined;
}

function isCounted(
  keywords: ResponseKeywordSummary | undefined,
): keywords is ResponseKeywordSummary & { readonly total: number } {
  return keywords?.measured === true && keywords.total !== null && keywords.total > 0;
}

function keywordsText(
  { seen, violated, total }: ResponseKeywordSummary & { readonly total: number },
  what: string,
  percent: string,
): string {
  const broken = violated === 0 ? "" : `, ${formatNumber(violated)} violated`;
  return `${formatNumber(seen)} of ${formatNumber(total)} ${what}${percent}${broken}`;
}
