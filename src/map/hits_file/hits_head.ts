import type { HitsDescription } from "./hits_format.ts";

/** The description stands before everything that can be long. */
const HEAD_BYTES = 1 << 16;
const DESCRIPTION = /"description":(\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})/;

/**
 * The description of a line of a hits file, found without reading the rest.
 *
 * @returns undefined if it says nothing; reading it says why.
 *
 * @example
 * ```ts
 * import { hitsHead } from "./hits_head.ts";
 * import assert from "node:assert/strict";
 *
 * const line = '{"covtool_hits":2,"covtool":"1","description":{"title":"Shop","fingerprint":"f"},"recorded":0';
 * assert.deepEqual(hitsHead(new TextEncoder().encode(line)), { title: "Shop", fingerprint: "f" });
 * ```
 */
export function hitsHead(line: Uint8Array): Partial<HitsDescription> | undefined {
  const text = new TextDecoder().decode(line.subarray(0, HEAD_BYTES));
  const [, description] = DESCRIPTION.exec(text) ?? [];
  if (description === undefined) return undefined;
  try {
    const value = JSON.parse(description) as Readonly<Record<string, unknown>>;
    const texts = Object.entries(value).filter(([, member]) => typeof member === "string");
    return Object.fromEntries(texts);
  } catch {
    return undefined;
  }
}
