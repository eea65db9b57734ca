/**
 * A document as its formatted copy.
 *
 * @example
 * ```ts
 * import { formattedCopy } from "./formatted_copy.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(formattedCopy({ a: [] }), '{\n  "a": []\n}\n');
 * ```
 */
export function formattedCopy(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
