import { headerLookup } from "../../../http/headers.ts";
import { contentTypeOf, essenceOf, kindOf } from "../../../http/media_type.ts";
import { isJson } from "../../../values/is_json.ts";
import { type Fields, isFields } from "../../decode/fields.ts";

/** A body as it was sent, and the headers that say how to read it. */
export interface NockBody {
  readonly headers: Fields;
  /** Text or bytes; undefined if there was none. */
  readonly body: string | Uint8Array | undefined;
}

const HEX = /^(?:[0-9a-f]{2})+$/;

/**
 * Undoes what nock does to a body before it writes it: JSON is parsed, bytes that are no UTF-8 are one text of
 * hexadecimal digits, and a body with a Content-Encoding is a list of such texts. nock back records no headers of
 * requests, so that those are added which the bytes themselves prove.
 *
 * @param headers The headers that were recorded.
 *
 * @example
 * ```ts
 * import { nockBody } from "./nock_body.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(nockBody("89504e47", {}).body, new Uint8Array([0x89, 0x50, 0x4e, 0x47]));
 * assert.equal(nockBody("cafe au lait", {}).body, "cafe au lait");
 * assert.equal(nockBody({ a: null }, {}).body, '{"a":null}');
 * ```
 */
export function nockBody(value: unknown, headers: Fields): NockBody {
  if (value === undefined || value === "") return { headers, body: undefined };
  const lookup = headerLookup(textHeaders(headers));
  if (Array.isArray(value)) {
    const bytes = bytesOfChunks(value);
    const isGzip = bytes?.[0] === 0x1f && bytes[1] === 0x8b;
    if (bytes !== undefined && lookup.get("content-encoding") !== undefined) {
      return { headers, body: bytes };
    }
    if (bytes !== undefined && isGzip) {
      return { headers: { ...headers, "content-encoding": "gzip" }, body: bytes };
    }
  }
  if (typeof value !== "string") return { headers, body: JSON.stringify(value) };
  const contentType = contentTypeOf(lookup.get("content-type"));
  const bytes = HEX.test(value) && !isText(contentType) ? bytesOfHex(value) : undefined;
  if (bytes === undefined || isUtf8(bytes)) {
    // A text that is JSON itself can only be what was left of a JSON string.
    return { headers, body: isJson(value) ? JSON.stringify(value) : value };
  }
  const boundary = contentType === undefined ? boundaryOf(bytes) : undefined;
  if (boundary === undefined) return { headers, body: bytes };
  const isToken = /^[\w!#$%&'*+.^`|~-]+$/.test(boundary);
  const type = `multipart/form-data; boundary=${isToken ? boundary : JSON.stringify(boundary)}`;
  return { headers: { ...headers, "content-type": type }, body: bytes };
}

/**
 * The headers and the body of a response. Headers are an object since nock 14, before that a list of names and values in
 * turn; bodies are written as those of requests are.
 *
 * @param entry With `response` and `rawHeaders`; fixtures made by hand have `headers`.
 *
 * @example
 * ```ts
 * import { nockAnswer } from "./nock_body.ts";
 * import assert from "node:assert/strict";
 *
 * const rawHeaders = ["Content-Type", "application/json", "Content-Length", "4"];
 * const headers = { "Content-Type": "application/json", "Content-Length": "4" };
 * assert.deepEqual(nockAnswer({ response: "ab", rawHeaders }), { headers, body: '"ab"' });
 * assert.deepEqual(nockAnswer({ response: "" }), { headers: undefined, body: "" });
 * ```
 */
export function nockAnswer(
  entry: Fields,
): { readonly headers: Fields | undefined; readonly body: string | Uint8Array | undefined } {
  const headers = answerHeaders(entry["rawHeaders"] ?? entry["headers"]);
  const { response } = entry;
  if (response === undefined || response === "") return { headers, body: response };
  const own = headers ?? {};
  if (entry["responseIsBinary"] === true && typeof response === "string" && HEX.test(response)) {
    return { headers, body: bytesOfHex(response) };
  }
  if (typeof response === "string" && isQuoted(response, own)) {
    return { headers, body: JSON.stringify(response) };
  }
  const answer = nockBody(response, own);
  return { headers: answer.headers === own ? headers : answer.headers, body: answer.body };
}

function answerHeaders(raw: unknown): Fields | undefined {
  if (isFields(raw)) return raw;
  if (!Array.isArray(raw)) return undefined;
  const headers = new Map<string, string | string[]>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name, value] = [String(raw[index]), String(raw[index + 1])];
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(headers);
}

/** True if a text is what was left of a JSON string, which only its length tells from other text. */
function isQuoted(text: string, headers: Fields): boolean {
  const lookup = headerLookup(textHeaders(headers));
  const contentType = contentTypeOf(lookup.get("content-type"));
  if (contentType === undefined || kindOf(essenceOf(contentType)) !== "json") return false;
  const length = new TextEncoder().encode(JSON.stringify(text)).length;
  return lookup.get("content-length") === String(length);
}

function textHeaders(headers: Fields): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : []
  );
}

/** Text that happens to consist of hexadecimal digits is text. */
function isText(contentType: string | undefined): boolean {
  const kind = contentType === undefined ? undefined : kindOf(essenceOf(contentType));
  return kind === "text" || kind === "json" || kind === "form";
}

function bytesOfChunks(chunks: readonly unknown[]): Uint8Array | undefined {
  if (chunks.length === 0 || !chunks.every((chunk) => typeof chunk === "string")) return undefined;
  const hex = chunks.join("");
  return HEX.test(hex) ? bytesOfHex(hex) : undefined;
}

function bytesOfHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The boundary of bytes that begin as a form does and end with that boundary. */
function boundaryOf(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder("latin1").decode(bytes);
  const boundary = /^--([!-~]{1,70})\r\nContent-Disposition: form-data;/i.exec(text)?.[1];
  return boundary !== undefined && text.trimEnd().endsWith(`--${boundary}--`)
    ? boundary
    : undefined;
}
