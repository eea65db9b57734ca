const PRIME = 0x01000193;
const OTHER_PRIME = 0x85ebca6b;

/**
 * A text that differs for bytes that differ: FNV-1a over words of 32 bits, with two primes, and their number. It
 * detects accidents, not tampering.
 *
 * @example
 * ```ts
 * import { checksumOf } from "./checksum.ts";
 * import assert from "node:assert/strict";
 *
 * const bytes = new TextEncoder().encode("hits of Bookshop");
 * const checksum = checksumOf(bytes);
 * bytes.reverse();
 * assert.notEqual(checksumOf(bytes), checksum);
 * ```
 */
export function checksumOf(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = bytes.length - bytes.length % 4;
  let high = 0x811c9dc5;
  let low = 0x84222325;
  for (let at = 0; at < words; at += 4) {
    const word = view.getInt32(at, true);
    high = Math.imul((high << 5 | high >>> 27) ^ word, PRIME);
    low = Math.imul((low << 13 | low >>> 19) ^ word, OTHER_PRIME);
  }
  for (let at = words; at < bytes.length; at++) {
    high = Math.imul(high ^ (bytes[at] as number), PRIME); // within its bounds
    low = Math.imul(low ^ (bytes[at] as number), OTHER_PRIME);
  }
  return `${(high >>> 0).toString(36)}-${(low >>> 0).toString(36)}-${bytes.length.toString(36)}`;
}
