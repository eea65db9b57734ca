import { checksumOf } from "./checksum.ts";

/**
 * A text that differs for values that say something else as JSON. It detects accidents, not tampering.
 *
 * @param ignored The name of members that make no difference.
 *
 * @example
 * ```ts
 * import { fingerprint } from "./fingerprint.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(fingerprint([{ a: 1, b: 2 }], "b"), fingerprint([{ a: 1 }], "b"));
 * assert.notEqual(fingerprint([{ a: 1 }], "b"), fingerprint([{ a: 2 }], "b"));
 * ```
 */
export function fingerprint(values: Iterable<unknown>, ignored: string): string {
  const encoder = new TextEncoder();
  return Array.from(values, (value) => checksumOf(encoder.encode(textOf(value, ignored)))).join();
}

function textOf(value: unknown, ignored: string): string {
  const text = JSON.stringify(value) ?? "";
  // Leaving something out takes several times as long, and most descriptions have none of it.
  if (!text.includes(JSON.stringify(ignored))) return text;
  return JSON.stringify(value, (name, member) => name === ignored ? undefined : member) ?? "";
}
