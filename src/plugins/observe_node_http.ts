import { BodyBuffer, NO_BODY, type ObservedBody } from "./body_buffer.ts";
import { type HeaderPairs, headerPairs, headerValue, isEndless } from "../http/header_pairs.ts";
import { observeBody } from "./observe_body.ts";
import {
  type EmitterLike,
  fillFromStream,
  hasMethods,
  observeEmitter,
  observeReadable,
  observeWrites,
  type ReadableLike,
  replaceMethod,
  type WritableLike,
} from "./observe_emitter.ts";
import type { PluginSink, ReceivedContent } from "./plugin_sink.ts";

/** The part of a server's `IncomingMessage` that covtool uses, for HTTP/1.1 and HTTP/2. */
export interface IncomingLike extends EmitterLike {
  /** The method. */
  readonly method?: string | undefined;
  /** The path and query, possibly shortened by routers. */
  readonly url?: string | undefined;
  /** Header fields, with names in lower case. */
  readonly headers: object;
  /** Names and values of all fields alternately. For some repeated fields, `headers` has only the first value. */
  readonly rawHeaders?: readonly string[] | undefined;
  /** The URL before routers shortened it (Connect, Express). */
  readonly originalUrl?: string | undefined;
  /** The connection. If it is encrypted, the URL has the scheme `https`. */
  readonly socket?: object | null | undefined;
  /** The major version of HTTP: 1 or 2. */
  readonly httpVersionMajor?: number | undefined;
  /** The encoding if chunks are text. */
  readonly readableEncoding?: string | null | undefined;
  /** The HTTP/2 stream, which shows whether a body follows. */
  readonly stream?: { readonly endAfterHeaders?: boolean | undefined } | undefined;
  /** The payload of a request that Fastify injects. */
  readonly _lightMyRequest?: { readonly payload?: unknown } | undefined;
}

/** Records a request to a Node.js server once its response was sent or its connection closed. */
export function observeIncoming(
  sink: PluginSink,
  plugin: string,
  request: IncomingLike,
  response: OutgoingLike,
): void {
  // Nested routers may call the middleware twice.
  if (!sink.claim(request)) return;
  const exchange = sink.begin(plugin);
  const { method = "GET", headers, rawHeaders = [] } = request;
  const sent = {
    method,
    url: incomingUrl(request),
    headers: headerPairs(rawHeaders.length > 0 ? rawHeaders : headers),
  };
  const readBody = observeIncomingBody(request, sent.headers, sink.bodyLimit);
  const content = sink.guard(plugin, () => observeOutgoing(response, sink.responseBodyLimit));
  observeEmitter(response, (event) => {
    if (event !== "finish" && event !== "close") return;
    sink.guard(plugin, () => {
      if (exchange.isFinished) return;
      // If a connection closes before its response is finished, there was no response, except in endless responses.
      const hasResponse = event === "finish" || isEndless(content?.headers ?? []);
      // Nothing more will be written now.
      content?.body?.abandon?.("failed");
      exchange.finish(
        { ...sent, body: readBody() },
        hasResponse ? response.statusCode : undefined,
        content,
      );
    });
  });
}

export function incomingUrl(request: IncomingLike): string {
  const headers = headerPairs(request.headers);
  const host = headerValue(headers, "host") ?? headerValue(headers, ":authority") ?? "localhost";
  const path = request.originalUrl ?? request.url ?? "/";
  const { encrypted } = (request.socket ?? {}) as { readonly encrypted?: unknown };
  return path.startsWith("/") ? `${encrypted === true ? "https" : "http"}://${host}${path}` : path;
}

/** The body of a request that Fastify injects, if it isn't a stream. */
export function injectedBody(request: IncomingLike, limit: number): ObservedBody | undefined {
  const payload = request._lightMyRequest?.payload;
  if (typeof payload !== "string" && !ArrayBuffer.isView(payload)) return undefined;
  const size = typeof payload === "string" ? payload.length : payload.byteLength;
  if (size === 0) return NO_BODY;
  // The media type is in the request's headers.
  return { ...observeBody(payload, limit).observed, contentType: undefined };
}

/** Observes what the server reads. Call the result once the response is sent: it returns what was read. */
function observeIncomingBody(
  request: IncomingLike,
  headers: HeaderPairs,
  limit: number,
): () => ObservedBody {
  const injected = injectedBody(request, limit);
  if (injected !== undefined) return () => injected;
  const buffer = new BodyBuffer(limit);
  fillFromStream(request, buffer);
  return () => {
    if (!hasRequestBody(request, headers)) return NO_BODY;
    // A body that the server did not read before it responded won't be read any more.
    buffer.cut();
    return buffer.toObservedBody();
  };
}

function hasRequestBody(request: IncomingLike, headers: HeaderPairs): boolean {
  if (request.stream !== undefined && (request.httpVersionMajor ?? 1) >= 2) {
    return request.stream.endAfterHeaders !== true;
  }
  // Fastify sets null if nothing is injected.
  const injected = request._lightMyRequest?.payload ?? undefined;
  return headerValue(headers, "transfer-encoding") !== undefined ||
    Number(headerValue(headers, "content-length") ?? 0) > 0 || injected !== undefined;
}

