import { isSequence } from "../http/whole_records.ts";
import { BodyBuffer } from "./body_buffer.ts";
import type { ReceivedContent } from "./exchange.ts";
import { headerPairs, headerValue } from "./header_pairs.ts";
import { isEmitter } from "./observe_emitter.ts";
import { observeOutgoing, type OutgoingLike } from "./observe_outgoing.ts";
import { observeResponse } from "./observe_response.ts";
import { readStream } from "./observe_stream.ts";

/**
 * Sees the response that a handler gives: as its caller reads it, or, where a server sends it by means of its own, in
 * other ways. Servers of Node.js write it into a `ServerResponse`; those of Deno and Bun read it beneath JavaScript, so
 * that a clone is read, which for a body that is there already changes nothing, and for a stream not more than when it
 * is read. Sequences without an end are left alone.
 *
 * @param server The second argument of the handler.
 * @param limit Bytes that are kept; 0 for headers alone.
 */
export function observeHandled(
  response: unknown,
  server: unknown,
  limit: number,
): ReceivedContent | undefined {
  const outgoing = fieldOf(server, "outgoing");
  if (isEmitter(outgoing) && isHeaded(response)) {
    return {
      headers: headerPairs(response.headers),
      body: observeOutgoing(outgoing as OutgoingLike, limit)?.body,
    };
  }
  const isNative = isDenoInfo(server) ||
    typeof fieldOf(server, "requestIP") === "function";
  const content = isNative ? cloned(response, server, limit) : observeResponse(response, limit);
  // Who compresses a response says so, and has done it.
  return content && { ...content, isDecoded: false };
}

/** True for what `Deno.serve` says of a request beside it. */
export function isDenoInfo(value: unknown): boolean {
  return fieldOf(value, "remoteAddr") !== undefined &&
    fieldOf(value, "completed") instanceof Promise;
}

function cloned(
  response: unknown,
  server: unknown,
  limit: number,
): ReceivedContent | undefined {
  if (!(response instanceof Response)) return undefined;
  const headers = headerPairs(response.headers);
  const buffer = new BodyBuffer(limit);
  const content = { headers, body: buffer.body() };
  if (limit === 0 || response.bodyUsed) return { headers };
  const length = Number(headerValue(headers, "content-length") ?? 0);
  if (response.status < 200 || length > limit) buffer.cut();
  else if (isSequence(headerValue(headers, "content-type") ?? "")) buffer.cut();
  else {
    const { body } = response.clone();
    if (body === null) buffer.end();
    else void readStream(body, buffer);
    // Once its client is gone, nobody wants the rest.
    const completed = fieldOf(server, "completed");
    if (completed instanceof Promise) completed.then(undefined, () => buffer.cut());
  }
  return content;
}

function isHeaded(response: unknown): response is { readonly headers: unknown } {
  return typeof response === "object" && response !== null && "headers" in response;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
