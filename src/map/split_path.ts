/** A path split for matching. */
export interface SplitPath {
  /** The segments as written, without the empty one after a trailing slash. */
  readonly raw: readonly string[];
  /** The same, percent-decoded when first needed: most escaped segments meet a template, which takes any text. */
  readonly decoded: (string | undefined)[];
  /** True if the path ends with a slash. */
  readonly trailingSlash: boolean;
}

/** Splits the path of a URL, which begins with a slash. */
export function splitPath(path: string): SplitPath {
  const raw: string[] = [];
  let start = 1;
  for (let end = path.indexOf("/", 1); end >= 0; end = path.indexOf("/", start)) {
    raw.push(path.slice(start, end));
    start = end + 1;
  }
  const trailingSlash = start === path.length;
  if (!trailingSlash) raw.push(path.slice(start));
  return { raw, decoded: path.includes("%") ? new Array(raw.length) : raw, trailingSlash };
}

/** A percent-decoded segment of a path; empty after the last one. */
export function decodedSegment(path: SplitPath, depth: number): string {
  const raw = path.raw[depth];
  return raw === undefined ? "" : path.decoded[depth] ??= decodeSegment(raw);
}

/**
 * Percent-decodes one segment of a URL's path. Paths are split first, so an escaped slash (`%2F`) stays inside its
 * segment. Returns the segment as written if its escapes are not UTF-8.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { decodeSegment } from "./split_path.ts";
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
 * The offset in a segment's raw text of each UTF-16 unit of its decoded text, followed by the length of the raw text.
 * Both halves of a surrogate pair that was escaped begin at its first `%`.
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
