import type { ProxiedRequest } from "./send_response.ts";
import type { Target } from "./target.ts";

/** Methods whose requests need no length without a body; other methods then need a length of 0. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

/** Returns the fields of a request as they are recorded. {@linkcode addForwardedHost} completes them for the server. */
export function buildRequestFields(
  request: ProxiedRequest,
  { fields: endToEndFields, length, hasTrailer }: EndToEndHead,
  hasBody: boolean,
  { hostField }: Target,
): string[] {
  let fields = endToEndFields;
  // Only chunked bodies can have trailers. The runtimes refuse to announce any for other bodies.
  if (hasTrailer && (!hasBody || length !== undefined)) fields = withoutFields(fields, "trailer");
  if (request.httpVersionMajor === 2) {
    fields = joinCookies(fields);
    const authority = fieldValue(request.rawHeaders, ":authority");
    // `:authority` takes precedence over `Host` (RFC 9113, section 8.3.1).
    if (authority !== undefined) fields = withField(fields, "Host", authority);
  }
  if (hostField !== undefined) fields = withField(fields, "Host", hostField);
  if (length === undefined) {
    if (hasBody) fields.push("Transfer-Encoding", "chunked");
    else if (!BODILESS.has(request.method ?? "GET")) fields.push("Content-Length", "0");
  }
  return fields;
}

export function addForwardedHost(
  fields: readonly string[],
  { rawHeaders }: Pick<ProxiedRequest, "rawHeaders">,
  { authority, hostField }: Target,
): readonly string[] {
  // Needed only if `Host` was replaced by the name of the server.
  if (hostField === authority || fieldValue(fields, "x-forwarded-host") !== undefined) {
    return fields;
  }
  const host = authority ?? fieldValue(rawHeaders, ":authority") ?? fieldValue(rawHeaders, "host");
  return host === undefined ? fields : [...fields, "X-Forwarded-Host", host];
}

/** Header fields as received: names and values alternately. */
export type RawHeaders = readonly string[];

/** Fields that apply to a single connection (RFC 9110, section 7.6.1), and fields that clients send to proxies. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"],
  ...["te", "transfer-encoding", "upgrade", "http2-settings"],
]);

/** Fields that apply to all recipients, so that `Connection` must not name them (RFC 9110, section 7.6.1). */
const NEVER_HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...["close", "keep-alive", "content-encoding", "content-length", "content-type", "expect"],
  "host",
]);

const CONTENT_LENGTH = "content-length";
const TRANSFER_ENCODING = "transfer-encoding";

export interface EndToEndHead {
  readonly fields: string[];
  readonly length: number | undefined;
  readonly isChunked: boolean;
  /** True if the sender waits for `100 Continue`. */
  readonly expectsContinue: boolean;
  readonly hasTrailer: boolean;
  /** True if no value contains a byte beyond ASCII. */
  readonly isAscii: boolean;
}

export function hasNonAscii(text: string): boolean {
  return /[\u0080-\uffff]/.test(text);
}

/** Returns the fields that a proxy passes on: all except those about the connection. `TE: trailers` stays. */
export function readEndToEnd(raw: RawHeaders): EndToEndHead {
  let connectionFields: Set<string> | undefined;
  let length: number | undefined;
  let isChunked = false;
  let expectsContinue = false;
  let acceptsTrailers = false;
  let hasTrailer = false;
  let isAscii = true;
  const names: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]?.toLowerCase() ?? "";
    const value = raw[index + 1] ?? "";
    names.push(name);
    if (isAscii && hasNonAscii(value)) isAscii = false;
    if (name === "connection") {
      for (const token of value.toLowerCase().split(",")) {
        const field = token.trim();
        if (field !== "" && !NEVER_HOP_BY_HOP.has(field)) {
          (connectionFields ??= new Set()).add(field);
        }
      }
    } else if (name === CONTENT_LENGTH) length = Number(value);
    else if (name === TRANSFER_ENCODING) isChunked = true;
    else if (name === "expect") expectsContinue = /^100-continue$/i.test(value);
    else if (name === "trailer") hasTrailer = true;
    else if (name === "te") acceptsTrailers ||= /\btrailers\b/i.test(value);
  }
  const fields: string[] = [];
  for (const [index, name] of names.entries()) {
    if (HOP_BY_HOP.has(name) || connectionFields?.has(name) || name.startsWith(":")) continue;
    const value = raw[2 * index + 1] ?? "";
    // Some servers read a length with a leading zero as octal.
    const unpadded = name === CONTENT_LENGTH ? value.replace(/^0+(?=\d)/, "") : value;
    fields.push(raw[2 * index] ?? "", unpadded);
  }
  if (acceptsTrailers) fields.push("TE", "trailers");
  return { fields, length, isChunked, expectsContinue, hasTrailer, isAscii };
}

