import { decodeUri } from "../values/quoting.ts";

export interface SplitPath {
  /** The segments as written; a trailing slash adds none. */
  readonly raw: readonly string[];
  /** The segments percent-decoded on demand: most escaped segments match a template, which accepts any text. */
  readonly decoded: (string | undefined)[];
  readonly trailingSlash: boolean;
}

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

/** Empty after the last segment. */
export function decodedSegment(path: SplitPath, depth: number): string {
  const raw = path.raw[depth];
  return raw === undefined ? "" : path.decoded[depth] ??= decodeUri(raw);
}

/** Returns the offset in the raw text of each UTF-16 unit of the decoded text, followed by the raw text's length. */
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
