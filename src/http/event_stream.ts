import type { Json } from "../values/json.ts";

/**
 * The events of a stream of server-sent events (HTML, section 9.2.6; OpenAPI 3.2, section 4.14.3.2): objects with the
 * fields `data`, `event` and `id` as text, and `retry` as a number. Comments, fields of other names and an event that is
 * not complete are left out.
 *
 * @example
 * ```ts
 * import { parseEventStream } from "./event_stream.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(parseEventStream(": hello\nevent: add\ndata: 1\ndata: 2\n\ndata: cut"), [
 *   { event: "add", data: "1\n2" },
 * ]);
 * ```
 */
export function parseEventStream(text: string): readonly Json[] {
  const events: Json[] = [];
  let event: Record<string, Json> = {};
  const lines = text.split(/\r\n|\n|\r/);
  lines.pop(); // what follows the last end of a line is not a whole line
  for (const line of lines) {
    if (line === "") {
      if (Object.keys(event).length > 0) events.push(event);
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
