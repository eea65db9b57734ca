import type { HttpRequest, Interaction } from "../../../http/interaction.ts";
import { encodePercent } from "../../../http/percent.ts";
import { type Fields, isFields } from "../../decode/fields.ts";
import { type HarBody, readHarBody } from "./har_body.ts";
import { type HarHeader, harHeaders } from "./har_headers.ts";
import { readHarResponse } from "./har_response.ts";
import { isoSeconds } from "../../decode/iso_seconds.ts";
import type { Problems } from "../problems.ts";
import { readList, type Recording } from "../recording.ts";
import type { Attachments } from "../recording_format.ts";

/** Recognises HTTP Archives: an object `log` with a list `entries`. */
export function isHar(value: unknown): boolean {
  return isFields(value) && isFields(value["log"]) && Array.isArray(value["log"]["entries"]);
}

/**
 * Reads an HTTP Archive (HAR 1.2, and 1.3 with its encodings) as browsers, Playwright, mitmproxy, Polly.js and API
 * tools write it. Entries that are no HTTP requests (`data:`, `blob:`, `ws:` URLs, CONNECT) are left out and counted;
 * those that never got an answer stay, without a response.
 *
 * @param value For which {@linkcode isHar} holds.
 * @param location The name of the file in errors and warnings.
 * @param attachments Finds bodies that are files next to the archive (Playwright, `content: "attach"`).
 * @throws {RecordingError} if it has entries and none of them can be used.
 *
 * @example
 * ```ts
 * import { readHar } from "./har.ts";
 * import assert from "node:assert/strict";
 *
 * const entry = {
 *   startedDateTime: "2026-01-31T12:00:00.500Z",
 *   time: 12,
 *   request: { method: "get", url: "http://localhost/books?limit=1", headers: [] },
 *   response: { status: 200 },
 * };
 * assert.deepEqual(readHar({ log: { entries: [entry] } }, "shop.har").interactions, [{
 *   request: { method: "GET", url: "http://localhost/books?limit=1", headers: [] },
 *   response: { status_code: 200, elapsed: 0.012 },
 *   timestamp: 1769860800.5,
 * }]);
 * ```
 */
export function readHar(value: unknown, location: string, attachments?: Attachments): Recording {
  const { log } = value as { readonly log: { readonly entries: readonly unknown[] } };
  return readList(
    log.entries,
    "log.entries",
    location,
    (entry, place, problems) => readHarEntry(entry, place, problems, attachments),
  );
}

/**
 * Reads one entry of an HTTP Archive.
 *
 * @param place The place of the entry in problems.
 * @returns Undefined if it isn't an HTTP request; the reason is added to the problems.
 */
export function readHarEntry(
  entry: unknown,
  place: string,
  problems: Problems,
  attachments?: Attachments,
): Interaction | undefined {
  if (!isFields(entry) || !isFields(entry["request"])) {
    problems.add("an entry without an object `request` is left out", place);
    return undefined;
  }
  const request = readRequest(entry["request"], place, problems, attachments);
  if (request === undefined) return undefined;
  const response = readHarResponse(entry, request.method, place, problems, attachments);
  const timestamp = readTimestamp(entry["startedDateTime"], place, problems);
  return { request, ...(response && { response }), ...(timestamp !== undefined && { timestamp }) };
}

function readRequest(
  fields: Fields,
  place: string,
  problems: Problems,
  attachments: Attachments | undefined,
): HttpRequest | undefined {
  const { method: name } = fields;
  const url = typeof fields["url"] === "string" ? fields["url"].trim() : "";
  if (typeof name !== "string" || name.trim() === "") {
    problems.add("an entry whose request has no `method` is left out", place);
    return undefined;
  }
  if (url === "") {
    problems.add("an entry whose request has no `url` is left out", place);
    return undefined;
  }
  const method = name.trim().toUpperCase();
  if (method === "CONNECT") {
    problems.add("a CONNECT request, which opens a tunnel and nothing else, is left out", place);
    return undefined;
  }
  const scheme = foreignScheme(url);
  if (scheme !== undefined) {
    problems.add(`an entry with a \`${scheme}:\` URL is left out`, place);
    return undefined;
  }
  const headers = readHeaders(fields, place, problems);
  const length = valueOf(headers, "content-length");
  const body = readHarBody(
    {
      method,
      fields,
      contentType: valueOf(headers, "content-type") ?? "",
      contentEncoding: valueOf(headers, "content-encoding"),
      contentLength: length !== undefined && /^\s*\d+\s*$/.test(length)
        ? Number(length)
        : undefined,
      isChunked: /\bchunked\b/i.test(valueOf(headers, "transfer-encoding") ?? ""),
    },
    attachments,
  );
  const sent = {
    method,
    url: withQuery(withoutFragment(url), fields["queryString"]),
    headers: headersFor(headers, body),
  };
  switch (body.kind) {
    case "none":
      return sent;
    case "bytes":
      return { ...sent, body: body.bytes };
    case "not_recorded":
      problems.add(body.reason, place);
      return { ...sent, body_truncated: true };
  }
}

