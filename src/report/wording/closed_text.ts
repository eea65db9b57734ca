import { formatAmount, formatNumber } from "./amounts.ts";

/**
 * The gaps that a request closes, in words.
 *
 * @example
 * ```ts
 * import { closedText } from "./closed_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(closedText({ closed: 9, halved: 21 }), "closes 9 gaps and half of 21 more");
 * assert.equal(closedText({ closed: 0, halved: 1 }), "closes half of 1 gap");
 * assert.equal(closedText({ closed: 1, halved: 0 }), "closes 1 gap");
 * ```
 */
export function closedText(
  { closed, halved }: { readonly closed: number; readonly halved: number },
): string {
  if (closed === 0 && halved > 0) return `closes half of ${formatAmount(halved, "gap")}`;
  const whole = `closes ${formatAmount(closed, "gap")}`;
  return halved === 0 ? whole : `${whole} and half of ${formatNumber(halved)} more`;
}
