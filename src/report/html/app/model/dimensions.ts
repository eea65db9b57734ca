import type { Dimension, Summary } from "../../../../map/results.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";

/** One of the five dimensions, ready to be drawn. */
export interface DimensionFacts {
  readonly dimension: Dimension;
  readonly label: string;
  /** Exact; null where there is nothing to measure. */
  readonly percent: number | null;
  /** Covered as far as can be; for keywords, those that were seen both ways. */
  readonly full: number;
  /** Covered in part: keywords that were seen one way. */
  readonly partial: number;
  readonly total: number;
  /** The counts in words. */
  readonly text: string;
}

function seen(
  dimension: Dimension,
  label: string,
  count: { readonly seen: number; readonly total: number; readonly percent: number | null },
  verb: string,
): DimensionFacts {
  const { total, percent } = count;
  const text = total === 0
    ? "none documented"
    : `${formatNumber(count.seen)} of ${formatNumber(total)} ${verb}`;
  return { dimension, label, percent, full: count.seen, partial: 0, total, text };
}

function keywordFacts({ keywords }: Summary): DimensionFacts {
  const { partial, full, total, percent } = keywords;
  const text = total === 0
    ? "none documented"
    : `${formatNumber(partial + full)} of ${formatNumber(total)}: ${formatNumber(full)} full, ${
      formatNumber(partial)
    } partial`;
  return { dimension: "keywords", label: "Keywords", percent, full, partial, total, text };
}

function responseFacts({ responses }: Summary): DimensionFacts {
  if (responses.measured) return seen("responses", "Responses", responses, "seen");
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

/** The five dimensions in the order in which covtool names them. */
export function dimensionsOf(summary: Summary): readonly DimensionFacts[] {
  return [
    seen("operations", "Operations", summary.operations, "called"),
    seen("parameters", "Parameters", summary.parameters, "sent"),
    keywordFacts(summary),
    seen("examples", "Examples", summary.examples, "used"),
    responseFacts(summary),
  ];
}
