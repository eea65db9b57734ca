import type { ResponseKeywordSummary } from "../../map/results.ts";
import { formatPercent } from "../percent.ts";
import { formatNumber } from "./amounts.ts";

/** The figures of a summary that tell of keywords of responses. */
interface Figures {
  readonly response_keywords?: ResponseKeywordSummary | undefined;
  readonly responses: { readonly measured: boolean };
}

/** Said of a recording that lacks what response keywords are about. */
export const NO_RESPONSE_BODIES = "the traffic has no response bodies";

/**
 * The number of keywords that responses met, or that they are not measured; undefined where there are no keywords, or no
 * responses at all, which the dimension says.
 *
 * @example
 * ```ts
 * import { responseKeywordsText } from "./response_keywords_text.ts";
 * import assert from "node:assert/strict";
 *
 * const keywords = { seen: 30, violated: 1, total: 40, percent: 75, measured: true };
 * const responses = { measured: true };
 * assert.equal(
 *   responseKeywordsText({ response_keywords: keywords, responses }),
 *   "30 of 40 response keywords seen (75%), 1 violated",
 * );
 * const none = { seen: 0, violated: 0, total: null, percent: null, measured: false };
 * assert.equal(
 *   responseKeywordsText({ response_keywords: none, responses }),
 *   "response keywords not measured: the traffic has no response bodies",
 * );
 * ```
 */
export function responseKeywordsText(
  { response_keywords: keywords, responses }: Figures,
): string | undefined {
  if (!isCounted(keywords)) {
    return lackResponseBodies({ response_keywords: keywords, responses })
      ? `response keywords not measured: ${NO_RESPONSE_BODIES}`
      : undefined;
  }
  return keywordsText(keywords, "response keywords seen", ` (${formatPercent(keywords.percent)})`);
}

/** The number of keywords that responses met, without the percentage; undefined where it is not measured, or there are none. */
export function responseKeywordCounts(
  keywords: ResponseKeywordSummary | undefined,
): string | undefined {
  return isCounted(keywords) ? keywordsText(keywords, "seen", "") : undefined;
}

/** True if responses came, and none with a body. */
export function lackResponseBodies({ response_keywords, responses }: Figures): boolean {
  return response_keywords?.measured === false && responses.measured;
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
