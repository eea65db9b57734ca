import { CUT_BODY, NO_BODY, type ObservedBody, readBody } from "./body_buffer.ts";
import { ClientPlugin, type HandedOver } from "./client_plugin.ts";
import { headerPairs } from "./header_pairs.ts";
import {
  isDenoInfo,
  observeHandled,
  observeResponse,
  readClone,
  readField,
} from "./observe_response.ts";
import type { PluginSink, SentRequest } from "./plugin_sink.ts";
import { isUsedStream, observeBody } from "./observe_body.ts";
import { hasMethods } from "./observe_emitter.ts";

/** The used part of a `Response`. */
export interface ResponseLike {
  /** The status code; 0 if the platform hides it. */
  readonly status: number;
}

/** The global `fetch` while it is tracked. */
export interface TrackedGlobal extends Disposable {
  /** Puts the `fetch` back that was there before. */
  restore(): void;
}

/** Takes a request and its response, as the hooks of clients hand them over. */
export type FetchHook = (
  request: RequestLike,
  response?: ResponseLike,
  timestamp?: number,
  elapsed?: number,
) => void;

/** Records requests one by one, as whoever sent them with `fetch` hands them over. */
export class FetchRecorder extends ClientPlugin<RequestLike | string | URL, ResponseLike> {
  /** Reads a request and its response, whose bodies are cloned. */
  protected override read(
    request: RequestLike | string | URL,
    response: ResponseLike | undefined,
  ): HandedOver {
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

  /** A function that does what the given one does, and records it. */
  protected track<F extends (...args: never[]) => unknown>(target: F): F {
    if (this.sink.isTracked(target)) return target;
    const isHandler = this.client === "handler";
    const tracked = new Proxy(target, {
      apply: (target, self, args: readonly unknown[]) =>
        callTracked(this.sink, this.client, target, self, args),
      // Deno tells handlers that take a second argument alone which connection a request came by.
      get: (target, name) =>
        isHandler && name === "length" ? Math.max(2, target.length) : Reflect.get(target, name),
    });
    this.sink.setTracked(tracked);
    return tracked;
  }
}

/**
 * Records what goes through `fetch`, the platform's or any function that is called like it.
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
   * A function that does what the given one does, and records it. The given one stays as it is.
   * Redirects that `fetch` follows are out of sight: the first request counts without a response, and the last one
   * where its method is known, which is for GET and HEAD. `elapsed` ends with the head of the response.
   */
  trackClient<F extends (...args: never[]) => unknown>(client: F): F {
    return this.track(client);
  }

  /** Tracks `globalThis.fetch`, until it is restored or goes out of the scope of `using`. */
  trackGlobal(): TrackedGlobal {
    const original = globalThis.fetch;
    const tracked = this.trackClient(original);
    globalThis.fetch = tracked;
    const restore = (): void => {
      // What somebody else has put there since stays.
      if (globalThis.fetch === tracked) globalThis.fetch = original;
    };
    return { restore, [Symbol.dispose]: restore };
  }

  /**
   * A function for the hooks of clients that hand over a request and its response. Where the body of the request was
   * read by then, it counts as not recorded: hand over a clone. That of the response is cloned.
   */
  responseHook(): FetchHook {
    return (request, response, timestamp, elapsed) =>
      void this.record(request, response, timestamp, elapsed);
  }
}

/**
 * Records what a handler answers that takes a `Request` and gives a `Response`: `app.fetch` and `app.request` of Hono,
 * `app.fetch` of H3, what `Deno.serve` takes.
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
  /** A handler that does what the given one does, and records it. The given one stays as it is. */
  trackClient<F extends (...args: never[]) => unknown>(handler: F): F {
    return this.track(handler);
  }
}

/** The used part of a `Request`, of the platform or of a library. */
export interface RequestLike {
  /** The method, in upper case. */
  readonly method: string;
  /** The full URL. */
  readonly url: string;
  /** Its header fields: `Headers`, pairs or an object. */
  readonly headers: unknown;
  /** The stream of its body, or null. */
  readonly body?: unknown;
  /** True if somebody read its body, or began to. */
  readonly bodyUsed?: boolean;
  /** The signal that can abort it. */
  readonly signal?: { readonly aborted: boolean } | null;
  /** A second request, whose body can be read on its own. */
  clone?(): RequestLike;
}

/** The used part of the second argument of `fetch`. */
interface InitLike {
  readonly method?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly signal?: { readonly aborted: boolean } | null;
}

