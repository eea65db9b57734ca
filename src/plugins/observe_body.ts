import { BodyBuffer, copyBytes, CUT, NO_BODY, type ObservedBody } from "./body_buffer.ts";
import { isEmitter } from "./observe_emitter.ts";
import { observeReadable } from "./observe_readable.ts";
import { observeIterable, observeStream, readStream } from "./observe_stream.ts";

/** A body that is sent, and what is going to be seen of it. */
export interface PassedBody {
  /** The body to send instead: mostly the same one, otherwise one that yields the same bytes. */
  readonly passed: unknown;
  /** The bytes that are observed. */
  readonly observed: ObservedBody;
}

/**
 * Watches a body of any kind that `fetch` takes, and the streams of Node.js: what can change later is copied now,
 * streams are seen while they are sent.
 *
 * @param limit Bytes that are kept.
 *
 * @example
 * ```ts
 * import { observeBody } from "./observe_body.ts";
 * import assert from "node:assert/strict";
 *
 * const { passed, observed } = observeBody(new URLSearchParams({ a: "1" }), 100);
 * assert.equal(String(passed), "a=1");
 * assert.deepEqual(observed.seen, { data: "a=1", isCut: false });
 * assert.equal(observed.contentType, "application/x-www-form-urlencoded;charset=UTF-8");
 * ```
 */
export function observeBody(body: unknown, limit: number): PassedBody {
  if (body === undefined || body === null) return { passed: body, observed: NO_BODY };
  if (body instanceof ReadableStream) {
    // The client is going to refuse it.
    if (isUsedStream(body)) return { passed: body, observed: { seen: CUT } };
    const buffer = new BodyBuffer(limit);
    return { passed: observeStream(body, buffer), observed: buffer.body() };
  }
  if (isEmitter(body)) return { passed: body, observed: observeReadable(body, limit) };
  if (isForm(body)) return { passed: body, observed: observeForm(body, limit) };
  if (isBlob(body)) return { passed: body, observed: observeBlob(body, limit) };
  const bytes = copyBytes(body);
  if (bytes !== undefined) return { passed: body, observed: data(bytes, limit, undefined) };
  if (body instanceof URLSearchParams) {
    return {
      passed: body,
      observed: data(body.toString(), limit, "application/x-www-form-urlencoded;charset=UTF-8"),
    };
  }
  if (typeof body === "object" && Symbol.asyncIterator in body) {
    const buffer = new BodyBuffer(limit);
    return {
      passed: observeIterable(body as AsyncIterable<unknown>, buffer),
      observed: buffer.body(),
    };
  }
  return { passed: body, observed: data(String(body), limit, "text/plain;charset=UTF-8") };
}

/** True if a value is a stream of the web that somebody reads, or began to: no client takes it any more. */
export function isUsedStream(stream: unknown): boolean {
  if (!(stream instanceof ReadableStream)) return false;
  if (stream.locked) return true;
  try {
    // Only what is made of a stream tells whether it was read from.
    return new Response(stream).bodyUsed;
  } catch {
    return true;
  }
}

function data(
  body: Uint8Array | string,
  limit: number,
  contentType: string | undefined,
): ObservedBody {
  return { seen: body.length > limit ? CUT : { data: body, isCut: false }, contentType };
}

/** The body of a request or response of one's own, read to its end or to the limit. */
export function observeOwn(owner: Response | Request, limit: number): ObservedBody {
  if (owner.body === null) return NO_BODY;
  const buffer = new BodyBuffer(limit);
  void readStream(owner.body, buffer);
  return buffer.body();
}

function isBlob(body: object | unknown): body is Blob {
  return typeof body === "object" && body !== null && "arrayBuffer" in body && "size" in body &&
    "stream" in body && typeof body.stream === "function";
}

function observeBlob(body: Blob, limit: number): ObservedBody {
  const contentType = body.type;
  if (body.size > limit) return { seen: CUT, contentType };
  const buffer = new BodyBuffer(limit);
  void readStream(body.stream(), buffer);
  const observed = buffer.body();
  return {
    get seen() {
      return observed.seen;
    },
    contentType,
  };
}

/** Also the forms of libraries, which are of no class of the platform. */
function isForm(body: unknown): body is FormData {
  return Object.prototype.toString.call(body) === "[object FormData]" &&
    typeof (body as FormData).append === "function" && Symbol.iterator in (body as FormData);
}

/** The bytes of a form are made while it is sent, with a boundary of their own; these have another, and say the same. */
function observeForm(form: FormData, limit: number): ObservedBody {
  let own = form;
  if (!(form instanceof FormData)) {
    own = new FormData();
    for (const [name, value] of form as Iterable<readonly [string, string | File]>) {
      if (typeof value === "string") own.append(name, value);
      else own.append(name, value, value.name);
    }
  }
  const copy = new Response(own);
  const contentType = copy.headers.get("content-type") ?? undefined;
  const observed = observeOwn(copy, limit);
  return {
    get seen() {
      return observed.seen;
    },
    contentType,
    isRebuilt: true,
  };
}
