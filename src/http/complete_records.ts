import { mediaEssence, mediaKind } from "./media_type.ts";
import type { Json } from "../values/json.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const RECORD_SEPARATOR = 0x1e;

/** True for streams without a defined end: server-sent events, JSON Lines, JSON text sequences. */
export function isSequence(contentType: string): boolean {
  const essence = mediaEssence(contentType);
  return essence === "text/event-stream" || mediaKind(essence) === "sequence";
}

/** Returns the complete records of a sequence that was cut off; undefined for other types, which must be complete. */
export function completeRecords(contentType: string, bytes: Uint8Array): Uint8Array | undefined {
  if (!isSequence(contentType)) return undefined;
  const essence = mediaEssence(contentType);
  if (essence === "text/event-stream") return bytes.subarray(0, endOfEvents(bytes));
  // In a text sequence, a record ends where the next one begins.
  return essence.endsWith("json-seq")
    ? bytes.subarray(0, Math.max(0, bytes.lastIndexOf(RECORD_SEPARATOR)))
    : bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1);
}

/** Returns the index after the last empty line; lines end with CR LF, LF or CR (HTML, "parsing an event stream"). */
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

/** Parses the complete events of server-sent events (HTML, section 9.2.6; OpenAPI 3.2, section 4.14.3.2). */
export function parseEventStream(text: string): readonly Json[] {
  const events: Json[] = [];
  let event: Record<string, Json> = {};
  const lines = text.split(/\r\n|\n|\r/);
  lines.pop(); // The text after the last line end is not a complete line.
  for (const line of lines) {
    if (line === "") {
      if (event["data"] !== undefined) events.push(event); // Without data, none is dispatched.
      event = {};
      continue;
    }
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") {
      const { data } = event;
      event["data"] = data === undefined ? value : `${data}\n${value}`;
    } else if (name === "event") event["event"] = value;
    else if (name === "id" && !value.includes("\0")) event["id"] = value;
    else if (name === "retry" && /^\d+$/.test(value)) event["retry"] = Number(value);
  }
  return events;
}

/** Parses JSON Lines or a JSON text sequence (RFC 7464) and skips blank lines; undefined if an item isn't JSON. */
export function parseSequence(text: string): readonly Json[] | undefined {
  const items: Json[] = [];
  try {
    for (const item of text.split(text.includes("\x1e") ? "\x1e" : "\n")) {
      if (item.trim() !== "") items.push(JSON.parse(item));
    }
  } catch {
    return undefined;
  }
  return items;
}
