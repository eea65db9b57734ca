import { concatBytes } from "../../values/concat_bytes.ts";
import { type PublicHeaders, publicHeaders } from "./public_headers.ts";

/** A message of HTTP/1.1 as it went over the wire, taken apart. */
export interface HttpMessage {
  /** The first line. */
  readonly start: string;
  /** Header fields but for those that say who sent the request. */
  readonly headers: PublicHeaders;
  /** The value of Host; undefined if there is none. */
  readonly host: string | undefined;
  /** The content, in one piece. */
  readonly body: Uint8Array;
  /** True if bytes of the content are missing. */
  readonly isCut: boolean;
}

const LINE_FEED = 0x0a;
const decoder = new TextDecoder();

/**
 * Takes apart a message of HTTP/1.1 (RFC 9112). Undefined if it has no end of its header fields.
 *
 * @example
 * ```ts
 * import { readHttpMessage } from "./http_message.ts";
 * import assert from "node:assert/strict";
 *
 * const bytes = new TextEncoder().encode("GET /a HTTP/1.1\r\nHost: b\r\nAccept: text/csv\r\n\r\n");
 * const message = readHttpMessage(bytes);
 * assert.equal(message?.start, "GET /a HTTP/1.1");
 * assert.deepEqual([message?.host, message?.headers], ["b", { Host: "b", Accept: "text/csv" }]);
 * ```
 */
export function readHttpMessage(bytes: Uint8Array): HttpMessage | undefined {
  const lines: string[] = [];
  let position = 0;
  while (true) {
    const end = bytes.indexOf(LINE_FEED, position);
    if (end === -1) return undefined;
    const line = decoder.decode(bytes.subarray(position, end)).replace(/\r$/, "");
    position = end + 1;
    if (line === "") break;
    lines.push(line);
  }
  const fields: Record<string, string[]> = {};
  const values = new Map<string, string>();
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    values.set(name.toLowerCase(), value);
    if (Object.hasOwn(fields, name)) fields[name]?.push(value);
    else fields[name] = [value];
  }
  const rest = bytes.subarray(position);
  const isChunked = /\bchunked\b/i.test(values.get("transfer-encoding") ?? "");
  const length = Number(values.get("content-length") ?? NaN);
  const content = isChunked
    ? joinChunks(rest)
    : { body: rest.subarray(0, length >= 0 ? length : undefined), isCut: length > rest.length };
  return {
    start: lines[0] ?? "",
    headers: publicHeaders(fields) ?? {},
    host: values.get("host"),
    ...content,
  };
}

/** The content of chunks (RFC 9112, section 7.1). */
function joinChunks(bytes: Uint8Array): Pick<HttpMessage, "body" | "isCut"> {
  const chunks: Uint8Array[] = [];
  let position = 0;
  while (true) {
    const end = bytes.indexOf(LINE_FEED, position);
    const size = end === -1 ? NaN : parseInt(decoder.decode(bytes.subarray(position, end)), 16);
    if (!(size >= 0)) return { body: concatBytes(chunks), isCut: true };
    if (size === 0) return { body: concatBytes(chunks), isCut: false };
    const chunk = bytes.subarray(end + 1, end + 1 + size);
    chunks.push(chunk);
    if (chunk.length < size) return { body: concatBytes(chunks), isCut: true };
    // A line end follows each chunk.
    position = end + 1 + size + (bytes[end + 1 + size] === 0x0d ? 2 : 1);
  }
}
