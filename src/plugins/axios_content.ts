import { essenceOf, kindOf } from "../http/media_type.ts";
import { isSequence } from "../http/whole_records.ts";
import type { ReceivedContent } from "./exchange.ts";
import { headerPairs, headerValue } from "./header_pairs.ts";
import { observeBody } from "./observe_body.ts";
import { isEmitter } from "./observe_emitter.ts";
import { observeReadable, type ReadableLike } from "./observe_readable.ts";

/**
 * The content of a response as axios hands it to `transformResponse`: text or bytes, decompressed, or a stream that the
 * caller is going to read.
 *
 * @param limit Bytes that are kept; 0 for headers alone.
 */
export function axiosContent(data: unknown, headers: unknown, limit: number): ReceivedContent {
  const pairs = headerPairs(plainHeaders(headers));
  if (limit === 0) return { headers: pairs };
  if (isEmitter(data)) {
    const keepsPart = isSequence(headerValue(pairs, "content-type") ?? "");
    const body = observeReadable(data as ReadableLike, limit, keepsPart);
    return { headers: pairs, body, isDecoded: true };
  }
  // A stream of the web can be read once, by the caller.
  if (data instanceof ReadableStream) return { headers: pairs };
  if (typeof data !== "string" && !isBinary(data)) {
    // Parsed JSON says what its text said; nothing is known of other objects.
    const isJson = kindOf(essenceOf(headerValue(pairs, "content-type") ?? "")) === "json";
    const isEmpty = data === undefined || data === null;
    if (!isEmpty && !isJson) return { headers: pairs };
    const text = isEmpty ? "" : JSON.stringify(data);
    return { headers: pairs, body: observeBody(text, limit).observed };
  }
  return { headers: pairs, body: observeBody(data, limit).observed, isDecoded: true };
}

function isBinary(data: unknown): boolean {
  return ArrayBuffer.isView(data) || data instanceof ArrayBuffer || data instanceof Blob;
}

/** The headers of axios have methods beside their fields. */
function plainHeaders(headers: unknown): unknown {
  return typeof headers === "object" && headers !== null && "toJSON" in headers &&
      typeof headers.toJSON === "function"
    ? headers.toJSON()
    : headers;
}
