/**
 * Lets an API under test record itself, whatever its clients are written in.
 *
 * - {@linkcode connectMiddleware} for Express, Connect and what else has `(request, response, next)`,
 * - {@linkcode koaMiddleware} for Koa,
 * - {@linkcode fastifyRecorder} for Fastify,
 * - {@linkcode recordHandler} for servers made of a `(Request) => Response`: `Deno.serve`, Hono, H3, Bun.
 *
 * Each takes the `CoverageMap` and has to come before everything that reads bodies. None changes what the server
 * answers.
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
