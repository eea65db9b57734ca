import {
  type BodyBytes,
  type BodyEvidence,
  decodeHex,
  decompressBody,
  restoreBytes,
} from "../../decode/body_bytes.ts";
import { decodeBase64 } from "../../../http/body_text.ts";
import { asFields, type Fields, isFields, readStatus, type Writable } from "../../decode/fields.ts";
import { concatBytes } from "../../../values/collections.ts";
import { tryParseJson } from "../../../values/parse_json.ts";
import type { Attachments, Place } from "../recording.ts";
import { headerLookup } from "../../../http/headers.ts";
import { type HttpResponse, mayHaveBody } from "../../../http/interaction.ts";
import { type ReceivedBody, receivedResponse } from "../../decode/received_body.ts";
import { mediaEssence, parseMediaType } from "../../../http/media_type.ts";
import { type BytesPart, freeBoundary, multipartBytes } from "../../../http/write_multipart.ts";

/** Media types of attached files that are not read, as their content isn't measured. */
const OPAQUE = /^\s*(?:image|video|audio|font)\//i;

/** Reads the response of a HAR entry; undefined if none came, for which recorders write the status 0 or -1. */
export function readHarResponse(
  entry: Fields,
  method: string,
  place: Place,
  attachments: Attachments | undefined,
): HttpResponse | undefined {
  const response = entry["response"];
  if (!isFields(response)) return undefined;
  const status = readStatus(response["status"], place.member("response"));
  if (status === undefined) return undefined;
  const time = typeof entry["time"] === "string" ? parseFloat(entry["time"]) : entry["time"];
  const elapsed = typeof time === "number" && time >= 0 && time !== Infinity
    ? time / 1000
    : undefined;
  const fields = harHeaders(response["headers"]);
  // All responses have headers, so none means that they weren't recorded.
  const headers = fields.length === 0 ? undefined : fields;
  // Fast path for recordings without bodies, which are common.
  if (headers !== undefined && isLeftOut(response["content"]) && mayHaveBody(method, status)) {
    const known: Writable<HttpResponse> = { status_code: status, headers, body_truncated: true };
    if (elapsed !== undefined) known.elapsed = elapsed;
    return known;
  }
  const body = readBody(response, headers, status, attachments);
  return receivedResponse({ method, status, elapsed, headers, body }, place.member("response"));
}

function isLeftOut(content: unknown): boolean {
  if (!isFields(content)) return false;
  const { size, text, _file: file } = content;
  return typeof size === "number" && size > 0 && text === undefined && file === undefined;
}

/** The name of the file with a response's body; undefined if there is none, or it isn't read. */
export function responseFile(entry: unknown): string | undefined {
  const { _file: file, mimeType } = asFields(asFields(asFields(entry)["response"])["content"]);
  return typeof mimeType === "string" && OPAQUE.test(mimeType) ? undefined : textOrNone(file);
}

function readBody(
  response: Fields,
  headers: HarHeader[] | undefined,
  status: number,
  attachments: Attachments | undefined,
): ReceivedBody {
  const { content } = response;
  if (!isFields(content)) return { kind: "unknown" };
  const size = typeof content["size"] === "number" && content["size"] >= 0
    ? content["size"]
    : undefined;
  const file = textOrNone(content["_file"]);
  if (file !== undefined) {
    if (responseFile({ response }) === undefined) return { kind: "unknown", size };
    const bytes = attachments?.(file);
    if (bytes === undefined) return { kind: "lost" };
    return bytes.length === 0 && isUnknown(response, headers, status)
      ? { kind: "unknown", size }
      : { kind: "bytes", bytes };
  }
  const { text, encoding } = content;
  if (typeof text !== "string") return { kind: "unknown", size };
  if (text === "" && isUnknown(response, headers, status)) return { kind: "unknown", size };
  if (content["_isBinary"] === true) return pollyBody(text, decodeHex);
  if (encoding === "base64") {
    return text.startsWith("[") || text.startsWith("{")
      ? pollyBody(text, decodeBase64)
      : { kind: "base64", text };
  }
  return { kind: "text", text, size: uncompressedSize(size, headers) };
}

/**
 * Reads a compressed response of Polly.js: a list of chunks in base64, or in hexadecimal before version 6. If its
 * recordings were filtered for secrets, JSON may still be marked as one of these.
 */
function pollyBody(
  text: string,
  decode: (text: string) => Uint8Array | undefined,
): ReceivedBody {
  const json = tryParseJson(text);
  const list = Array.isArray(json) ? json : [text];
  const chunks = list.map((chunk) => typeof chunk === "string" ? decode(chunk) : undefined);
  if (chunks.every((chunk) => chunk !== undefined)) {
    return { kind: "bytes", bytes: concatBytes(chunks) };
  }
  return json === undefined ? { kind: "lost" } : { kind: "text", text };
}

