import { headerLookup } from "../../http/headers.ts";
import type { HttpRequest, HttpResponse, Interaction } from "../../http/interaction.ts";
import { mediaEssence, readContentType } from "../../http/media_type.ts";
import {
  type BodyBytes,
  type BodyEvidence,
  decompressBody,
  encodeText,
  restoreBytes,
} from "../decode/body_bytes.ts";
import type { Place } from "../formats/recording.ts";
import { decodeBase64 } from "../../http/body_text.ts";
import {
  asFields,
  asNumber,
  goSeconds,
  isFields,
  isoSeconds,
  readStatus,
} from "../decode/fields.ts";
import { readLength, type ReceivedBody, receivedResponse } from "../decode/received_body.ts";

/** Reads an entry of VCR in any language, vcrpy or Schemathesis, in all versions; undefined if it is unusable. */
export function readCassetteEntry(
  entry: unknown,
  place: Place,
  { isNullEmpty = false, onRequest }: {
    /** True if a body of null means an empty response (default: false, as it may mean that the body is unknown). */
    readonly isNullEmpty?: boolean;
    onRequest?(request: HttpRequest, headers: unknown): void;
  } = {},
): Interaction | undefined {
  if (!isFields(entry) || !isFields(entry["request"])) {
    return place.addProblem("an entry without a request is left out");
  }
  const { method, uri, url = uri, headers, body: sent, post_fields: form, post_files: files } =
    entry["request"];
  // php-vcr keeps the forms and files from which curl makes the body, but not the body.
  const request = cassetteRequest(
    { method, url, headers, body: sent ?? form ?? files },
    place.member("request"),
  );
  if (request === undefined) return undefined;
  onRequest?.(request, headers);
  const received = asFields(entry["response"]);
  const { status, code = status, body = received["content"] } = received;
  const response = cassetteResponse(
    {
      // R has the status in `status_code` of this object; go-vcr has `code` and, next to it, a text `status`.
      status: isFields(code)
        ? code["code"] ?? code["status_code"]
        : code ?? received["status_code"],
      // go-vcr writes zero if the duration is unknown.
      elapsed: received["elapsed"] ?? entry["elapsed"] ??
        (goSeconds(received["duration"]) || undefined),
      headers: received["headers"],
      body: isNullEmpty ? body : body ?? received["content"],
    },
    request.method,
    place.member("response"),
  );
  const timestamp = cassetteTime(entry["recorded_at"] ?? entry["timestamp"]);
  return { request, ...(response && { response }), ...(timestamp !== undefined && { timestamp }) };
}

const encoder = new TextEncoder();

/** Reads a recorded request. If its body is missing or damaged, the body counts as not recorded. */
export function cassetteRequest(
  request: Readonly<Record<"method" | "url" | "headers" | "body", unknown>>,
  place: Place,
): HttpRequest | undefined {
  // In old Ruby cassettes, methods are symbols: `:get`.
  const method = typeof request.method === "string"
    ? request.method.trim().replace(/^:/, "").toUpperCase()
    : "";
  if (method === "") return place.addProblem("an entry whose request has no method is left out");
  const url = typeof request.url === "string" ? request.url.trim() : "";
  if (url === "") return place.addProblem("an entry whose request has no URL is left out");
  const headers = cassetteHeaders(request.headers, place);
  const body = sentBody(method, cassetteBody(request.body), headers);
  if (body === "none") return { method, url, headers };
  if (body === "lost") {
    place.addProblem("the body of a request is missing or damaged and counts as not recorded");
    return { method, url, headers, body_truncated: true };
  }
  return {
    method,
    url,
    headers: body.isDecoded ? withoutHeader(headers, "content-encoding") : headers,
    body: body.bytes,
  };
}

function sentBody(
  method: string,
  body: CassetteBody,
  headers: HeaderRecord,
): BodyBytes | "none" | "lost" {
  if (body === "lost") return body;
  const lookup = headerLookup(headers);
  const evidence: BodyEvidence = {
    contentType: readContentType(lookup.get("content-type")) ?? "",
    contentEncoding: lookup.get("content-encoding"),
    length: readLength(lookup.get("content-length")),
  };
  if (body === "none") return wasSent(method, evidence) ? "lost" : "none";
  const { content } = body;
  if (typeof content !== "string") return decompressBody(content, evidence);
  if (evidence.contentEncoding !== undefined) return restoreBytes(content, evidence) ?? "lost";
  const bytes = encoder.encode(content);
  const { length } = evidence;
  // Filtered secrets also change the length, but don't contain replacement characters.
  if (content.includes("\ufffd") && length !== undefined && length !== bytes.length) return "lost";
  return { bytes, isDecoded: false };
}

