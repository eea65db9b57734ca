import type { Statistic } from "../map/results.ts";
import { GAP_KINDS, type GapKind } from "./wording/gap_wording.ts";

/**
 * The number of parts that are not fully covered, by kind: what the counts of a summary leave to cover. A keyword is one
 * part, however many outcomes it lacks. The keywords and examples of parameters that were never sent are included, so
 * that no number grows as more is tested.
 */
export interface GapCounts extends Readonly<Record<GapKind, number>> {
  /** The sum of all kinds. */
  readonly total: number;
  /** The number of all parts, covered ones included. */
  readonly parts: number;
}

/** A statistic that may say that no response was recorded. */
interface MeasuredStatistic extends Statistic {
  readonly responses: Statistic["responses"] & { readonly measured?: boolean };
}

/** The part of a report that tells whether there was traffic at all. */
interface Recorded {
  readonly recorded: number;
}

/**
 * True if responses that were not seen are gaps: not where there is traffic and none of it has a response, since they are
 * not measured then.
 */
export function countsResponses(
  { responses }: Pick<MeasuredStatistic, "responses">,
  { recorded }: Recorded,
): boolean {
  return responses.measured !== false || recorded === 0;
}

/** The sum of nothing. */
export const NO_GAPS: GapCounts = {
  operation: 0,
  parameter: 0,
  keyword: 0,
  example: 0,
  response: 0,
  total: 0,
  parts: 0,
};

/**
 * The number of gaps that a summary or a statistic leaves (semantics, section 8).
 *
 * @param traffic The traffic of the report.
 *
 * @example
 * ```ts
 * import { gapCounts } from "./gap_counts.ts";
 * import assert from "node:assert/strict";
 *
 * const seen = { seen: 186, total: 337 };
 * const none = { seen: 0, total: 0 };
 * const keywords = { partial: 3, full: 2, total: 10 };
 * const traffic = { recorded: 500 };
 * const counts = { operations: none, parameters: none, keywords, examples: seen, responses: none };
 * assert.equal(gapCounts(counts, traffic).example, 151);
 * assert.equal(gapCounts(counts, traffic).keyword, 8);
 * assert.equal(gapCounts(counts, traffic).total, 159);
 * ```
 */
export function gapCounts(statistic: MeasuredStatistic, traffic: Recorded): GapCounts {
  const { operations, parameters, keywords, examples } = statistic;
  const responses = countsResponses(statistic, traffic)
    ? statistic.responses
    : { seen: 0, total: 0 };
  const operation = operations.total - operations.seen;
  const parameter = parameters.total - parameters.seen;
  const keyword = keywords.total - keywords.full;
  const example = examples.total - examples.seen;
  const response = responses.total - responses.seen;
  return {
    operation,
    parameter,
    keyword,
    example,
    response,
    total: operation + parameter + keyword + example + response,
    parts: operations.total + parameters.total + keywords.total + examples.total +
      responses.total,
  };
}

/** The sum of counts. */
export function sumGaps(list: readonly GapCounts[]): GapCounts {
  const sum = { ...NO_GAPS };
  for (const counts of list) {
    for (const kind of GAP_KINDS) sum[kind] += counts[kind];
    sum.total += counts.total;
    sum.parts += counts.parts;
  }
  return sum;
}

/** The share of gaps among all parts, from 0 to 1; 0 where there are no parts. */
export function gapShare({ total, parts }: GapCounts): number {
  return parts === 0 ? 0 : total / parts;
}