function uncompressedSize(
  size: number | undefined,
  headers: HarHeader[] | undefined,
): number | undefined {
  const lookup = headerLookup(headers);
  const isCompressed = size !== undefined && size === Number(lookup.get("content-length")) &&
    lookup.get("content-encoding") !== undefined;
  return isCompressed ? undefined : size;
}

/** True if an empty text means that the body is unknown, as with redirects and bodies hidden by the browser. */
function isUnknown(response: Fields, headers: HarHeader[] | undefined, status: number): boolean {
  if (headers === undefined) return true;
  if (headerLookup(headers).get("content-length") !== undefined) return false;
  const { bodySize } = response;
  return (status >= 300 && status < 400) || (typeof bodySize === "number" && bodySize < -1);
}

export type HarHeader = [name: string, value: string];

/** Reads the headers of a message from a list or an object, without the pseudo-header fields of HTTP/2. */
export function harHeaders(value: unknown, onUnusable?: () => void): HarHeader[] {
  const headers: HarHeader[] = [];
  const list = headerList(value);
  if (!Array.isArray(list)) return headers;
  for (const header of list) {
    const { name, value: recorded } = asFields(header);
    const value = typeof recorded === "number" ? String(recorded) : recorded;
    if (typeof name === "string" && typeof value === "string") {
      if (name.charCodeAt(0) !== 58) headers.push([name, value]);
    } else if (Array.isArray(value)) {
      headers.push(...harHeaders(value.map((one: unknown) => ({ name, value: one })), onUnusable));
    } else onUnusable?.();
  }
  return headers;
}

function headerList(headers: unknown): unknown {
  if (!isFields(headers)) return headers;
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

/** The body of a request; `"lost"` if one was sent but isn't in the recording. */
export type HarBody = HarBytes | "none" | "lost";

interface HarBytes extends BodyBytes {
  readonly contentType?: string | undefined;
}

interface HarRequest {
  readonly method: string;
  readonly fields: Fields;
  readonly contentType: string;
  readonly contentEncoding: string | undefined;
  readonly contentLength: number | undefined;
  /** True if the body was chunked, so that no header has its length. */
  readonly isChunked: boolean;
}

/** Methods whose requests usually have a body, so that a Content-Type shows that one was sent. */
const WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "QUERY"]);

/** Media types that recorders write if the request had none. */
const PLACEHOLDERS = /^(?:|application\/octet-stream|x-unknown)$/i;

/** Reads the text, attached file or form of a request. The result is never an empty body if something was sent. */
export function readHarBody(
  request: HarRequest,
  place: Place,
  attachments?: Attachments,
): HarBody {
  const lost = (problem = "a body, or a part of it, is missing from the recording"): "lost" => {
    place.addProblem(`${problem}: it counts as not recorded`);
    return "lost";
  };
  const post = findPostData(request.fields);
  if (post === undefined) return wasSent(request) ? lost() : "none";
  const { text, params } = post;
  if (text !== undefined && text !== null && typeof text !== "string") {
    return lost("the `text` of a body is not a string");
  }
  const mimeType = typeof post["mimeType"] === "string" ? post["mimeType"] : "";
  const named = request.contentType === "" && !PLACEHOLDERS.test(mimeType) ? mimeType : undefined;
  const evidence: BodyEvidence = {
    contentType: named ?? request.contentType,
    contentEncoding: request.contentEncoding,
    length: request.contentLength,
  };
  const file = textOrNone(post["_file"]);
  if (file !== undefined) {
    const bytes = attachments?.(file);
    return bytes === undefined
      ? lost("the file that holds a body is missing")
      : withContentType(decompressBody(bytes, evidence), named);
  }
  if (text) {
    if (post["encoding"] === "base64") {
      const bytes = decodeBase64(text);
      return bytes === undefined
        ? lost("a body marked as base64 is not valid base64")
        : withContentType(decompressBody(bytes, evidence), named);
    }
    const body = readText(text, evidence, request);
    return body === undefined ? lost() : withContentType(body, named);
  }
  // ZAP writes a field without name and value where there was no body.
  if (Array.isArray(params) && params.some((param) => asFields(param)["name"] !== "")) {
    const length = request.contentLength ?? positive(request.fields["bodySize"]);
    const form = rebuildForm(params, evidence.contentType, length);
    return form === undefined ? lost() : {
      bytes: form.bytes,
      isDecoded: true,
      contentType: form.contentType ?? named,
    };
  }
  // Polly.js drops bodies that aren't strings.
  const isLeftOut = text === undefined && mimeType !== "" && WITH_BODY.has(request.method) &&
    request.contentLength === undefined;
  return isLeftOut || wasSent(request) ? lost() : "none";
}

export function requestFile(entry: unknown): string | undefined {
  return textOrNone(asFields(asFields(asFields(entry)["request"])["postData"])["_file"]);
}

