const LINE_FEED = 0x0a;

/**
 * The lines of hits files, without empty ones; bytes without any line are one, for the error that reading it gives.
 *
 * @example
 * ```ts
 * import { hitsLines } from "./hits_lines.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(hitsLines(new TextEncoder().encode("{}\n\n{}")).length, 2);
 * ```
 */
export function hitsLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed < 0 ? bytes.length : feed + 1;
    const line = bytes.subarray(start, end);
    if (line.some((byte) => byte > 0x20)) lines.push(line);
    start = end;
  }
  return lines.length > 0 ? lines : [bytes];
}
