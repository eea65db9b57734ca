/** A whole number with its thousands apart: `53,000`. */
export function formatNumber(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * A number with its noun.
 *
 * @example
 * ```ts
 * import { formatAmount } from "./amount.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(formatAmount(1, "request"), "1 request");
 * assert.equal(formatAmount(1200, "body", "bodies"), "1,200 bodies");
 * ```
 */
export function formatAmount(value: number, noun: string, plural: string = `${noun}s`): string {
  return `${formatNumber(value)} ${value === 1 ? noun : plural}`;
}
