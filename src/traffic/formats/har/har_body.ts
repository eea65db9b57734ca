import {
  type BodyBytes,
  type BodyEvidence,
  bodyOfBytes,
  bytesOfText,
} from "../../decode/body_bytes.ts";
import { decodeBase64 } from "../../decode/decode_base64.ts";
import { type Fields, isFields } from "../../decode/fields.ts";
import { rebuildForm } from "../../decode/rebuild_form.ts";
import type { Attachments } from "../recording_format.ts";

/** The body of a HAR entry: none, one that is not in the recording, or its bytes. */
export type HarBody =
  | { readonly kind: "none" }
  | {
    readonly kind: "not_recorded";
    /** The problem, as the beginning of a sentence. */
    readonly reason: string;
  }
  | {
    readonly kind: "bytes";
    readonly bytes: Uint8Array;
    /** True if the Content-Encoding is undone. */
    readonly isDecoded: boolean;
    /** The Content-Type to put in place of the recorded one. */
    readonly contentType?: string | undefined;
  };

/** The request of a HAR entry and what its headers say of the body. */
export interface HarRequest {
  readonly method: string;
  readonly fields: Fields;
  /** The Content-Type header; empty if there is none. */
  readonly contentType: string;
  /** The Content-Encoding header. */
  readonly contentEncoding: string | undefined;
  /** The Content-Length header. */
  readonly contentLength: number | undefined;
  /** True if the body came in chunks, whose number of bytes no header tells. */
  readonly isChunked: boolean;
}

const NONE: HarBody = { kind: "none" };
const LOST: HarBody = notRecorded("a body, or a part of it, is missing from the recording");

/** Methods whose requests have a body as a rule, so that a Content-Type without one isn't an accident. */
const WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "QUERY"]);

/** Media types that recorders write where the request named none. */
const PLACEHOLDERS = /^(?:|application\/octet-stream|x-unknown)$/i;

/**
 * Finds the body that a HAR entry sent: its text or attached file, else the fields of its form. Where something was
 * sent of which the recording has nothing, that is the answer: never an empty body.
 */
export function readHarBody(request: HarRequest, attachments?: Attachments): HarBody {
  const post = postDataOf(request.fields);
  if (post === undefined) return wasSent(request) ? LOST : NONE;
  const { text, params } = post;
  if (text !== undefined && text !== null && typeof text !== "string") {
    return notRecorded("the `text` of a body is not a string");
  }
  const mimeType = typeof post["mimeType"] === "string" ? post["mimeType"] : "";
  const named = request.contentType === "" && !PLACEHOLDERS.test(mimeType) ? mimeType : undefined;
  const evidence: BodyEvidence = {
    contentType: named ?? request.contentType,
    contentEncoding: request.contentEncoding,
    length: request.contentLength,
  };
  const file = post["_file"];
  if (typeof file === "string" && file !== "") {
    const bytes = attachments?.(file);
    return bytes === undefined
      ? notRecorded("the file that holds a body is missing")
      : bodyWith(bodyOfBytes(bytes, evidence), named);
  }
  if (text) {
    if (post["encoding"] === "base64") {
      const bytes = decodeBase64(text);
      return bytes === undefined
        ? notRecorded("a body marked as base64 is not valid base64")
        : bodyWith(bodyOfBytes(bytes, evidence), named);
    }
    const body = readText(text, evidence, request);
    return body === undefined ? LOST : bodyWith(body, named);
  }
  if (Array.isArray(params) && params.length > 0) {
    const length = request.contentLength ?? positive(request.fields["bodySize"]);
    const form = rebuildForm(params, evidence.contentType, length);
    return form === undefined ? LOST : {
      kind: "bytes",
      bytes: form.bytes,
      isDecoded: true,
      contentType: form.contentType ?? named,
    };
  }
  // Polly.js leaves the text of a body out that isn't a string.
  const isLeftOut = text === undefined && mimeType !== "" && WITH_BODY.has(request.method) &&
    request.contentLength === undefined;
  return isLeftOut || wasSent(request) ? LOST : NONE;
}

/** The name of the file that holds the body of a request; undefined if none does. */
export function requestFile(entry: unknown): string | undefined {
  const request = isFields(entry) ? entry["request"] : undefined;
  const post = isFields(request) ? request["postData"] : undefined;
  const file = isFields(post) ? post["_file"] : undefined;
  return typeof file === "string" && file !== "" ? file : undefined;
}

function notRecorded(problem: string): HarBody {
  return { kind: "not_recorded", reason: `${problem}: it counts as not recorded` };
}

/** `postData`, which may be the text alone, or what HTTP Toolkit and its kin write for bodies that aren't text. */
function postDataOf(request: Fields): Fields | undefined {
  const { postData } = request;
  if (isFields(postData)) return postData;
  if (typeof postData === "string" && postData !== "") return { text: postData };
  return isFields(request["_content"]) ? request["_content"] : undefined;
}

function bodyWith(body: BodyBytes, contentType: string | undefined): HarBody {
  return body.bytes.length === 0 ? NONE : { kind: "bytes", ...body, contentType };
}

function readText(
  text: string,
  evidence: BodyEvidence,
  request: HarRequest,
): BodyBytes | undefined {
  const size = positive(request.fields["bodySize"]);
  if (evidence.length !== undefined || size === undefined) return bytesOfText(text, evidence);
  // Some recorders count characters here and some bytes, so that it proves base64 and nothing else.
  const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? decodeBase64(text) : undefined;
  return bytes?.length === size && size !== text.length
    ? bodyOfBytes(bytes, evidence)
    : bytesOfText(text, evidence);
}

/** True if a request without a recorded body had one all the same. */
function wasSent(request: HarRequest): boolean {
  const { contentLength, fields, contentType } = request;
  const status = fields["_requestBodyStatus"];
  if (typeof status === "string" && status.startsWith("discarded")) return true;
  if (contentLength !== undefined) return contentLength > 0;
  const size = fields["bodySize"];
  if (request.isChunked || positive(size) !== undefined) return true;
  if (!WITH_BODY.has(request.method)) return false;
  // Nothing but a form gives a request a boundary; Playwright says of uploads that they have no bytes.
  if (/^\s*multipart\/.*boundary=/i.test(contentType)) return true;
  return contentType !== "" && size !== 0;
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}
