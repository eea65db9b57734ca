import { isSequence } from "../http/whole_records.ts";
import { BodyBuffer } from "./body_buffer.ts";
import type { ReceivedContent } from "./exchange.ts";
import { headerPairs, headerValue } from "./header_pairs.ts";
import type { EmitterLike } from "./observe_emitter.ts";
import { observeWrites } from "./observe_writes.ts";

/** The used part of the `ServerResponse` of a server. */
export interface OutgoingLike extends EmitterLike {
  /** The status code. */
  readonly statusCode: number;
  /** Sends a chunk of the body. */
  write(...args: never[]): unknown;
  /** Ends the response, with a last chunk or without. */
  end(...args: never[]): unknown;
  /** Header fields as they are set, in lower case. */
  getHeaders(): object;
  /** Sends the head; may be given header fields that are set nowhere else. */
  writeHead(...args: never[]): unknown;
}

/**
 * Sees the response that a server of Node.js writes: its header fields and the bytes that go out, compressed ones where
 * a middleware compresses them. It has to be called before anything is written.
 *
 * @param limit Bytes that are kept; 0 for headers alone.
 * @returns What was seen; `headers` are complete when the response is finished. Undefined for what has no headers.
 */
export function observeOutgoing(
  response: OutgoingLike,
  limit: number,
): ReceivedContent | undefined {
  let given: unknown;
  const { writeHead } = response;
  // What a test puts in the place of a response may be less than one.
  if (typeof writeHead !== "function" || typeof response.getHeaders !== "function") {
    return undefined;
  }
  Object.defineProperty(response, "writeHead", {
    configurable: true,
    writable: true,
    enumerable: false,
    value: function (this: unknown, ...args: never[]): unknown {
      // writeHead(status, reason, headers), or without the reason.
      given = args.find((argument) => typeof argument === "object") ?? given;
      return Reflect.apply(writeHead, this, args);
    },
  });
  const headersNow = (): ReturnType<typeof headerPairs> => {
    const set = headerPairs(response.getHeaders());
    const names = new Set(set.map(([name]) => name.toLowerCase()));
    // Node.js keeps a list that it was given out of what it shows.
    return [...set, ...headerPairs(given).filter(([name]) => !names.has(name.toLowerCase()))];
  };
  if (limit === 0) {
    return {
      get headers() {
        return headersNow();
      },
    };
  }
  let buffer: BodyBuffer | undefined;
  const bufferNow = (): BodyBuffer =>
    buffer ??= new BodyBuffer(
      limit,
      isSequence(headerValue(headersNow(), "content-type") ?? ""),
    );
  if (typeof response.write === "function" && typeof response.end === "function") {
    observeWrites(response, bufferNow);
  }
  return {
    get headers() {
      return headersNow();
    },
    get body() {
      return bufferNow().body();
    },
  };
}
