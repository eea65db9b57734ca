import { Deflate } from "pako";
import { concatBytes } from "../../values/collections.ts";
import { jsonWithoutCommands } from "../text/plain_text.ts";

/** Compresses bytes as gzip. Returns undefined if that isn't possible. */
export type Compressor = (bytes: Uint8Array) => Uint8Array | undefined;

/** JSON of at most this many characters stays readable in the file; more is compressed. */
const PLAIN_LIMIT = 128 * 1024;

/** Bytes per step of {@linkcode base64}: a multiple of 3, and few enough to be arguments of a call. */
const BASE64_STEP = 3 * 8192;

/** Characters to encode per call. Shorter pieces are joined first, because each call has overhead. */
const ENCODED_STEP = 256 * 1024;

function base64(bytes: Uint8Array): string {
  // Newer platforms have a fast built-in method.
  const { toBase64 } = bytes as { toBase64?: () => string };
  if (toBase64 !== undefined) return toBase64.call(bytes);
  let text = "";
  for (let at = 0; at < bytes.length; at += BASE64_STEP) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + BASE64_STEP)));
  }
  return text;
}

function encode(first: string, rest: Iterator<string>): Uint8Array {
  const parts: Uint8Array[] = [];
  const encoder = new TextEncoder();
  let pending = first;
  for (let next = rest.next(); !next.done; next = rest.next()) {
    pending += next.value;
    if (pending.length < ENCODED_STEP) continue;
    parts.push(encoder.encode(pending));
    pending = "";
  }
  parts.push(encoder.encode(pending));
  return concatBytes(parts);
}

/** The gzip header contains no time, so that equal reports give equal files. */
function compressAlone(bytes: Uint8Array): Uint8Array {
  const gzip = new Deflate({ gzip: true, level: 6 });
  gzip.push(bytes, true);
  return gzip.result;
}

/** Writes JSON as a `script` element that browsers don't run. No piece may end within a surrogate pair. */
export function dataBlock(id: string, pieces: Iterable<string>, compress?: Compressor): string {
  const iterator = pieces[Symbol.iterator]();
  let text = "";
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    text += next.value;
    if (text.length > PLAIN_LIMIT) {
      const bytes = encode(text, iterator);
      const packed = compress?.(bytes) ?? compressAlone(bytes);
      return `<script type="text/plain" id="${id}" data-encoding="gzip">${base64(packed)}</script>`;
    }
  }
  // Within a script element, only `<` has a meaning: it may begin an end tag or a comment.
  return `<script type="application/json" id="${id}">${
    jsonWithoutCommands(
      text.replaceAll("<", "\\u003c"),
    )
  }</script>`;
}
