/** How good a percentage is, as a colour shows it. */
export type CoverageLevel = "low" | "medium" | "high";

/**
 * The level of a percentage: low (red) below 50, medium (yellow) below 80, high (green) from there; null where there is
 * nothing to measure.
 *
 * @param percent 0 to 100, exact.
 *
 * @example
 * ```ts
 * import { coverageLevel } from "./coverage_level.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(coverageLevel(49.9), "low");
 * assert.equal(coverageLevel(50), "medium");
 * assert.equal(coverageLevel(80), "high");
 * ```
 */
export function coverageLevel(percent: number | null): CoverageLevel | null {
  if (percent === null) return null;
  return percent >= 80 ? "high" : percent >= 50 ? "medium" : "low";
}
