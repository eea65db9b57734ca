import { CUT_BODY, NO_BODY, type ObservedBody, readBody } from "./body_buffer.ts";
import { ClientPlugin, type RecordedCall } from "./client_plugin.ts";
import { headerPairs } from "../http/header_pairs.ts";
import {
  isDenoInfo,
  observeHandlerResponse,
  observeResponse,
  readClone,
  readField,
} from "./observe_response.ts";
import type { PluginSink, SentRequest } from "./plugin_sink.ts";
import { isUsedStream, observeBody } from "./observe_body.ts";
import { hasMethods } from "./observe_emitter.ts";

/** The part of a `Response` that covtool uses. */
export interface ResponseLike {
  /** The status code; 0 if the platform hides it. */
  readonly status: number;
}

/** Stops the tracking of the global `fetch`. */
export interface TrackedGlobal extends Disposable {
  /** Restores the original `fetch`. */
  restore(): void;
}

/** A hook that takes a request and its response. */
export type FetchHook = (
  request: RequestLike,
  response?: ResponseLike,
  timestamp?: number,
  elapsed?: number,
) => void;

type Fetch = typeof globalThis.fetch;

/** Replacements of the global `fetch` that were ended while others called them, each with what it replaced. */
const ended = new WeakMap<Fetch, Fetch>();

/** Returns what a function calls in the end, or itself if it isn't an ended replacement. */
function withoutEnded(fetch: Fetch): Fetch {
  const below = ended.get(fetch);
  return below === undefined ? fetch : withoutEnded(below);
}

/** Records requests that were sent with `fetch` one by one, by calls of `record()`. */
export class FetchRecorder extends ClientPlugin<RequestLike | string | URL, ResponseLike> {
  /** Reads a request and its response, and clones their bodies. */
  protected override read(
    request: RequestLike | string | URL,
    response: ResponseLike | undefined,
  ): RecordedCall {
    return {
      sent: isRequest(request)
        ? {
          method: request.method,
          url: request.url,
          headers: headerPairs(request.headers),
          body: observeRequest(request, this.sink.bodyLimit),
        }
        : { method: "GET", url: String(request), headers: [], body: NO_BODY },
      status: responseStatus(response),
      content: readClone(response, this.sink.responseBodyLimit),
    };
  }

  /** Returns a function that behaves like the given one and records its calls. */
  protected track<F extends (...args: never[]) => unknown>(target: F): F {
    if (this.sink.isTracked(target)) return target;
    const isHandler = this.client === "handler";
    const tracked = new Proxy(target, {
      apply: (target, self, args: readonly unknown[]) =>
        callTracked(this.sink, this.client, target, self, args),
      // Deno passes connection information only to handlers that declare a second parameter.
      get: (target, name) =>
        isHandler && name === "length" ? Math.max(2, target.length) : Reflect.get(target, name),
    });
    this.sink.setTracked(tracked);
    return tracked;
  }
}

/**
 * Records requests of `fetch`: the platform's, or any function with the same parameters.
 *
 * @example
 * ```ts
 * import { CoverageMap } from "../coverage_map/coverage_map.ts";
 * import assert from "node:assert/strict";
 *
 * const map = CoverageMap.fromDict({
 *   openapi: "3.1.0",
 *   info: { title: "Shop", version: "1" },
 *   paths: { "/books": { get: { responses: { 200: { description: "Books" } } } } },
 * });
 * const client = map.fetch.trackClient((_url: string) => Promise.resolve(Response.json([])));
 * assert.deepEqual(await (await client("http://localhost/books")).json(), []);
 * assert.deepEqual(map.statistic().responses, { seen: 1, total: 1 });
 * ```
 */
export class FetchPlugin extends FetchRecorder {
  /**
   * Returns a function that behaves like the given one and records its calls. The given one is not changed. Redirects
   * that `fetch` follows can't be seen: the first request counts without a response; the last one counts only if its
   * method is known (GET and HEAD). `elapsed` ends with the head of the response.
   */
  trackClient<F extends (...args: never[]) => unknown>(client: F): F {
    return this.track(client);
  }

