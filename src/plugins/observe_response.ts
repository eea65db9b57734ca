import {
  BodyBuffer,
  type CapturedBody,
  CUT_BODY,
  NO_BODY,
  type ObservedBody,
  observeLazily,
  readBody,
} from "./body_buffer.ts";
import type { ReceivedContent } from "./plugin_sink.ts";
import { headerPairs, headerValue, isEndless } from "../http/header_pairs.ts";
import { mediaEssence, mediaKind } from "../http/media_type.ts";
import { observeBody } from "./observe_body.ts";
import { hasMethods, isEmitter, observeReadable, type ReadableLike } from "./observe_emitter.ts";
import { observeOutgoing, type OutgoingLike } from "./observe_node_http.ts";

const READ_METHODS = ["text", "json", "arrayBuffer", "blob", "bytes", "formData"] as const;

type ReadMethod = (...args: unknown[]) => unknown;

/** Observes what a program reads from a `Response` and its clones. Reads nothing more, and nothing earlier. */
export function observeResponse(response: unknown, limit: number): ReceivedContent | undefined {
  if (!isResponse(response)) return undefined;
  const headers = headerPairs(response.headers);
  if (limit === 0) return { headers };
  const target = new BodyBuffer(limit, isEndless(headers));
  if (headerValue(headers, "content-length") === "0") target.end();
  else watchResponse(response, new SharedBody(target, limit), limit);
  return { headers, body: target.toObservedBody(), isDecoded: true };
}

/** Reads a clone of a `Response`, to be recorded now. If the body may be endless, only headers are recorded. */
export function readClone(response: unknown, limit: number): ReceivedContent | undefined {
  if (!isResponse(response)) return undefined;
  const headers = headerPairs(response.headers);
  if (limit === 0 || isEndless(headers) || response.bodyUsed) return { headers };
  const { body } = response.clone() as WatchedResponse;
  if (body !== null && !(body instanceof ReadableStream)) return { headers };
  return { headers, body: body === null ? NO_BODY : readBody(body, limit), isDecoded: true };
}

interface WatchedResponse {
  readonly headers: unknown;
  readonly body: unknown;
  readonly bodyUsed: boolean;
  clone(): unknown;
}

function isResponse(value: unknown): value is WatchedResponse {
  return Object.prototype.toString.call(value) === "[object Response]" &&
    typeof (value as WatchedResponse).clone === "function" &&
    !Object.hasOwn(value as object, "body");
}

/** The body that a response and its clones share. The first one that is read to its end counts. */
class SharedBody {
  readonly #target: BodyBuffer;
  readonly #limit: number;
  readonly #openBuffers = new Set<BodyBuffer>();

