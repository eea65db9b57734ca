import { decodeBase64, utf8Text } from "../../http/body_text.ts";
import { headerLookup } from "../../http/headers.ts";
import { type HeadersLike, type HttpResponse, mayHaveBody } from "../../http/interaction.ts";
import { mediaEssence, mediaKind, readContentType } from "../../http/media_type.ts";
import {
  BINARY,
  type BodyEvidence,
  decompressBody,
  restoreBytes,
  setLazyBytes,
} from "./body_bytes.ts";
import type { Writable } from "./fields.ts";
import { isEncodedAs } from "../../http/encoding.ts";
import type { Place } from "../formats/recording.ts";

export type ReceivedBody =
  | {
    readonly kind: "text";
    /** Empty if the recording states that there was no body. */
    readonly text: string;
    /** The decompressed size of the body in bytes; undefined if the recording doesn't have it. */
    readonly size?: number | undefined;
  }
  | { readonly kind: "base64"; readonly text: string }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** There was a body, which can't be read. */
  | { readonly kind: "lost" }
  /** The recording has no body. Only a size shows whether there was one. */
  | { readonly kind: "unknown"; readonly size?: number | undefined };

/** A recorded response. Its headers must not be referred to from elsewhere. */
export interface ReceivedResponse {
  readonly method: string;
  readonly status: number;
  readonly elapsed?: number | undefined;
  readonly headers?: readonly (readonly [string, string])[] | HeaderRecord | undefined;
  readonly body: ReceivedBody;
}

type HeaderRecord = Readonly<Record<string, string | readonly string[]>>;

/** The length of the beginning that shows whether a text is binary. */
const SAMPLE_LENGTH = 64;
/** The length of the beginning in base64 by which an encoding is recognized. */
const HEAD_LENGTH = 8;

export function receivedResponse(received: ReceivedResponse, place: Place): HttpResponse {
  const { method, status, elapsed, headers, body } = received;
  const response: Writable<HttpResponse> = { status_code: status };
  if (headers !== undefined) response.headers = headers;
  if (mayHaveBody(method, status) && !addBody(response, body)) {
    response.body_truncated = true;
    if (body.kind !== "unknown") {
      const what = body.kind === "base64" ? "not valid base64" : "cut or damaged";
      place.addProblem(`the body of a response is ${what} and counts as not recorded`);
    }
  }
  if (elapsed !== undefined) response.elapsed = elapsed;
  return response;
}

function addBody(response: Writable<HttpResponse>, body: ReceivedBody): boolean {
  const lookup = headerLookup(response.headers);
  const encoding = lookup.get("content-encoding")?.trim().toLowerCase() ?? "";
  const isEncoded = encoding !== "" && encoding !== "identity";
  const evidence: BodyEvidence = {
    contentType: readContentType(lookup.get("content-type")) ?? "",
    contentEncoding: isEncoded ? encoding : undefined,
    length: readLength(lookup.get("content-length")),
  };
  switch (body.kind) {
    case "text":
      return addText(response, body.text, body.size, evidence);
    case "base64": {
      if (body.text === "") return isReallyEmpty(response, evidence);
      if (!isEncoded) return setLazyBytes(response, body.text);
      const beginning = decodeBase64(body.text.slice(0, HEAD_LENGTH));
      const isStill = beginning && isEncodedAs(beginning, encoding);
      if (isStill !== undefined) {
        if (!isStill) dropEncoding(response);
        return setLazyBytes(response, body.text);
      }
      const bytes = decodeBase64(body.text);
      if (bytes === undefined) return false;
      addEncoded(response, bytes, evidence);
      return true;
    }
    case "bytes": {
      const { bytes } = body;
      if (bytes.length === 0) return isReallyEmpty(response, evidence);
      const isStill = isEncoded ? isEncodedAs(bytes, encoding) : true;
      if (isStill === undefined) addEncoded(response, bytes, evidence);
      else {
        if (!isStill) dropEncoding(response);
        response.body = bytes;
      }
      return true;
    }
    case "lost":
      return false;
    case "unknown":
      if (evidence.length === 0) response.body = "";
      return (body.size ?? 0) === 0 && (evidence.length ?? 0) === 0;
  }
}

/** Adds a body with an encoding that only decompression can recognize. */
function addEncoded(
  response: Writable<HttpResponse>,
  bytes: Uint8Array,
  evidence: BodyEvidence,
): void {
  const content = decompressBody(bytes, evidence);
  if (content.isDecoded) dropEncoding(response);
  response.body = content.bytes;
}

function addText(
  response: Writable<HttpResponse>,
  text: string,
  size: number | undefined,
  evidence: BodyEvidence,
): boolean {
  const isEncoded = evidence.contentEncoding !== undefined;
  const length = size ?? (isEncoded ? undefined : evidence.length);
  if (text === "") return (length ?? 0) === 0 && isReallyEmpty(response, evidence);
  if (isEncoded && BINARY.test(text.slice(0, SAMPLE_LENGTH))) {
    // The text is the compressed bytes, one character each.
    const content = restoreBytes(text, evidence);
    if (content === undefined) return false;
    if (content.isDecoded) dropEncoding(response);
    response.body = content.bytes;
    return true;
  }
  if (isCut(text, length, evidence.contentType)) return false;
  response.body = (length === text.length ? mangledBytes(text, evidence.contentType) : undefined) ??
    text;
  return true;
}

function isReallyEmpty(response: Writable<HttpResponse>, { length }: BodyEvidence): boolean {
  if (length !== undefined && length > 0) return false;
  response.body = "";
  return true;
}

/** True if a text is too short and looks incomplete. Replaced secrets and line breaks also make texts shorter. */
function isCut(text: string, length: number | undefined, contentType: string): boolean {
  if (length === undefined || text.length >= length || isClosed(text)) return false;
  // In other charsets, the number of bytes per character is unknown.
  if (/charset\s*=\s*(?!"?utf-?8\b)/i.test(contentType)) return length > 4 * text.length;
  return new TextEncoder().encode(text).length < length &&
    (/^\s*[[{]/.test(text) || text.includes("\ufffd") || length > 2 * text.length);
}

function isClosed(text: string): boolean {
  const first = /\S/.exec(text)?.[0];
  const last = text.at(-1)?.trim() === "" ? text.trimEnd().at(-1) : text.at(-1);
  return (first === "{" && last === "}") || (first === "[" && last === "]");
}

/** Restores UTF-8 whose bytes a recorder wrote as one character each; undefined if the text is right. */
function mangledBytes(text: string, contentType: string): Uint8Array | undefined {
  if (!/[\x80-\xff]/.test(text) || /charset/i.test(contentType)) return undefined;
  const kind = mediaKind(mediaEssence(contentType));
  if (kind !== "json" && kind !== "text" && kind !== "xml") return undefined;
  const content = restoreBytes(text, { contentType, length: text.length });
  return content && utf8Text(content.bytes) !== undefined ? content.bytes : undefined;
}

function dropEncoding(response: Writable<HttpResponse>): void {
  const { headers } = response;
  if (headers === undefined) return;
  const isKept = ([name]: readonly [string, unknown]): boolean =>
    name.toLowerCase() !== "content-encoding";
  response.headers = Array.isArray(headers)
    ? (headers as readonly (readonly [string, string])[]).filter(isKept)
    : Object.fromEntries(Object.entries(headers as HeaderRecord).filter(isKept)) as HeadersLike;
}

export function readLength(header: string | undefined): number | undefined {
  return header !== undefined && /^\s*\d+\s*$/.test(header) ? Number(header) : undefined;
}
