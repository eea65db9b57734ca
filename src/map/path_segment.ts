/**
 * One segment of a URL's path with its escapes undone. Paths are split first, so an escaped slash
 * (`%2F`) stays inside its segment. A segment whose escapes are not UTF-8 is given back as written.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { decodeSegment } from "./path_segment.ts";
 *
 * assert.equal(decodeSegment("a%2Fb"), "a/b");
 * assert.equal(decodeSegment("100%"), "100%");
 * ```
 */
export function decodeSegment(raw: string): string {
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/**
 * Where in a segment's raw text each UTF-16 unit of its decoded text begins, and last where it ends:
 * one entry more than the decoded text has units. Both halves of a surrogate pair that was escaped
 * begin at its first `%`.
 */
export function rawOffsets(raw: string, decoded: string): readonly number[] {
  const offsets: number[] = [];
  let at = 0;
  while (offsets.length < decoded.length) {
    offsets.push(at);
    if (raw === decoded || raw.charCodeAt(at) !== 37) {
      at += 1;
      continue;
    }
    const lead = parseInt(raw.slice(at + 1, at + 3), 16);
    if (lead >= 0xf0) offsets.push(at);
    at += lead < 0x80 ? 3 : lead < 0xe0 ? 6 : lead < 0xf0 ? 9 : 12;
  }
  offsets.push(raw.length);
  return offsets;
}
