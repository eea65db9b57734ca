/** The beginnings of encoded bodies that can be told from all others. */
const SIGNATURES: ReadonlyMap<string, readonly number[]> = new Map([
  ["gzip", [0x1f, 0x8b, 0x08]],
  ["x-gzip", [0x1f, 0x8b, 0x08]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
]);

/**
 * True if bytes are in the Content-Encoding that their header names, false if they aren't, for whoever undid the
 * encoding left the header; undefined for encodings that only decoding tells.
 *
 * @example
 * ```ts
 * import { isEncodedAs } from "./encoded_bytes.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(isEncodedAs(new Uint8Array([0x1f, 0x8b, 0x08]), "gzip"), true);
 * assert.equal(isEncodedAs(new TextEncoder().encode("{}"), "gzip"), false);
 * assert.equal(isEncodedAs(new TextEncoder().encode("{}"), "br"), undefined);
 * ```
 */
export function isEncodedAs(bytes: Uint8Array, contentEncoding: string): boolean | undefined {
  const signature = SIGNATURES.get(contentEncoding.trim().toLowerCase());
  return signature?.every((byte, index) => bytes[index] === byte);
}
