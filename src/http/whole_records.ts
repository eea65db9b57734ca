import { essenceOf, kindOf } from "./media_type.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const RECORD_SEPARATOR = 0x1e;

/** True for bodies that have no end of their own: server-sent events, JSON Lines, JSON text sequences. */
export function isSequence(contentType: string): boolean {
  const essence = essenceOf(contentType);
  return essence === "text/event-stream" || kindOf(essence) === "sequence";
}

/**
 * The part of a sequence that broke off which came whole: events up to the last empty line, values up to the last line
 * break or separator. Undefined for other media types, which mean nothing without their end.
 *
 * @example
 * ```ts
 * import { wholeRecords } from "./whole_records.ts";
 * import assert from "node:assert/strict";
 *
 * const bytes = new TextEncoder().encode("data: 1\n\ndata: 2\nid");
 * const whole = wholeRecords("text/event-stream", bytes);
 * assert.equal(new TextDecoder().decode(whole), "data: 1\n\n");
 * assert.equal(wholeRecords("application/json", bytes), undefined);
 * ```
 */
export function wholeRecords(contentType: string, bytes: Uint8Array): Uint8Array | undefined {
  if (!isSequence(contentType)) return undefined;
  const essence = essenceOf(contentType);
  if (essence !== "text/event-stream") {
    const isSeparated = essence.endsWith("json-seq");
    // A value of a text sequence ends where the next one begins.
    return isSeparated
      ? bytes.subarray(0, Math.max(0, bytes.lastIndexOf(RECORD_SEPARATOR)))
      : bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1);
  }
  return bytes.subarray(0, endOfEvents(bytes));
}

/** The index after the last empty line; lines end with CR LF, LF or CR (HTML, "parsing an event stream"). */
function endOfEvents(bytes: Uint8Array): number {
  for (let end = bytes.length - 1; end > 0; end--) {
    if (!isLineEnd(bytes[end])) continue;
    const last = end;
    if (bytes[end] === LINE_FEED && bytes[end - 1] === CARRIAGE_RETURN) end--;
    if (isLineEnd(bytes[end - 1])) return last + 1;
  }
  return 0;
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}
