import { type IncomingLike, observeIncoming, type OutgoingLike } from "./observe_node_http.ts";
import { type PluginSet, SINK } from "./plugin_set.ts";

/** A middleware for Connect and Express. */
export type ConnectMiddleware = (
  request: IncomingLike,
  response: OutgoingLike,
  next: (error?: unknown) => void,
) => void;

/**
 * A middleware for Express, Connect and any framework that calls `(request, response, next)`. Records the requests to
 * the server. It must come before everything that reads bodies: a body that it did not see counts as not recorded.
 *
 * @param map The map to record into, or the collector of `covtool/collect`.
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
  const sink = map[SINK];
  return (request, response, next) => {
    sink.guard("server", () => observeIncoming(sink, "server", request, response));
    next();
  };
}

/** A plugin for Fastify. */
export type FastifyRecorder = (
  app: { addHook(name: "onRequest", hook: never): unknown },
  options: unknown,
  done: () => void,
) => void;

/**
 * A plugin for Fastify that records the requests to the server, injected ones included:
 * `app.register(fastifyRecorder(map))`, before the routes.
 *
 * @param map The map to record into, or the collector of `covtool/collect`.
 */
export function fastifyRecorder(map: PluginSet): FastifyRecorder {
  const sink = map[SINK];
  const hook = (
    request: { readonly raw: IncomingLike },
    reply: { readonly raw: OutgoingLike },
    done: () => void,
  ): void => {
    sink.guard("server", () => observeIncoming(sink, "server", request.raw, reply.raw));
    done();
  };
  const plugin: FastifyRecorder = (app, _options, done) => {
    app.addHook("onRequest", hook as never);
    done();
  };
  // Fastify limits hooks to the plugin that adds them, unless this symbol is set.
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true });
}

/** A middleware for Koa. */
export type KoaMiddleware = (
  context: { readonly req: IncomingLike; readonly res: OutgoingLike },
  next: () => Promise<unknown>,
) => Promise<unknown>;

/**
 * A middleware for Koa that records the requests to the server: `app.use(koaMiddleware(map))`. It must come before
 * everything that reads bodies: a body that it did not see counts as not recorded.
 *
 * @param map The map to record into, or the collector of `covtool/collect`.
 */
export function koaMiddleware(map: PluginSet): KoaMiddleware {
  const sink = map[SINK];
  return (context, next) => {
    sink.guard("server", () => observeIncoming(sink, "server", context.req, context.res));
    return next();
  };
}

/**
 * Returns a handler that behaves like the given one and records its requests and responses:
 * `Deno.serve(recordHandler(map, app.fetch))`.
 *
 * @param map The map to record into, or the collector of `covtool/collect`.
 * @param handler Takes a `Request` and returns a `Response`, or a promise of one. It is not changed.
 */
export function recordHandler<F extends (...args: never[]) => unknown>(
  map: PluginSet,
  handler: F,
): F {
  return map.handler.trackClient(handler);
}
