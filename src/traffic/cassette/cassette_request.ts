import { headerLookup } from "../../http/headers.ts";
import type { HttpRequest } from "../../http/interaction.ts";
import { contentTypeOf, essenceOf } from "../../http/media_type.ts";
import {
  type BodyBytes,
  type BodyEvidence,
  bodyOfBytes,
  bytesOfText,
} from "../decode/body_bytes.ts";
import { type CassetteBody, cassetteBody } from "./cassette_body.ts";
import { cassetteHeaders, type HeaderRecord } from "./cassette_headers.ts";
import type { Problems } from "../formats/problems.ts";

/** A request as a recording has it, of which nothing is checked yet. */
export interface CassetteRequest {
  readonly method: unknown;
  readonly url: unknown;
  /** An object of names with a value or a list of values. */
  readonly headers: unknown;
  /** The body that {@linkcode cassetteBody} reads. */
  readonly body: unknown;
}

const encoder = new TextEncoder();

/**
 * Makes a request of what a recording has of it; undefined, and a problem, where it has no method or no URL.
 *
 * A body that was sent but is not there (a Content-Length, a multipart type), or whose bytes were replaced by U+FFFD,
 * is marked as not recorded. Content encodings are undone, and their header is dropped.
 *
 * @param place Where the request stands, for problems.
 */
export function cassetteRequest(
  request: CassetteRequest,
  place: string,
  problems: Problems,
): HttpRequest | undefined {
  const method = typeof request.method === "string" ? methodOf(request.method) : "";
  if (method === "") {
    problems.add("an entry whose request has no method is left out", place);
    return undefined;
  }
  const url = typeof request.url === "string" ? request.url.trim() : "";
  if (url === "") {
    problems.add("an entry whose request has no URL is left out", place);
    return undefined;
  }
  const headers = cassetteHeaders(request.headers, place, problems);
  const body = sentBody(method, cassetteBody(request.body), headers);
  if (body === "none") return { method, url, headers };
  if (body === "lost") {
    problems.add("the body of a request is missing or damaged and counts as not recorded", place);
    return { method, url, headers, body_truncated: true };
  }
  return {
    method,
    url,
    headers: body.isDecoded ? without(headers, "content-encoding") : headers,
    body: body.bytes,
  };
}

/** Old cassettes of Ruby have symbols: `:get`. */
function methodOf(text: string): string {
  return text.trim().replace(/^:/, "").toUpperCase();
}

function sentBody(
  method: string,
  body: CassetteBody,
  headers: HeaderRecord,
): BodyBytes | "none" | "lost" {
  if (body === "lost") return body;
  const lookup = headerLookup(headers);
  const evidence: BodyEvidence = {
    contentType: contentTypeOf(lookup.get("content-type")) ?? "",
    contentEncoding: lookup.get("content-encoding"),
    length: lengthOf(lookup.get("content-length")),
  };
  if (body === "none") return wasSent(method, evidence) ? "lost" : "none";
  const { content } = body;
  if (typeof content !== "string") return bodyOfBytes(content, evidence);
  if (evidence.contentEncoding !== undefined) return bytesOfText(content, evidence) ?? "lost";
  const bytes = encoder.encode(content);
  const { length } = evidence;
  // Secrets that were filtered out change the length too, but not to replacement characters.
  if (content.includes("\ufffd") && length !== undefined && length !== bytes.length) return "lost";
  return { bytes, isDecoded: false };
}

function wasSent(method: string, { contentType, length }: BodyEvidence): boolean {
  if (length !== undefined) return length > 0;
  // No multipart body is empty: its last boundary is always there.
  return method !== "GET" && method !== "HEAD" && essenceOf(contentType).startsWith("multipart/");
}

function lengthOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined;
}

function without(headers: HeaderRecord, name: string): HeaderRecord {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key.toLowerCase() !== name));
}
