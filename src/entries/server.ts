/**
 * Makes an API under test record its own traffic, whatever language its clients are written in.
 *
 * - {@linkcode connectMiddleware} for Express, Connect and other servers with `(request, response, next)`,
 * - {@linkcode koaMiddleware} for Koa,
 * - {@linkcode fastifyRecorder} for Fastify,
 * - {@linkcode recordHandler} for servers made of a function `(Request) => Response`: `Deno.serve`, Hono, H3, Bun.
 *
 * Each takes the `CoverageMap` and has to be registered before anything that reads bodies. None of them changes
 * responses.
 *
 * @example A server made of a function
 * ```ts
 * import { CoverageMap } from "@covtool/covtool";
 * import { recordHandler } from "@covtool/covtool/server";
 * import assert from "node:assert/strict";
 *
 * const map = CoverageMap.fromDict({
 *   openapi: "3.1.0",
 *   info: { title: "Coffee bar", version: "1" },
 *   paths: { "/menu": { get: { responses: { 200: { description: "What there is" } } } } },
 * });
 * const handler = recordHandler(map, (_request: Request) => Response.json(["espresso"]));
 *
 * const response = await handler(new Request("http://localhost/menu"));
 * assert.deepEqual(await response.json(), ["espresso"]);
 * await map.settled();
 * assert.equal(map.statistic().responses.seen, 1);
 * ```
 *
 * @module
 */
export { type ConnectMiddleware, connectMiddleware } from "../plugins/connect_middleware.ts";
export { type FastifyRecorder, fastifyRecorder } from "../plugins/connect_middleware.ts";
export { type KoaMiddleware, koaMiddleware } from "../plugins/connect_middleware.ts";
export { recordHandler } from "../plugins/connect_middleware.ts";
export type { IncomingLike, OutgoingLike } from "../plugins/observe_node_http.ts";
export type { EmitterLike } from "../plugins/observe_emitter.ts";
export type { PluginSet } from "../plugins/plugin_set.ts";