/** Calls a function like `fetch`, or a handler of `Request`s, and records what comes of it. */
function callTracked(
  sink: PluginSink,
  plugin: string,
  target: (...args: never[]) => unknown,
  self: unknown,
  args: readonly unknown[],
): unknown {
  // A client that is tracked calls the global `fetch`, which may be tracked too: that is one request.
  const isNested = args.length > 0 && sink.passing === args[0];
  const call = isNested
    ? undefined
    : sink.guard(plugin, () => prepare(args, sink.bodyLimit, plugin !== "handler"));
  if (call === undefined) return Reflect.apply(target, self, args);
  const { sent } = call;
  const exchange = sink.begin(plugin);
  const fail = (error: unknown): never => {
    sink.guard(plugin, () => {
      if (couldBeSent(sent, args)) exchange.finish(sent, undefined);
      else sent.body.abandon?.("failed");
    });
    throw error;
  };
  const finish = <T>(response: T): T => {
    sink.guard(plugin, () => {
      const limit = sink.responseBodyLimit;
      const content = sink.guard(
        plugin,
        () =>
          plugin === "handler"
            ? observeHandled(response, args[1], limit)
            : observeResponse(response, limit),
      );
      const status = responseStatus(response);
      const last = redirectedTo(response);
      if (last === undefined) exchange.finish(sent, status, content);
      else exchange.finishRedirected(sent, last, status, content);
    });
    return response;
  };
  let result: unknown;
  const outer = sink.passing;
  sink.passing = args[0];
  try {
    result = Reflect.apply(target, self, ownArguments(plugin, target, call.args));
  } catch (error) {
    return fail(error);
  } finally {
    sink.passing = outer;
  }
  return hasMethods(result, "then")
    ? (result as unknown as Promise<unknown>).then(finish, fail)
    : finish(result);
}

/**
 * The request that is made by the arguments of `fetch`; undefined if nothing is going to be sent.
 *
 * @param isClient Whether a signal can keep a request from being sent. Those of servers are not asked: they have been
 *   sent, and Deno changes how a request ends once somebody asks for its signal.
 */
function prepare(
  args: readonly unknown[],
  limit: number,
  isClient: boolean,
): { readonly args: readonly unknown[]; readonly sent: SentRequest } | undefined {
  const [input, init] = args;
  const request = isRequest(input) ? input : undefined;
  const options: InitLike = typeof init === "object" && init !== null ? init : {};
  const replaces = options.body !== undefined && options.body !== null;
  const isAborted = isClient && (options.signal ?? request?.signal)?.aborted === true;
  const isUsed = replaces ? isUsedStream(options.body) : request?.bodyUsed === true;
  if (isAborted || isUsed) return undefined;
  const { passed, observed } = replaces || request === undefined
    ? observeBody(options.body, limit)
    : { passed: undefined, observed: observeRequest(request, limit) };
  const sent: SentRequest = {
    method: String(options.method ?? request?.method ?? "GET"),
    url: request?.url ?? String(input),
    headers: headerPairs(options.headers ?? request?.headers),
    body: observed,
  };
  if (passed === options.body || passed === undefined) return { args, sent };
  return { args: [input, { ...options, body: passed }, ...args.slice(2)], sent };
}

/** Watches the body of a request while its owner reads it. */
function observeRequest(request: RequestLike, limit: number): ObservedBody {
  if (request.body === null || request.body === undefined) return NO_BODY;
  if (request.bodyUsed === true || request.clone === undefined) return CUT_BODY;
  const { body } = request.clone();
  return body instanceof ReadableStream ? readBody(body, limit) : CUT_BODY;
}

/** True if a value is a `Request`. */
function isRequest(value: unknown): value is RequestLike {
  return ["url", "method"].every((name) => typeof readField(value, name) === "string");
}

/** The status of a response; undefined if there is none, as in those of opaque redirects. */
function responseStatus(response: unknown): number | undefined {
  const status = readField(response, "status");
  return typeof status === "number" && status > 0 ? status : undefined;
}

/** False if the arguments themselves are wrong, which fails before anything is sent. */
function couldBeSent({ method, url }: SentRequest, args: readonly unknown[]): boolean {
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
      // Its own one is used up by now.
      ...(hasBody && { body: isStream ? new ReadableStream() : "" }),
    });
    return true;
  } catch {
    return false;
  }
}

/** The arguments as the function would have had them: without what is only there since it is tracked. */
function ownArguments(
  plugin: string,
  target: (...args: never[]) => unknown,
  args: readonly unknown[],
): readonly unknown[] {
  const isAdded = plugin === "handler" && target.length < 2 && args.length === 2 &&
    isDenoInfo(args[1]);
  return isAdded ? args.slice(0, 1) : args;
}

/** The URL where the request ended up, if its client followed redirects. */
function redirectedTo(response: unknown): string | undefined {
  const url = readField(response, "url");
  const isRedirected = readField(response, "redirected") === true;
  return isRedirected && typeof url === "string" && url !== "" ? url : undefined;
}
