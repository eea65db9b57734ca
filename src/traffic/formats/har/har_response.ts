import { headerLookup } from "../../../http/headers.ts";
import type { HttpResponse } from "../../../http/interaction.ts";
import { mayHaveBody } from "../../../http/may_have_body.ts";
import { type Fields, isFields } from "../../decode/fields.ts";
import type { WritableResponse } from "../../decode/lazy_bytes.ts";
import { readStatus } from "../../decode/read_status.ts";
import { type ReceivedBody, receivedResponse } from "../../decode/received_body.ts";
import type { Problems } from "../problems.ts";
import type { Attachments } from "../recording_format.ts";
import { type HarHeader, harHeaders } from "./har_headers.ts";

/** Media types of files beside an archive that are not opened: nothing is said of such bodies but that they came. */
const OPAQUE = /^\s*(?:image|video|audio|font)\//i;

/**
 * Reads the response of a HAR entry; undefined if none came, for which recorders write the status 0 or -1.
 *
 * @param method Of the request, in upper case.
 * @param place The place of the entry in problems.
 */
export function readHarResponse(
  entry: Fields,
  method: string,
  place: string,
  problems: Problems,
  attachments: Attachments | undefined,
): HttpResponse | undefined {
  const response = entry["response"];
  if (!isFields(response)) return undefined;
  const status = readStatus(response["status"], `${place}.response`, problems);
  if (status === undefined) return undefined;
  const time = typeof entry["time"] === "string" ? parseFloat(entry["time"]) : entry["time"];
  const elapsed = typeof time === "number" && time >= 0 && time !== Infinity
    ? time / 1000
    : undefined;
  const headers = responseHeaders(response);
  // Recordings without bodies are common, and nothing else is to be found out then.
  if (headers !== undefined && isLeftOut(response["content"]) && mayHaveBody(method, status)) {
    const known: WritableResponse = { status_code: status, headers, body_truncated: true };
    if (elapsed !== undefined) known.elapsed = elapsed;
    return known;
  }
  const body = bodyOf(response, headers, status, attachments);
  return receivedResponse(
    { method, status, elapsed, headers, body },
    (problem) => problems.add(problem, `${place}.response`),
  );
}

/** True if the recorder counted the bytes of a body, and kept none of them. */
function isLeftOut(content: unknown): boolean {
  if (!isFields(content)) return false;
  const { size, text, _file: file } = content;
  return typeof size === "number" && size > 0 && text === undefined && file === undefined;
}

/** The name of the file that holds the body of a response; undefined if none does, or one that isn't looked into. */
export function responseFile(entry: unknown): string | undefined {
  const response = isFields(entry) ? entry["response"] : undefined;
  const content = isFields(response) ? response["content"] : undefined;
  if (!isFields(content)) return undefined;
  const { _file: file, mimeType } = content;
  if (typeof file !== "string" || file === "") return undefined;
  return typeof mimeType === "string" && OPAQUE.test(mimeType) ? undefined : file;
}

/** Undefined where the recording has none: every response has some. */
function responseHeaders(response: Fields): HarHeader[] | undefined {
  const headers = harHeaders(response["headers"]);
  return headers.length === 0 ? undefined : headers;
}

function bodyOf(
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
  const file = content["_file"];
  if (typeof file === "string" && file !== "") {
    if (responseFile({ response }) === undefined) return { kind: "unknown", size };
    const bytes = attachments?.(file);
    if (bytes === undefined) return { kind: "lost" };
    return bytes.length === 0 && isUnseen(response, headers, status)
      ? { kind: "unknown", size }
      : { kind: "bytes", bytes };
  }
  const { text, encoding } = content;
  if (typeof text !== "string" || content["_isBinary"] === true) return { kind: "unknown", size };
  if (text === "" && isUnseen(response, headers, status)) return { kind: "unknown", size };
  if (encoding === "base64") return { kind: "base64", text };
  return { kind: "text", text, size: sizeOfText(size, headers) };
}

/** Some recorders write down the compressed size. */
function sizeOfText(
  size: number | undefined,
  headers: HarHeader[] | undefined,
): number | undefined {
  const length = size === undefined ? undefined : headerLookup(headers).get("content-length");
  return length !== undefined && Number(length) === size && isEncoded(headers) ? undefined : size;
}

function isEncoded(headers: HarHeader[] | undefined): boolean {
  return headerLookup(headers).get("content-encoding") !== undefined;
}

/**
 * True if an empty text says nothing: browsers don't see the bodies of redirects, nor those that a page may not read,
 * for which they have no headers, or work out sizes that can't be.
 */
function isUnseen(
  response: Fields,
  headers: HarHeader[] | undefined,
  status: number,
): boolean {
  if (headers === undefined) return true;
  if (headerLookup(headers).get("content-length") !== undefined) return false;
  const { bodySize } = response;
  return (status >= 300 && status < 400) || (typeof bodySize === "number" && bodySize < -1);
}