/** The scheme of a URL that is not asked for over HTTP; undefined for those that are, and for what isn't a URL. */
function foreignScheme(url: string): string | undefined {
  if (url.startsWith("http")) return undefined;
  // `localhost:8080` has a host where others have a scheme.
  const scheme = /^\s*([a-z][a-z0-9+.-]*):(?!\d+(?:\/|$))/i.exec(url)?.[1]?.toLowerCase();
  return scheme === "http" || scheme === "https" ? undefined : scheme;
}

function withoutFragment(url: string): string {
  const hash = url.indexOf("#");
  return hash === -1 ? url : url.slice(0, hash);
}

/** Insomnia keeps what it adds to a URL as the query beside it; all others have it in both places. */
function withQuery(url: string, query: unknown): string {
  if (url.includes("?") || !Array.isArray(query) || query.length === 0) return url;
  const pairs = query.flatMap((pair) => {
    const { name, value } = isFields(pair) ? pair : {};
    if (typeof name !== "string" || name === "") return [];
    return [`${escaped(name)}=${escaped(typeof value === "string" ? value : "")}`];
  });
  return pairs.length === 0 ? url : `${url}?${pairs.join("&")}`;
}

/** Escapes what is not escaped yet. */
function escaped(text: string): string {
  // Splitting by a group puts what it matched at the odd places.
  return text.split(/(%[\da-f]{2})/i)
    .map((part, index) => index % 2 === 0 ? encodePercent(part) : part).join("");
}

function readHeaders(fields: Fields, place: string, problems: Problems): HarHeader[] {
  const list = fields["headers"];
  const headers = harHeaders(
    list,
    () =>
      problems.add(
        "a header without a string `name` and `value` is ignored",
        `${place}.request.headers`,
      ),
  );
  if (!Array.isArray(list) && !isFields(list) && list !== undefined && list !== null) {
    problems.add("`headers` is not a list and is ignored", `${place}.request.headers`);
  }
  const cookie = cookieHeader(fields["cookies"]);
  if (cookie !== undefined && valueOf(headers, "cookie") === undefined) {
    headers.push(["Cookie", cookie]);
  }
  return headers;
}

/** Some recorders keep the cookies and not the header that carried them. */
function cookieHeader(cookies: unknown): string | undefined {
  if (!Array.isArray(cookies) || cookies.length === 0) return undefined;
  const pairs = cookies.flatMap((cookie) => {
    const { name, value } = isFields(cookie) ? cookie : {};
    return typeof name === "string" && typeof value === "string" ? [`${name}=${value}`] : [];
  });
  return pairs.length === 0 ? undefined : pairs.join("; ");
}

function valueOf(headers: readonly HarHeader[], wanted: string): string | undefined {
  for (const [name, value] of headers) {
    if (name.length === wanted.length && name.toLowerCase() === wanted) return value;
  }
  return undefined;
}

/** The headers that fit the body as it is handed on: encodings undone, forms with their boundary. */
function headersFor(headers: HarHeader[], body: HarBody): HarHeader[] {
  if (body.kind !== "bytes") return headers;
  const { isDecoded, contentType } = body;
  if (!isDecoded && contentType === undefined) return headers;
  const dropped = new Set<string>();
  if (isDecoded) dropped.add("content-encoding");
  if (contentType !== undefined) dropped.add("content-type");
  const kept = headers.filter(([name]) => !dropped.has(name.toLowerCase()));
  if (contentType !== undefined) kept.push(["Content-Type", contentType]);
  return kept;
}

function readTimestamp(value: unknown, place: string, problems: Problems): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const timestamp = typeof value === "string" ? isoSeconds(value) : epochSeconds(value);
  if (timestamp === undefined) {
    problems.add("`startedDateTime` is not a time and is ignored", `${place}.startedDateTime`);
  }
  return timestamp;
}

/** Numbers are milliseconds since 1970, or seconds, which are smaller by far. */
function epochSeconds(value: unknown): number | undefined {
  if (typeof value !== "number" || !(value > 0 && value < 1e14)) return undefined;
  return value > 1e11 ? value / 1000 : value;
}
