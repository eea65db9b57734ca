import type { Dimension, SeenCount, Summary } from "../../../../map/results.ts";
import { enforcementCounts } from "../../../wording/enforcement_text.ts";
import {
  lackResponseBodies,
  NO_RESPONSE_BODIES,
  responseKeywordCounts,
} from "../../../wording/response_keywords_text.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";

/** A figure, ready to be drawn. */
export interface FigureFacts {
  readonly label: string;
  /** Exact; null where there is nothing to measure. */
  readonly percent: number | null;
  /** Fully covered; for keywords, seen both ways. */
  readonly full: number;
  /** Covered in part: keywords that were seen one way. */
  readonly partial: number;
  readonly total: number;
  /** The counts in words. */
  readonly text: string;
}

/** One of the five dimensions, ready to be drawn. */
export interface DimensionFacts extends FigureFacts {
  readonly dimension: Dimension;
}

function seen(
  dimension: Dimension,
  label: string,
  count: SeenCount & { readonly percent: number | null },
  verb: string,
  none: string,
): DimensionFacts {
  const { total, percent } = count;
  const text = total === 0
    ? noneOf(count, none)
    : `${formatNumber(count.seen)} of ${formatNumber(total)} ${verb}`;
  return { dimension, label, percent, full: count.seen, partial: 0, total, text };
}

/** What is said where nothing counts. */
function noneOf({ not_measured }: Pick<SeenCount, "not_measured">, none: string): string {
  return not_measured === undefined
    ? none
    : `not measured: not visible in this traffic (${formatNumber(not_measured)} documented)`;
}

function keywordFacts({ keywords }: Summary, none: string): DimensionFacts {
  const { partial, full, total, percent } = keywords;
  const text = total === 0
    ? noneOf(keywords, none)
    : `${formatNumber(partial + full)} of ${formatNumber(total)}: ${formatNumber(full)} full, ${
      formatNumber(partial)
    } partial`;
  return { dimension: "keywords", label: "Keywords", percent, full, partial, total, text };
}

function responseFacts({ responses }: Summary, none: string): DimensionFacts {
  if (responses.measured) return seen("responses", "Responses", responses, "seen", none);
  return {
    dimension: "responses",
    label: "Responses",
    percent: null,
    full: 0,
    partial: 0,
    total: 0,
    text: `not measured: the traffic has no responses (${
      formatAmount(responses.total, "status", "statuses")
    } documented)`,
  };
}

/**
 * The five dimensions in the order in which covtool names them.
 *
 * @param isScoped True if parts of the description are excluded, so that nothing that counts need not be nothing at all.
 */
export function dimensionsOf(summary: Summary, isScoped = false): readonly DimensionFacts[] {
  const none = isScoped ? "none counted" : "none documented";
  return [
    seen("operations", "Operations", summary.operations, "called", none),
    seen("parameters", "Parameters", summary.parameters, "sent", none),
    keywordFacts(summary, none),
    seen("examples", "Examples", summary.examples, "used", none),
    responseFacts(summary, none),
  ];
}

/** The rules that the API has proven to enforce; null where that is not measured, or there are none. */
export function enforcementFacts({ enforcement }: Summary): FigureFacts | null {
  const text = enforcementCounts(enforcement);
  if (enforcement === undefined || text === undefined) return null;
  const { enforced, total, percent } = enforcement;
  return { label: "Enforcement", percent, full: enforced, partial: 0, total, text };
}

/** The keywords that responses met; null where there are none, or the traffic has no responses at all. */
export function responseKeywordFacts(
  summary: Summary,
): FigureFacts | null {
  const { response_keywords: keywords } = summary;
  if (keywords === undefined) return null;
  const label = "Response keywords";
  const text = responseKeywordCounts(keywords);
  if (text !== undefined) {
    const { seen, total, percent } = keywords;
    return { label, percent, full: seen, partial: 0, total: total ?? 0, text };
  }
  if (!lackResponseBodies(summary)) return null;
  const none = `not measured: ${NO_RESPONSE_BODIES}`;
  return { label, percent: null, full: 0, partial: 0, total: 0, text: none };
}
