import type { TclCount, TclCriterion, TestCoverageLevel } from "../../map/results.ts";
import { formatNumber } from "./amounts.ts";

/** The highest test coverage level. */
export const HIGHEST_TCL = 7;

/** A criterion of the test coverage level in words: `request content types`. */
export function criterionName(criterion: TclCriterion): string {
  return criterion.replaceAll("_", " ");
}

/**
 * The test coverage level with what the next one needs, in one line.
 *
 * @param criteria The counts of the criteria, if they are known.
 *
 * @example
 * ```ts
 * import { tclText } from "./tcl_wording.ts";
 * import assert from "node:assert/strict";
 *
 * const level = { level: 4, missing: ["parameter_values"], not_measured: ["status_codes"] } as const;
 * assert.equal(
 *   tclText(level, [{ criterion: "parameter_values", level: 5, covered: 1, total: 3, measured: true }]),
 *   "4 of 7; 5 needs parameter values (1 of 3), status codes (not measured)",
 * );
 * ```
 */
export function tclText(
  { level, missing, not_measured }: TestCoverageLevel,
  criteria: readonly TclCount[] = [],
): string {
  const needed = [
    ...missing.map((criterion) => criterionName(criterion) + countText(criterion, criteria)),
    ...not_measured.map((criterion) => `${criterionName(criterion)} (not measured)`),
  ];
  const next = needed.length === 0 ? "" : `; ${level + 1} needs ${needed.join(", ")}`;
  return `${level} of ${HIGHEST_TCL}${next}`;
}

function countText(criterion: TclCriterion, criteria: readonly TclCount[]): string {
  const count = criteria.find((one) => one.criterion === criterion);
  if (count === undefined || count.covered === null || count.total === null) return "";
  return ` (${formatNumber(count.covered)} of ${formatNumber(count.total)})`;
}
