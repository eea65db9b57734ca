import { concatBytes } from "../../values/concat_bytes.ts";
import { Deflate } from "pako";
import { jsonWithoutCommands } from "../text/without_commands.ts";

/** JSON of at most this many characters stays readable in the file; more is compressed. */
const PLAIN_LIMIT = 128 * 1024;

/** Bytes per step of {@linkcode base64}: a multiple of 3, and few enough to be arguments of a call. */
const BASE64_STEP = 3 * 8192;

/** Characters per call of the compressor: pieces are joined up to here, since each call has its price. */
const GZIP_STEP = 256 * 1024;

function base64(parts: readonly Uint8Array[]): string {
  const bytes = concatBytes(parts);
  let text = "";
  for (let at = 0; at < bytes.length; at += BASE64_STEP) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + BASE64_STEP)));
  }
  return text;
}

function compress(first: string, rest: Iterator<string>): string {
  const parts: Uint8Array[] = [];
  // Its header holds no time, so the same report is the same file.
  const gzip = new Deflate({ gzip: true, level: 6 });
  gzip.onData = (part): void => void parts.push(part);
  const encoder = new TextEncoder();
  let pending = first;
  for (let next = rest.next(); !next.done; next = rest.next()) {
    pending += next.value;
    if (pending.length < GZIP_STEP) continue;
    gzip.push(encoder.encode(pending), false);
    pending = "";
  }
  gzip.push(encoder.encode(pending), true);
  return base64(parts);
}

/**
 * Writes JSON as a block of an HTML page that no browser executes and that nothing in the JSON can
 * end early. Larger ones are compressed (`data-encoding="gzip"`, base64).
 *
 * @param id The block's `id`.
 * @param pieces The JSON text; no piece may end within a surrogate pair.
 * @returns The `script` element of a type that is data.
 */
export function dataBlock(id: string, pieces: Iterable<string>): string {
  const iterator = pieces[Symbol.iterator]();
  let text = "";
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    text += next.value;
    if (text.length > PLAIN_LIMIT) {
      return `<script type="text/plain" id="${id}" data-encoding="gzip">${
        compress(text, iterator)
      }</script>`;
    }
  }
  // Within a script element only `<` can begin anything (an end tag, a comment).
  return `<script type="application/json" id="${id}">${
    jsonWithoutCommands(
      text.replaceAll("<", "\\u003c"),
    )
  }</script>`;
}
