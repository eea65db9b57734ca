import type { Dimension, SeenCount, Summary } from "../map/results.ts";
import { formatNumber } from "./wording/amounts.ts";

/** One dimension of a summary, ready to show. */
export interface DimensionRow {
  readonly dimension: Dimension;
  /** Its name with a capital. */
  readonly label: string;
  /** Exact, 0 to 100; null if nothing was measured. */
  readonly percent: number | null;
  /** The counts of the percentage: `4 of 5`. */
  readonly counts: string;
}

/**
 * The five dimensions in the order of all reports.
 *
 * @param isScoped True if parts of the description are excluded, so that nothing that counts need not be nothing at all.
 *
 * @example
 * ```ts
 * import { dimensionRows } from "./dimension_rows.ts";
 * import assert from "node:assert/strict";
 *
 * const one = { seen: 1, total: 2, percent: 50 };
 * const rows = dimensionRows({
 *   operations: one, parameters: one, keywords: { partial: 1, full: 1, total: 4, percent: 50 },
 *   examples: { seen: 0, total: 0, percent: null }, responses: { ...one, percent: null, measured: false },
 * });
 * assert.deepEqual(rows.map(({ counts }) => counts), [
 *   "1 of 2", "1 of 2", "2 of 4: 1 full, 1 partial", "none documented", "not measured, 2 documented",
 * ]);
 * ```
 */
export function dimensionRows(summary: Summary, isScoped = false): DimensionRow[] {
  const none = isScoped ? "none counted" : "none documented";
  const amount = (seen: number, { total, not_measured }: Counted): string =>
    total > 0
      ? `${formatNumber(seen)} of ${formatNumber(total)}`
      : not_measured === undefined
      ? none
      : `not measured, ${formatNumber(not_measured)} documented`;
  const { operations, parameters, keywords, examples, responses } = summary;
  const counted = keywords.partial + keywords.full;
  return [
    row(
      "operations",
      operations.percent,
      amount(operations.seen, operations) + succeededText(operations),
    ),
    row("parameters", parameters.percent, amount(parameters.seen, parameters)),
    row(
      "keywords",
      keywords.percent,
      keywords.total === 0
        ? amount(counted, keywords)
        : `${amount(counted, keywords)}: ${formatNumber(keywords.full)} full, ${
          formatNumber(keywords.partial)
        } partial`,
    ),
    row("examples", examples.percent, amount(examples.seen, examples)),
    row(
      "responses",
      responses.percent,
      responses.measured || responses.total === 0
        ? amount(responses.seen, responses)
        : `not measured, ${formatNumber(responses.total)} documented`,
    ),
  ];
}

type Counted = Pick<SeenCount, "total" | "not_measured">;

/** The number of operations that succeeded, if some that were called never did. */
function succeededText({ seen, succeeded }: Summary["operations"]): string {
  return typeof succeeded !== "number" || succeeded === seen
    ? ""
    : `, ${formatNumber(succeeded)} succeeded`;
}

function row(dimension: Dimension, percent: number | null, counts: string): DimensionRow {
  const label = dimension.charAt(0).toUpperCase() + dimension.slice(1);
  return { dimension, label, percent, counts };
}
