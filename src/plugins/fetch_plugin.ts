import {
  callTracked,
  isRequest,
  observeRequest,
  type RequestLike,
  responseStatus,
} from "./call_tracked.ts";
import { NO_BODY } from "./body_buffer.ts";
import { recordSent } from "./exchange.ts";
import { headerPairs } from "./header_pairs.ts";
import { readClone } from "./observe_response.ts";
import type { PluginSink } from "./plugin_sink.ts";

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
export class FetchRecorder {
  readonly #sink: PluginSink;
  readonly #name: string;

  /**
   * Records into the sink.
   *
   * @param name What diagnostics call it.
   */
  constructor(sink: PluginSink, name: string) {
    this.#sink = sink;
    this.#name = name;
  }

  /**
   * Records one request.
   *
   * @param timestamp Seconds since 1970.
   * @param elapsed Seconds from sending the request to its response.
   * @returns when its body was read; never rejects.
   */
  async record(
    request: RequestLike | string | URL,
    response?: ResponseLike | null,
    timestamp?: number,
    elapsed?: number,
  ): Promise<void> {
    const status = responseStatus(response);
    await this.#sink.guard(this.#name, () => {
      const sent = isRequest(request)
        ? {
          method: request.method,
          url: request.url,
          headers: headerPairs(request.headers),
          body: observeRequest(request, this.#sink.bodyLimit),
        }
        : { method: "GET", url: String(request), headers: [], body: NO_BODY };
      return recordSent(
        this.#sink,
        this.#name,
        sent,
        status === undefined ? undefined : { status_code: status, elapsed },
        timestamp,
        readClone(response, this.#sink.responseBodyLimit),
      );
    });
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
  readonly #sink: PluginSink;
  readonly #name: string;

  /**
   * Records into the sink.
   *
   * @param name What diagnostics call it.
   */
  constructor(sink: PluginSink, name = "fetch") {
    super(sink, name);
    this.#sink = sink;
    this.#name = name;
  }

  /**
   * A function that does what the given one does, and records it. The given one stays as it is.
   * Redirects that `fetch` follows are out of sight: the first request counts without a response, and the last one
   * where its method is known, which is for GET and HEAD. `elapsed` ends with the head of the response.
   */
  trackClient<F extends (...args: never[]) => unknown>(client: F): F {
    if (this.#sink.isTracked(client)) return client;
    const isHandler = this.#name === "handler";
    const tracked = new Proxy(client, {
      apply: (target, self, args: readonly unknown[]) =>
        callTracked(this.#sink, this.#name, target, self, args),
      // Deno tells handlers that take a second argument alone which connection a request came by.
      get: (target, name) =>
        isHandler && name === "length" ? Math.max(2, target.length) : Reflect.get(target, name),
    });
    this.#sink.setTracked(tracked);
    return tracked;
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
