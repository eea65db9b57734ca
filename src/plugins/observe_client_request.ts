import { BodyBuffer } from "./body_buffer.ts";
import { headerPairs, headerValue } from "./header_pairs.ts";
import { type EmitterLike, observeEmitter } from "./observe_emitter.ts";
import type { PluginSink } from "./plugin_sink.ts";

/** The used part of a `ClientRequest` of Node.js. */
export interface ClientRequestLike extends EmitterLike {
  readonly method: string;
  readonly path: string;
  readonly protocol: string;
  readonly host?: string | undefined;
  getHeaders(): object;
  write(...args: never[]): unknown;
  end(...args: never[]): unknown;
}

/** True if a value is a `ClientRequest` of Node.js, or behaves like one. */
export function isClientRequest(value: unknown): value is ClientRequestLike {
  return typeof value === "object" && value !== null && "getHeaders" in value &&
    "path" in value && "write" in value && "end" in value && "emit" in value &&
    typeof value.getHeaders === "function";
}

/** The full URL that a request of Node.js goes to. */
export function clientRequestUrl(request: ClientRequestLike): string {
  const host = headerValue(headerPairs(request.getHeaders()), "host") ?? request.host ??
    "localhost";
  return /^[a-z]+:\/\//i.test(request.path)
    ? request.path
    : `${request.protocol}//${host}${request.path}`;
}

/** The events that end an answer. */
const ANSWERS: ReadonlySet<string> = new Set(["response", "upgrade", "connect"]);
const FAILURES: ReadonlySet<string> = new Set(["error", "close", "abort"]);

/**
 * Records a request of Node.js with the bytes that go out, when its response begins or it fails. It has to be called
 * before the body is written.
 */
export function observeClientRequest(
  sink: PluginSink,
  plugin: string,
  request: ClientRequestLike,
): void {
  const exchange = sink.begin(plugin);
  const buffer = new BodyBuffer(sink.bodyLimit);
  observeWrites(request, buffer);
  const finish = (status: number | undefined): void => {
    sink.guard(plugin, () => {
      exchange.finish({
        method: request.method,
        url: clientRequestUrl(request),
        headers: headerPairs(request.getHeaders()),
        body: buffer.body(),
      }, status);
    });
  };
  observeEmitter(request, (event, response) => {
    if (ANSWERS.has(event)) finish((response as { readonly statusCode?: number }).statusCode);
    else if (FAILURES.has(event)) {
      finish(undefined);
      buffer.cut();
    }
  });
}

/** Sees what is written, without being asked anything that the writer is not. */
function observeWrites(request: ClientRequestLike, buffer: BodyBuffer): void {
  const { write, end } = request;
  let isEnding = false;
  const see = (chunk: unknown, encoding: unknown): void => {
    if (chunk !== undefined && chunk !== null && typeof chunk !== "function") {
      buffer.add(chunk, encoding);
    }
  };
  buffer.start();
  replace(request, "write", function (...args: never[]): unknown {
    // end() writes its last chunk with write() on some platforms.
    if (!isEnding) see(args[0], args[1]);
    return Reflect.apply(write, request, args);
  });
  replace(request, "end", function (...args: never[]): unknown {
    if (!isEnding) {
      isEnding = true;
      see(args[0], args[1]);
      buffer.end();
    }
    return Reflect.apply(end, request, args);
  });
}

function replace(
  target: ClientRequestLike,
  name: "write" | "end",
  value: (...args: never[]) => unknown,
): void {
  Object.defineProperty(target, name, {
    value,
    configurable: true,
    writable: true,
    enumerable: false,
  });
}
