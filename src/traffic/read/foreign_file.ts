/** The beginnings of other kinds of files, a character for each byte, and the names of these kinds. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(!doctype\s+html|html)/i, "an HTML page, perhaps of an error or a login"],
  [/^\s*</, "XML or HTML"],
  [/^\x89PNG\r\n/, "a PNG image"],
  [/^\xff\xd8\xff/, "a JPEG image"],
  [/^%PDF-/, "a PDF"],
  [/^(\xd4\xc3\xb2\xa1|\xa1\xb2\xc3\xd4|\n\r\r\n)/, "a capture of network packets"],
  [
    /^\d+:\d+:[a-z_]+;/,
    "a dump of mitmproxy (`mitmdump -nr FILE --set hardump=FILE.har` makes a HAR of it)",
  ],
  // deno-lint-ignore no-control-regex -- these are what is looked for
  [/[\0-\x08\x0e-\x1a\x1c-\x1f]/, "binary data"],
];

/** So many bytes tell what a file is. */
const START = 1024;

/**
 * Recognizes files that are often mistaken for a recording, though they are neither JSON nor YAML.
 *
 * @returns What it is, as part of a sentence; undefined for what may be text of any kind.
 *
 * @example
 * ```ts
 * import { foreignFile } from "./foreign_file.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(foreignFile(new TextEncoder().encode("%PDF-1.4")), "a PDF");
 * assert.equal(foreignFile(new TextEncoder().encode("interactions: []")), undefined);
 * ```
 */
export function foreignFile(bytes: Uint8Array): string | undefined {
  // Not a decoder of latin1, which takes some bytes for other characters.
  const start = String.fromCharCode(...bytes.subarray(0, START));
  return BEGINNINGS.find(([pattern]) => pattern.test(start))?.[1];
}
