import type { HeadersLike, Interaction } from "../http/interaction.ts";

/** How a traffic file is laid out: one JSON document, or JSON Lines, which can be appended to. */
export type TrafficLayout = "json" | "jsonl";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Writes interactions as a traffic file, in the pieces in which they come: memory does not grow with their number.
 * Reading it gives the same interactions again. One stands on each line, in both layouts.
 *
 * @param batches As `RecordingReader.batches()` gives them, or in an array.
 * @returns pieces of the file's text.
 *
 * @example
 * ```ts
 * import { writeTraffic } from "./write_traffic.ts";
 * import assert from "node:assert/strict";
 *
 * const request = { method: "POST", url: "/books", body: new Uint8Array([255]) };
 * let text = "";
 * for await (const piece of writeTraffic([[{ request, response: { status_code: 201 } }]], "jsonl")) text += piece;
 * assert.equal(
 *   text,
 *   '{"request":{"method":"POST","url":"/books","body_base64":"/w=="},"response":{"status_code":201}}\n',
 * );
 * ```
 */
export async function* writeTraffic(
  batches: AsyncIterable<readonly Interaction[]> | Iterable<readonly Interaction[]>,
  layout: TrafficLayout,
): AsyncGenerator<string, void> {
  const isDocument = layout === "json";
  let separator = isDocument ? '{"interactions":[\n' : "";
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.map(entryOf).join(isDocument ? ",\n" : "\n");
    separator = isDocument ? ",\n" : "\n";
  }
  const isEmpty = separator !== ",\n" && separator !== "\n";
  if (isDocument) yield isEmpty ? '{"interactions":[]}\n' : "\n]}\n";
  else if (!isEmpty) yield "\n";
}

function entryOf({ request, response, timestamp }: Interaction): string {
  const { method, url, headers, body, body_truncated } = request;
  const fields: Record<string, unknown> = { method, url };
  if (headers !== undefined) fields["headers"] = recordOf(headers);
  if (typeof body === "string") fields["body"] = body;
  else if (body !== undefined && body !== null && body.length > 0) {
    const text = textOf(body, headers);
    if (text === undefined) fields["body_base64"] = base64(body);
    else fields["body"] = text;
  }
  if (body_truncated === true) fields["body_truncated"] = true;
  return JSON.stringify({ request: fields, response, timestamp });
}

/** The text of a body that means the same as its bytes: plain UTF-8 that is not said to be anything else. */
function textOf(body: Uint8Array, headers: HeadersLike | undefined): string | undefined {
  // A byte order mark is left out of bytes, and is a character of a text.
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return undefined;
  for (const [name, value] of pairsOf(headers)) {
    const lower = name.toLowerCase();
    if (lower === "content-encoding") return undefined;
    const isOther = /charset\s*=\s*(?!"?utf-?8\b)|^\s*multipart\//i;
    if (lower === "content-type" && isOther.test(`${value}`)) return undefined;
  }
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

function recordOf(headers: HeadersLike): Readonly<Record<string, string | readonly string[]>> {
  const record = new Map<string, string | readonly string[]>();
  for (const [name, value] of pairsOf(headers)) {
    if (value === undefined) continue;
    const before = record.get(name);
    record.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(record);
}

function pairsOf(
  headers: HeadersLike | undefined,
): Iterable<readonly [string, string | readonly string[] | undefined]> {
  if (headers === undefined) return [];
  return Symbol.iterator in headers
    ? headers as Iterable<readonly [string, string]>
    : Object.entries(headers);
}

/** Calls with so many arguments work everywhere. */
const PIECE = 0x2000;

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += PIECE) {
    text += String.fromCharCode(...bytes.subarray(offset, offset + PIECE));
  }
  return btoa(text);
}
