import { isFields } from "../../decode/fields.ts";

/** A header field of a message in a HAR. */
export type HarHeader = [name: string, value: string];

/**
 * The header fields of a message in a HAR. Some recorders have an object of names and values in the place of the list;
 * the fields of HTTP/2 that begin with a colon say what is elsewhere (RFC 9113, section 8.3).
 *
 * @param onUnusable Called for each that has no name or no value.
 *
 * @example
 * ```ts
 * import { harHeaders } from "./har_headers.ts";
 * import assert from "node:assert/strict";
 *
 * const headers = [{ name: ":status", value: "200" }, { name: "Age", value: 3 }];
 * assert.deepEqual(harHeaders(headers), [["Age", "3"]]);
 * assert.deepEqual(harHeaders({ "Set-Cookie": ["a=1", "b=2"] }), [["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"]]);
 * ```
 */
export function harHeaders(value: unknown, onUnusable?: () => void): HarHeader[] {
  const headers: HarHeader[] = [];
  const list = headerList(value);
  if (!Array.isArray(list)) return headers;
  for (const header of list) {
    const { name, value: recorded } = isFields(header) ? header : {};
    const value = typeof recorded === "number" ? String(recorded) : recorded;
    if (typeof name === "string" && typeof value === "string") {
      if (name.charCodeAt(0) !== 58) headers.push([name, value]);
    } else onUnusable?.();
  }
  return headers;
}

function headerList(headers: unknown): unknown {
  if (!isFields(headers)) return headers;
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => ({ name, value: one }))
  );
}
