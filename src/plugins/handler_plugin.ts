import { FetchRecorder } from "./fetch_plugin.ts";

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
