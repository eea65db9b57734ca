import { BodyBuffer } from "./body_buffer.ts";
import type { ReceivedContent } from "./exchange.ts";
import { headerPairs, headerValue, isEndless } from "./header_pairs.ts";
import {
  type EmitterLike,
  hasMethods,
  observeEmitter,
  observeReadable,
  observeWrites,
  type ReadableLike,
  type WritableLike,
} from "./observe_emitter.ts";
import type { PluginSink } from "./plugin_sink.ts";

export interface ClientRequestLike extends EmitterLike, WritableLike {
  readonly method: string;
  readonly path: string;
  readonly protocol: string;
  readonly host?: string | undefined;
  getHeaders(): object;
}

/** True if a value is a `ClientRequest` of Node.js, or behaves like one. */
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

/** The events that end an answer. */
const ANSWERS: ReadonlySet<string> = new Set(["response", "upgrade", "connect"]);
const FAILURES: ReadonlySet<string> = new Set(["error", "close", "abort"]);

/** Records a request of Node.js with the bytes that go out; called before the body is written. */
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
        body: buffer.body(),
      };
      exchange.finish(sent, status, content);
    });
  };
  observeEmitter(request, (event, response) => {
    if (ANSWERS.has(event)) {
      const { statusCode } = response as AnswerLike;
      const content = sink.guard(
        plugin,
        () => event === "response" ? observeAnswer(response as AnswerLike, sink) : undefined,
      );
      finish(statusCode, content);
    } else if (FAILURES.has(event)) {
      finish(undefined);
      buffer.cut();
    }
  });
}

/** The used part of the `IncomingMessage` that answers a request. */
interface AnswerLike extends ReadableLike {
  readonly statusCode?: number;
  readonly rawHeaders?: readonly string[];
  readonly headers?: object;
}

/** Sees a response of Node.js as whoever asked for it reads it; its body is as it came, compressed or not. */
function observeAnswer(response: AnswerLike, sink: PluginSink): ReceivedContent {
  const { rawHeaders = [] } = response;
  const headers = headerPairs(rawHeaders.length > 0 ? rawHeaders : response.headers);
  const limit = sink.responseBodyLimit;
  if (limit === 0) return { headers };
  return { headers, body: observeReadable(response, limit, isEndless(headers)) };
}