  /** Tracks `globalThis.fetch` until it is restored, or the result goes out of scope of `using`. */
  trackGlobal(): TrackedGlobal {
    const original = withoutEnded(globalThis.fetch);
    const send = this.trackClient(original);
    if (send !== original) {
      globalThis.fetch = new Proxy(send, {
        apply: (_target, self, args) => Reflect.apply(ended.get(tracked) ?? send, self, args),
      });
      this.sink.setTracked(globalThis.fetch);
    }
    const tracked = globalThis.fetch;
    const restore = (): void => {
      // Another replacement that was made since stays, and may call this one.
      if (tracked !== original) ended.set(tracked, original);
      if (globalThis.fetch === tracked) globalThis.fetch = withoutEnded(tracked);
    };
    return { restore, [Symbol.dispose]: restore };
  }

  /**
   * Returns a hook for clients that pass on a request and its response. If the request's body was already read, it
   * counts as not recorded: pass a clone. The response's body is cloned.
   */
  responseHook(): FetchHook {
    return (request, response, timestamp, elapsed) =>
      void this.record(request, response, timestamp, elapsed);
  }
}

/**
 * Records requests to a handler that takes a `Request` and returns a `Response`: `app.fetch` and `app.request` of Hono,
 * `app.fetch` of H3, handlers for `Deno.serve`.
 *
 * @example
 * ```ts
 * import { CoverageMap } from "../coverage_map/coverage_map.ts";
 * import assert from "node:assert/strict";
 *
 * const map = CoverageMap.fromDict({
 *   openapi: "3.1.0",
 *   info: { title: "Shop", version: "1" },
 *   paths: { "/books": { get: { responses: { 200: { description: "Books" } } } } },
 * });
 * const handler = map.handler.trackClient((_request: Request) => Response.json([]));
 * assert.equal(handler(new Request("http://localhost/books")).status, 200);
 * assert.deepEqual(map.statistic().responses, { seen: 1, total: 1 });
 * ```
 */
export class HandlerPlugin extends FetchRecorder {
  /** Returns a handler that behaves like the given one and records its calls. The given one is not changed. */
  trackClient<F extends (...args: never[]) => unknown>(handler: F): F {
    return this.track(handler);
  }
}

/** The part of a `Request` that covtool uses, of the platform or of a library. */
export interface RequestLike {
  /** The method, in upper case. */
  readonly method: string;
  /** The full URL. */
  readonly url: string;
  /** Header fields: `Headers`, pairs or an object. */
  readonly headers: unknown;
  /** The stream of the body, or null. */
  readonly body?: unknown;
  /** True if somebody has read the body, or begun to. */
  readonly bodyUsed?: boolean;
  /** The signal that can abort the request. */
  readonly signal?: { readonly aborted: boolean } | null;
  /** Copies the request, with a body that can be read independently. */
  clone?(): RequestLike;
}

interface InitLike {
  readonly method?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly signal?: { readonly aborted: boolean } | null;
}

function callTracked(
  sink: PluginSink,
  plugin: string,
  target: (...args: never[]) => unknown,
  self: unknown,
  args: readonly unknown[],
): unknown {
  // A tracked client may call the global `fetch`, which may be tracked too: that is one request.
  const isNested = args.length > 0 && sink.currentInput === args[0];
  const call = isNested
    ? undefined
    : sink.guard(plugin, () => prepareCall(args, sink.bodyLimit, plugin !== "handler"));
  if (call === undefined) return Reflect.apply(target, self, args);
  const { sent } = call;
  const exchange = sink.begin(plugin);
  const fail = (error: unknown): never => {
    sink.guard(plugin, () => {
      if (isValidRequest(sent, args)) exchange.finish(sent, undefined);
      else sent.body.abandon?.("failed");
    });
    throw error;
  };
  const finish = <T>(response: T): T => {
    sink.guard(plugin, () => {
      const limit = sink.responseBodyLimit;
      const observe = () =>
        plugin === "handler"
          ? observeHandlerResponse(response, args[1], limit)
          : observeResponse(response, limit);
      const content = sink.guard(plugin, observe);
      const status = responseStatus(response);
      const last = finalUrl(response);
      if (last === undefined) exchange.finish(sent, status, content);
      else exchange.finishRedirected(sent, last, status, content);
    });
    return response;
  };
  let result: unknown;
  const outerInput = sink.currentInput;
  sink.currentInput = args[0];
  try {
    result = Reflect.apply(target, self, originalArguments(plugin, target, call.args));
  } catch (error) {
    return fail(error);
  } finally {
    sink.currentInput = outerInput;
  }
  return hasMethods(result, "then")
    ? (result as unknown as Promise<unknown>).then(finish, fail)
    : finish(result);
}

