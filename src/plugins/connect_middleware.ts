import { type IncomingLike, observeIncoming } from "./observe_incoming.ts";
import type { OutgoingLike } from "./observe_outgoing.ts";
import { type PluginSet, sinkOf } from "./plugin_set.ts";

/** A middleware of Connect and Express. */
export type ConnectMiddleware = (
  request: IncomingLike,
  response: OutgoingLike,
  next: (error?: unknown) => void,
) => void;

/**
 * A middleware for Express, Connect and any framework that calls `(request, response, next)`; it records the requests
 * to the server. It has to come before everything that reads bodies; a body that it did not see counts as not recorded.
 *
 * @param map What records: a map, or the collector of `covtool/collect`.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { CoverageMap } from "../coverage_map/coverage_map.ts";
 * import { connectMiddleware } from "./connect_middleware.ts";
 * import assert from "node:assert/strict";
 *
 * const map = CoverageMap.fromDict({
 *   openapi: "3.1.0",
 *   info: { title: "Shop", version: "1" },
 *   paths: { "/books": { get: { responses: { 200: { description: "Books" } } } } },
 * });
 * const middleware = connectMiddleware(map);
 * const server = createServer((request, response) =>
 *   middleware(request, response, () => void response.end("[]"))
 * );
 * await new Promise<void>((resolve) => server.listen(0, resolve));
 * const address = server.address();
 * const port = typeof address === "object" ? address?.port : undefined;
 * assert.equal(await (await fetch(`http://localhost:${port}/books`)).text(), "[]");
 * await new Promise((resolve) => server.close(resolve));
 * assert.deepEqual(map.statistic().responses, { seen: 1, total: 1 });
 * ```
 */
export function connectMiddleware(map: PluginSet): ConnectMiddleware {
  const sink = sinkOf(map);
  return (request, response, next) => {
    sink.guard("server", () => observeIncoming(sink, "server", request, response));
    next();
  };
}