function wasSent(method: string, { contentType, length }: BodyEvidence): boolean {
  if (length !== undefined) return length > 0;
  // A multipart body is never empty, as it ends with a boundary.
  return method !== "GET" && method !== "HEAD" &&
    mediaEssence(contentType).startsWith("multipart/");
}

function withoutHeader(headers: HeaderRecord, name: string): HeaderRecord {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key.toLowerCase() !== name));
}

type CassetteBody = { readonly content: string | Uint8Array } | "none" | "lost";

/** Reads a body in any form that cassettes have. `wanted` is the result for text that Ruby VCR converted. */
export function cassetteBody(value: unknown, wanted: "bytes" | "text" = "bytes"): CassetteBody {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "string") return { content: value };
  // YAML parses unquoted digits as a number.
  if (typeof value === "number" || typeof value === "boolean") return { content: String(value) };
  if (value instanceof Uint8Array) return value.length === 0 ? "none" : { content: value };
  if (!isFields(value)) return "lost";
  if (Array.isArray(value["state"])) return cassetteBody(value["state"][0], wanted);
  // Ruby writes strings of subclasses as objects with the text in `str`.
  if (Object.hasOwn(value, "str")) return cassetteBody(value["str"], wanted);
  const { raw_gzip: packed } = value;
  const base64 = packed ?? value["base64_string"] ?? value["$base64"];
  if (typeof base64 === "string") {
    const bytes = decodeBase64(base64);
    if (bytes === undefined) return "lost";
    // R compresses bodies that it keeps as bytes.
    const contentEncoding = packed === undefined ? undefined : "deflate";
    const content = decompressBody(bytes, { contentType: "", contentEncoding }).bytes;
    return content.length === 0 ? "none" : { content };
  }
  if (!Object.hasOwn(value, "string")) return "lost";
  const body = cassetteBody(value["string"], wanted);
  return wanted === "text" ? body : encodeInCharset(body, value["encoding"]);
}

/** Encodes text in its original charset (in Ruby also binary), which Ruby VCR writes next to the text in UTF-8. */
function encodeInCharset(body: CassetteBody, charset: unknown): CassetteBody {
  if (body === "none" || body === "lost" || typeof body.content !== "string") return body;
  if (
    typeof charset !== "string" || /^(?:utf-?8|us-ascii|ascii-8bit|binary|none)?$/i.test(charset)
  ) {
    return body;
  }
  return { content: encodeText(body.content, charset) ?? body.content };
}

type HeaderRecord = Readonly<Record<string, string | readonly string[]>>;

export function cassetteHeaders(value: unknown, place: Place): HeaderRecord {
  if (value === null || value === undefined) return {};
  if (!isFields(value)) {
    place.addProblem("headers that are not an object of names and values are ignored");
    return {};
  }
  const headers = Object.entries(value).flatMap(([name, field]) => {
    // HTTP/2 has method and URL among the headers.
    if (name.startsWith(":") || field === null || field === undefined) return [];
    const texts = (Array.isArray(field) ? field : [field]).map(headerText);
    if (texts.every((text) => text !== undefined)) {
      return [[name, texts.length === 1 ? texts[0] ?? "" : texts] as const];
    }
    place.addProblem("a header whose value is not text is ignored");
    return [];
  });
  return Object.fromEntries(headers);
}

function headerText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : undefined;
}

/** Reads a recorded response. Its body is undefined if none was recorded, and `""` or null if it was empty. */
export function cassetteResponse(
  response: {
    readonly status: unknown;
    readonly elapsed?: unknown;
    readonly headers?: unknown;
    readonly body?: unknown;
  },
  method: string,
  place: Place,
): HttpResponse | undefined {
  const status = readStatus(response.status, place);
  if (status === undefined) return undefined;
  const seconds = asNumber(response.elapsed) ?? -1;
  const { headers } = response;
  return receivedResponse({
    method,
    status,
    elapsed: seconds >= 0 ? seconds : undefined,
    headers: headers === undefined || headers === null
      ? undefined
      : cassetteHeaders(headers, place),
    body: readBody(response.body),
  }, place);
}

function readBody(value: unknown): ReceivedBody {
  if (value === undefined) return { kind: "unknown" };
  const body = cassetteBody(value, "text");
  if (body === "lost") return { kind: body };
  if (body === "none") return { kind: "text", text: "" };
  const { content } = body;
  return typeof content === "string"
    ? { kind: "text", text: content }
    : { kind: "bytes", bytes: content };
}

/** Converts a number, ISO 8601 time or HTTP date to seconds since 1970; undefined for anything else. */
export function cassetteTime(value: unknown): number | undefined {
  const number = asNumber(value);
  if (number !== undefined || typeof value !== "string") return number;
  const seconds = isoSeconds(value);
  if (seconds !== undefined) return seconds;
  // `Date.parse` accepts almost any text with a number, and assumes the local zone.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} .* GMT$/.test(value)) return undefined;
  const milliseconds = Date.parse(value);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}