  constructor(target: BodyBuffer, limit: number) {
    this.#target = target;
    this.#limit = limit;
    target.onCut(() => {
      for (const buffer of [...this.#openBuffers]) buffer.cut();
    });
  }

  end(): void {
    this.#target.end();
  }

  openBuffer(): BodyBuffer {
    const buffer = new BodyBuffer(this.#limit, true);
    this.#target.start();
    this.#openBuffers.add(buffer);
    if (this.#target.isDone) buffer.cut();
    buffer.onCaptured((seen) => {
      this.#openBuffers.delete(buffer);
      if (!seen.isCut || this.#openBuffers.size === 0) this.#add(seen);
    });
    return buffer;
  }

  /** Adds the body of a Node.js stream, which was observed already. */
  addStream(body: ObservedBody): void {
    this.#target.start();
    body.onCaptured?.((seen) => this.#add(seen));
  }

  #add({ data, part, isCut }: CapturedBody): void {
    if (this.#target.isDone) return;
    const bytes = data ?? part;
    if (bytes !== undefined && bytes.length > 0) this.#target.add(bytes);
    if (isCut) this.#target.cut();
    else this.#target.end();
    for (const other of [...this.#openBuffers]) other.cut();
  }
}

function watchResponse(response: WatchedResponse, shared: SharedBody, limit: number): void {
  const prototype: unknown = Object.getPrototypeOf(response);
  const original = (name: string): unknown => Reflect.get(prototype as object, name, response);
  /** The stream that the program got as the body, or that its reads use. */
  let passedStream: ReadableStream<Uint8Array> | undefined;
  let isUsed = false;
  let isWatched = false;
  let isTeed = false;
  // After tee(), reads of the clone use up the original body too, so only the own branch counts.
  const isOver = (): boolean =>
    isUsed || (isTeed ? passedStream?.locked === true : original("bodyUsed") === true);
  const bodyStream = (): ReadableStream<Uint8Array> | undefined => {
    if (passedStream !== undefined) return passedStream;
    const body = original("body");
    if (body === null) shared.end();
    if (isEmitter(body) && !isWatched) {
      isWatched = true;
      shared.addStream(observeReadable(body as ReadableLike, limit));
    }
    // Something else reads the stream already.
    if (!(body instanceof ReadableStream) || body.locked) return undefined;
    return passedStream = observeLazily(body, () => shared.openBuffer());
  };
  defineProperty(response, "body", { get: () => bodyStream() ?? original("body") });
  defineProperty(response, "bodyUsed", { get: isOver });
  for (const name of READ_METHODS) {
    const read = original(name);
    if (typeof read !== "function") continue;
    defineProperty(response, name, {
      writable: true,
      value: (...args: unknown[]): unknown => {
        const stream = isOver() ? undefined : bodyStream();
        if (stream === undefined || stream.locked) return Reflect.apply(read, response, args);
        isUsed = true;
        const copy = new Response(stream, { headers: response.headers as Headers });
        return (copy[name] as ReadMethod).apply(copy, args);
      },
    });
  }
  defineProperty(response, "clone", {
    writable: true,
    value: (): unknown => {
      if (passedStream === undefined || isUsed) {
        const copy = Reflect.apply(original("clone") as ReadMethod, response, []);
        if (isResponse(copy)) watchResponse(copy, shared, limit);
        return copy;
      }
      // The stream was passed to the program, so the original clone() would fail.
      const [own, other] = passedStream.tee();
      passedStream = own;
      isTeed = true;
      return copyResponse(response as unknown as Response, other);
    },
  });
}

/** Copies a `Response` with another stream, which the original `clone()` can't do. */
function copyResponse(response: Response, body: ReadableStream): Response {
  const { status, statusText, headers, url, redirected, type } = response;
  const copy = new Response(body, { status, statusText, headers });
  for (const [name, value] of Object.entries({ url, redirected, type })) {
    defineProperty(copy, name, { value });
  }
  return copy;
}

function defineProperty(target: object, name: string, descriptor: PropertyDescriptor): void {
  // Not enumerable: other responses don't have these own properties.
  Object.defineProperty(target, name, { configurable: true, enumerable: false, ...descriptor });
}

/**
 * Observes a handler's response. Normally it is observed as its caller reads it. Servers of Node.js write it to a
 * `ServerResponse`, which is observed instead. The servers of Deno and Bun read it outside JavaScript, so a clone is
 * read: bodies in memory are not affected, and streams are read no further than the response is. Sequences without an
 * end are not read.
 */
export function observeHandlerResponse(
  response: unknown,
  server: unknown,
  limit: number,
): ReceivedContent | undefined {
  const outgoing = readField(server, "outgoing");
  const headers = readField(response, "headers");
  if (isEmitter(outgoing) && headers !== undefined) {
    return {
      headers: headerPairs(headers),
      body: observeOutgoing(outgoing as OutgoingLike, limit)?.body,
    };
  }
  const isNative = isDenoInfo(server) || typeof readField(server, "requestIP") === "function";
  const content = isNative ? readCopy(response, server, limit) : observeResponse(response, limit);
  // A handler that compresses a response sets the header itself, and has compressed the body already.
  return content && { ...content, isDecoded: false };
}

/** True for the second argument that `Deno.serve` passes to handlers. */
export function isDenoInfo(value: unknown): boolean {
  return readField(value, "remoteAddr") !== undefined &&
    readField(value, "completed") instanceof Promise;
}

function readCopy(response: unknown, server: unknown, limit: number): ReceivedContent | undefined {
  if (!(response instanceof Response)) return undefined;
  const headers = headerPairs(response.headers);
  if (limit === 0 || response.bodyUsed) return { headers };
  const length = Number(headerValue(headers, "content-length") ?? 0);
  if (response.status < 200 || length > limit || isEndless(headers)) {
    return { headers, body: CUT_BODY };
  }
  const copy = response.clone();
  const body = copy.body === null ? NO_BODY : readBody(copy.body, limit);
  // Once the client is gone, the rest is not needed.
  const completed = readField(server, "completed");
  if (completed instanceof Promise) completed.then(undefined, () => body.abandon?.("failed"));
  return { headers, body };
}

/** The content that a client hands over: decompressed data, parsed JSON, or a stream that the caller reads. */
export function handedContent(data: unknown, headers: unknown, limit: number): ReceivedContent {
  // The headers of axios are an object with methods as well as fields.
  const pairs = headerPairs(hasMethods(headers, "toJSON") ? headers.toJSON() : headers);
  if (limit === 0 || data === undefined) return { headers: pairs };
  if (isEmitter(data)) {
    const body = observeReadable(data as ReadableLike, limit, isEndless(pairs));
    return { headers: pairs, body, isDecoded: true };
  }
  // A web stream can be read only once, by the caller.
  if (data instanceof ReadableStream) return { headers: pairs };
  const isBinary = ArrayBuffer.isView(data) || data instanceof ArrayBuffer || data instanceof Blob;
  if (typeof data !== "string" && !isBinary) {
    // Parsed JSON can be serialized again. Other objects don't show what was received.
    const isJson = mediaKind(mediaEssence(headerValue(pairs, "content-type") ?? "")) === "json";
    if (data !== null && !isJson) return { headers: pairs };
    const text = data === null ? "" : JSON.stringify(data);
    return { headers: pairs, body: observeBody(text, limit).observed };
  }
  return { headers: pairs, body: observeBody(data, limit).observed, isDecoded: true };
}

export function readField(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