/** Says why a Content-Length must not be passed on (RFC 9110, section 8.6), as the end of a sentence. */
export function lengthProblem(raw: RawHeaders): string | undefined {
  const length = fieldValue(raw, CONTENT_LENGTH);
  if (length === undefined) return undefined;
  if (!/^\d+$/.test(length)) return "is not a number of bytes";
  return Number.isSafeInteger(Number(length))
    ? undefined
    : "is too large to be counted exactly (2^53 bytes or more)";
}

function fieldValues(raw: RawHeaders, name: string): string[] {
  return fieldPairs(raw).flatMap(([field, value]) => field.toLowerCase() === name ? [value] : []);
}

export function isRepeated(raw: RawHeaders, name: string): boolean {
  return fieldValues(raw, name).length > 1;
}

/** True if a body has another transfer coding than `chunked`. An empty field doesn't count. */
export function hasOtherCoding(raw: RawHeaders): boolean {
  return !/^[\s,]*(?:chunked[\s,]*)?$/i.test(fieldValues(raw, TRANSFER_ENCODING).join());
}

/** Returns the value of the first field with this name, which must be in lower case. */
export function fieldValue(raw: RawHeaders, name: string): string | undefined {
  for (let index = 0; index < raw.length; index += 2) {
    const field = raw[index];
    if (field?.length === name.length && field.toLowerCase() === name) return raw[index + 1];
  }
  return undefined;
}

export function fieldPairs(fields: RawHeaders): (readonly [name: string, value: string])[] {
  const pairs: (readonly [string, string])[] = []; // flatMap() takes ten times as long
  for (let index = 0; index < fields.length; index += 2) {
    pairs.push([fields[index] ?? "", fields[index + 1] ?? ""]);
  }
  return pairs;
}

/** Sets a field to one value, in the place of its first occurrence, or in front if there is none. */
export function withField(fields: RawHeaders, name: string, value: string): string[] {
  const lower = name.toLowerCase();
  let isSet = false;
  const result = fieldPairs(fields).flatMap(([field, current]) => {
    if (field.toLowerCase() !== lower) return [field, current];
    if (isSet) return [];
    isSet = true;
    return [field, value];
  });
  return isSet ? result : [name, value, ...result];
}

export function withoutFields(fields: RawHeaders, ...names: readonly string[]): string[] {
  return fieldPairs(fields).filter(([field]) => !names.includes(field.toLowerCase())).flat();
}

/** Joins cookies. HTTP/2 may split them into several fields, HTTP/1.1 not (RFC 9113, section 8.2.3). */
export function joinCookies(fields: RawHeaders): string[] {
  const cookies = fieldPairs(fields).flatMap(([name, value]) => name === "cookie" ? [value] : []);
  return cookies.length < 2 ? [...fields] : withField(fields, "cookie", cookies.join("; "));
}

/** Returns fields by name, as for HTTP/2 and recordings. Repeated fields become lists. */
export function fieldRecord(
  fields: RawHeaders,
  spelling: "as_sent" | "lower_case",
): Record<string, string | string[]> {
  // No prototype: a field may be called __proto__.
  const record: Record<string, string | string[]> = Object.create(null);
  for (const [original, value] of fieldPairs(fields)) {
    const name = spelling === "as_sent" ? original : original.toLowerCase();
    const existing = record[name];
    if (existing === undefined) record[name] = value;
    else if (typeof existing === "string") record[name] = [existing, value];
    else existing.push(value);
  }
  return record;
}
