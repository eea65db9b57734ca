import { formatPercent } from "../percent.ts";

/**
 * The change of a percentage, in percentage points.
 *
 * @example
 * ```ts
 * import { changeText } from "./change_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(changeText(50, 47.5), "+2.5");
 * assert.equal(changeText(50, 50.01), "−<0.1");
 * assert.equal(changeText(50, null), "–");
 * ```
 */
export function changeText(now: number | null, before: number | null): string {
  if (now === null || before === null) return "–";
  if (now === before) return "±0";
  return (now > before ? "+" : "−") + formatPoints(Math.abs(now - before));
}

function formatPoints(points: number): string {
  return points >= 100 ? "100" : formatPercent(points).replace("%", "");
}
