import {
  callTracked,
  isRequest,
  observeRequest,
  type RequestLike,
  responseStatus,
} from "./call_tracked.ts";
import { NO_BODY } from "./body_buffer.ts";
import { ClientPlugin, type HandedOver } from "./client_plugin.ts";
import { headerPairs } from "./header_pairs.ts";
import { readClone } from "./observe_response.ts";

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