/** The part of a server's `ServerResponse` that covtool uses. */
export interface OutgoingLike extends EmitterLike {
  /** The status code. */
  readonly statusCode: number;
  /** Sends a chunk of the body. */
  write(...args: never[]): unknown;
  /** Ends the response, possibly with a last chunk. */
  end(...args: never[]): unknown;
  /** Returns the header fields set so far, with names in lower case. */
  getHeaders(): object;
  /** Sends the head, possibly with additional header fields. */
  writeHead(...args: never[]): unknown;
}

/** Observes the response of a Node.js server. Call it before anything is written. */
export function observeOutgoing(
  response: OutgoingLike,
  limit: number,
): ReceivedContent | undefined {
  let passed: unknown;
  const { writeHead } = response;
  // A test may substitute an object that lacks these methods.
  if (typeof writeHead !== "function" || typeof response.getHeaders !== "function") {
    return undefined;
  }
  replaceMethod(response, "writeHead", function (this: unknown, ...args: never[]): unknown {
    // writeHead(status, reason, headers), or without the reason.
    passed = args.find((argument) => typeof argument === "object") ?? passed;
    return Reflect.apply(writeHead, this, args);
  });
  const currentHeaders = (): HeaderPairs => {
    const set = headerPairs(response.getHeaders());
    const names = new Set(set.map(([name]) => name.toLowerCase()));
    // getHeaders() doesn't include fields that were passed to writeHead() as a list.
    return [...set, ...headerPairs(passed).filter(([name]) => !names.has(name.toLowerCase()))];
  };
  let buffer: BodyBuffer | undefined;
  const openBuffer = (): BodyBuffer =>
    buffer ??= new BodyBuffer(limit, isEndless(currentHeaders()));
  const hasBody = limit > 0;
  if (hasBody && typeof response.write === "function" && typeof response.end === "function") {
    observeWrites(response, openBuffer);
  }
  return {
    get headers() {
      return currentHeaders();
    },
    get body() {
      return hasBody ? openBuffer().toObservedBody() : undefined;
    },
  };
}

export interface ClientRequestLike extends EmitterLike, WritableLike {
  readonly method: string;
  readonly path: string;
  readonly protocol: string;
  readonly host?: string | undefined;
  getHeaders(): object;
}

export function isClientRequest(value: unknown): value is ClientRequestLike {
  return hasMethods(value, "getHeaders", "write", "end", "emit") && "path" in value;
}

export function clientRequestUrl(request: ClientRequestLike): string {
  const host = headerValue(headerPairs(request.getHeaders()), "host") ?? request.host ??
    "localhost";
  return /^[a-z]+:\/\//i.test(request.path)
    ? request.path
    : `${request.protocol}//${host}${request.path}`;
}

const RESPONSE_EVENTS: ReadonlySet<string> = new Set(["response", "upgrade", "connect"]);
const FAILURE_EVENTS: ReadonlySet<string> = new Set(["error", "close", "abort"]);

/** Records a Node.js request with the bytes as sent. Call it before the body is written. */
export function observeClientRequest(
  sink: PluginSink,
  plugin: string,
  request: ClientRequestLike,
): void {
  const exchange = sink.begin(plugin);
  const buffer = new BodyBuffer(sink.bodyLimit);
  buffer.start();
  observeWrites(request, () => buffer);
  const finish = (status: number | undefined, content?: ReceivedContent): void => {
    sink.guard(plugin, () => {
      const sent = {
        method: request.method,
        url: clientRequestUrl(request),
        headers: headerPairs(request.getHeaders()),
        body: buffer.toObservedBody(),
      };
      exchange.finish(sent, status, content);
    });
  };
  observeEmitter(request, (event, response) => {
    if (RESPONSE_EVENTS.has(event)) {
      const received = response as ClientResponseLike;
      const content = event === "response"
        ? sink.guard(plugin, () => observeClientResponse(received, sink))
        : undefined;
      finish(received.statusCode, content);
    } else if (FAILURE_EVENTS.has(event)) {
      finish(undefined);
      buffer.cut();
    }
  });
}

interface ClientResponseLike extends ReadableLike {
  readonly statusCode?: number;
  readonly rawHeaders?: readonly string[];
  readonly headers?: object;
}

/** Observes a Node.js response as its client reads it. The body is as received, possibly compressed. */
function observeClientResponse(response: ClientResponseLike, sink: PluginSink): ReceivedContent {
  const { rawHeaders = [] } = response;
  const headers = headerPairs(rawHeaders.length > 0 ? rawHeaders : response.headers);
  const limit = sink.responseBodyLimit;
  if (limit === 0) return { headers };
  return { headers, body: observeReadable(response, limit, isEndless(headers)) };
}