/** Returns `postData`, which may be just text, or `_content`, in which HTTP Toolkit and others keep binary bodies. */
function findPostData(request: Fields): Fields | undefined {
  const { postData } = request;
  if (isFields(postData)) return postData;
  if (typeof postData === "string" && postData !== "") return { text: postData };
  return isFields(request["_content"]) ? request["_content"] : undefined;
}

function withContentType(body: BodyBytes, contentType: string | undefined): HarBody {
  return body.bytes.length === 0 ? "none" : { ...body, contentType };
}

function readText(
  text: string,
  evidence: BodyEvidence,
  request: HarRequest,
): BodyBytes | undefined {
  const size = positive(request.fields["bodySize"]);
  if (evidence.length !== undefined || size === undefined) return restoreBytes(text, evidence);
  // Some recorders count characters here, others bytes, so that the size can only prove base64.
  const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? decodeBase64(text) : undefined;
  return bytes?.length === size && size !== text.length
    ? decompressBody(bytes, evidence)
    : restoreBytes(text, evidence);
}

function wasSent(request: HarRequest): boolean {
  const { contentLength, fields, contentType } = request;
  const status = fields["_requestBodyStatus"];
  if (typeof status === "string" && status.startsWith("discarded")) return true;
  if (contentLength !== undefined) return contentLength > 0;
  const size = fields["bodySize"];
  if (request.isChunked || positive(size) !== undefined) return true;
  if (!WITH_BODY.has(request.method)) return false;
  // Only a form has a boundary. Playwright writes a size of 0 for uploads.
  if (/^\s*multipart\/.*boundary=/i.test(contentType)) return true;
  return contentType !== "" && size !== 0;
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

interface RebuiltForm {
  readonly bytes: Uint8Array;
  /** A Content-Type with the boundary, if the one of the request has none. */
  readonly contentType?: string;
}

const encoder = new TextEncoder();
const BOUNDARY = "covtool-form-boundary";

/** Builds the body of a form from `postData.params`. `length` is the number of bytes sent. */
export function rebuildForm(
  params: readonly unknown[],
  contentType: string,
  length: number | undefined,
): RebuiltForm | undefined {
  const fields = params.map((param) => isFields(param) ? readField(param) : undefined);
  if (!fields.every((field) => field !== undefined)) return undefined;
  switch (mediaEssence(contentType)) {
    case "application/x-www-form-urlencoded":
      return urlencoded(fields, length);
    case "multipart/form-data":
      return multipart(fields, contentType);
    default:
      return undefined;
  }
}

function readField(param: Fields): BytesPart | undefined {
  const { name, value } = param;
  const fileName = textOrNone(param["fileName"]);
  if (typeof name !== "string" || (fileName !== undefined && value === undefined)) return undefined;
  if (typeof value !== "string" && value !== undefined && value !== null) return undefined;
  const text = value ?? "";
  const bytes = param["encoding"] === "base64" ? decodeBase64(text) : encoder.encode(text);
  if (bytes === undefined) return undefined;
  const mediaType = textOrNone(param["contentType"])?.replaceAll(/[\r\n]+/g, " ");
  return { name, value: bytes, fileName, mediaType };
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Characters that clients don't escape, besides letters, digits, `-`, `.` and `_`: one text per kind of client. */
const PLAIN = ["*", "~", "*~", "", "!'()*~"] as const;

function urlencoded(
  fields: readonly BytesPart[],
  length: number | undefined,
): RebuiltForm | undefined {
  for (const space of ["+", "%20"]) {
    for (const plain of PLAIN) {
      const escape = (bytes: Uint8Array) => escapeBytes(bytes, plain, space);
      const pairs = fields.map(({ name, value }) =>
        `${escape(encoder.encode(name))}=${escape(value)}`
      );
      const text = pairs.join("&");
      if (length === undefined || text.length === length) return { bytes: encoder.encode(text) };
    }
  }
  // Some recorders don't unescape the values.
  const decoder = new TextDecoder();
  const asIs = fields.map(({ name, value }) => `${name}=${decoder.decode(value)}`).join("&");
  return asIs.length === length ? { bytes: encoder.encode(asIs) } : undefined;
}

function escapeBytes(bytes: Uint8Array, plain: string, space: string): string {
  let text = "";
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (/[\w.-]/.test(character) || plain.includes(character)) text += character;
    else if (byte === 0x20) text += space;
    else text += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
}

function multipart(fields: readonly BytesPart[], contentType: string): RebuiltForm {
  const known = parseMediaType(contentType).parameters.get("boundary");
  if (known !== undefined) return { bytes: multipartBytes(fields, known) };
  const boundary = freeBoundary(fields, (attempt) => BOUNDARY + "-".repeat(attempt));
  return {
    bytes: multipartBytes(fields, boundary),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}
