/**
 * Writes a percentage for people: one decimal at most, and never a 0 or a 100 that is not exact
 * (semantics, section 8). The exact value stays in the data; thresholds compare that one.
 *
 * @param value 0 to 100; null if there is nothing to measure.
 * @returns `61.3%`, `75%`, `<0.1%`, `>99.9%`; `–` for null.
 *
 * @example
 * ```ts
 * import { formatPercent } from "./percent.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(formatPercent(100 * 19 / 31), "61.3%");
 * assert.equal(formatPercent(99.99), ">99.9%");
 * assert.equal(formatPercent(null), "–");
 * ```
 */
export function formatPercent(value: number | null): string {
  if (value === null) return "–";
  if (value <= 0) return "0%";
  if (value >= 100) return "100%";
  const tenths = Math.round(value * 10);
  if (tenths === 0) return "<0.1%";
  if (tenths === 1000) return ">99.9%";
  return `${tenths / 10}%`;
}