/**
 * Reads the request from the arguments of `fetch`; undefined if nothing will be sent.
 *
 * @param isClient Whether an aborted signal keeps a request from being sent. A server's requests were sent already, and
 * Deno ends a request differently once its signal was read.
 */
function prepareCall(args: readonly unknown[], limit: number, isClient: boolean) {
  const [input, init] = args;
  const request = isRequest(input) ? input : undefined;
  const options: InitLike = typeof init === "object" && init !== null ? init : {};
  const initHasBody = options.body !== undefined && options.body !== null;
  const isAborted = isClient && (options.signal ?? request?.signal)?.aborted === true;
  const isBodyUsed = initHasBody ? isUsedStream(options.body) : request?.bodyUsed === true;
  if (isAborted || isBodyUsed) return undefined;
  const { toSend, observed } = initHasBody || request === undefined
    ? observeBody(options.body, limit)
    : { toSend: undefined, observed: observeRequest(request, limit) };
  const sent: SentRequest = {
    method: String(options.method ?? request?.method ?? "GET"),
    url: request?.url ?? String(input),
    headers: headerPairs(options.headers ?? request?.headers),
    body: observed,
  };
  if (toSend === options.body || toSend === undefined) return { args, sent };
  return { args: [input, { ...options, body: toSend }, ...args.slice(2)], sent };
}

/** Reads a clone of a request's body while its owner reads the original. */
function observeRequest(request: RequestLike, limit: number): ObservedBody {
  if (request.body === null || request.body === undefined) return NO_BODY;
  if (request.bodyUsed === true || request.clone === undefined) return CUT_BODY;
  const { body } = request.clone();
  return body instanceof ReadableStream ? readBody(body, limit) : CUT_BODY;
}

function isRequest(value: unknown): value is RequestLike {
  return ["url", "method"].every((name) => typeof readField(value, name) === "string");
}

/** The status of a response; undefined if there is none, as for opaque redirects. */
function responseStatus(response: unknown): number | undefined {
  const status = readField(response, "status");
  return typeof status === "number" && status > 0 ? status : undefined;
}

/** False if the arguments are invalid, so that nothing was sent. */
function isValidRequest({ method, url }: SentRequest, args: readonly unknown[]): boolean {
  const isRelative = url.startsWith("/");
  if (!isRelative && !URL.canParse(url)) return false;
  const [input, init] = args;
  if (isRequest(input) || typeof init !== "object" || init === null) return true;
  const { body, headers } = init as InitLike;
  const hasBody = body !== undefined && body !== null;
  const isStream = body instanceof ReadableStream;
  try {
    new Request(isRelative ? "http://localhost/" : url, {
      ...init,
      method,
      headers: headerPairs(headers) as [string, string][],
      signal: null,
      // The original stream is used up by now.
      ...(hasBody && { body: isStream ? new ReadableStream() : "" }),
    });
    return true;
  } catch {
    return false;
  }
}

/** Removes the argument that Deno passes only because a tracked handler declares two parameters. */
function originalArguments(
  plugin: string,
  target: (...args: never[]) => unknown,
  args: readonly unknown[],
): readonly unknown[] {
  const isAdded = plugin === "handler" && target.length < 2 && args.length === 2 &&
    isDenoInfo(args[1]);
  return isAdded ? args.slice(0, 1) : args;
}

function finalUrl(response: unknown): string | undefined {
  const url = readField(response, "url");
  const isRedirected = readField(response, "redirected") === true;
  return isRedirected && typeof url === "string" && url !== "" ? url : undefined;
}
