/**
 * Lets an API under test record itself, whatever its clients are written in: middlewares for Express and Connect, Koa,
 * Fastify, and servers made of a `(Request) => Response`.
 *
 * @module
 */
export {
  type ConnectMiddleware,
  connectMiddleware,
} from "./src/record/plugins/connect_middleware.ts";
export { type FastifyRecorder, fastifyRecorder } from "./src/record/plugins/fastify_recorder.ts";
export { type KoaMiddleware, koaMiddleware } from "./src/record/plugins/koa_middleware.ts";
export { recordHandler } from "./src/record/plugins/record_handler.ts";
export type { IncomingLike, OutgoingLike } from "./src/record/plugins/observe_incoming.ts";
export type { EmitterLike } from "./src/record/plugins/observe_emitter.ts";
export type { PluginSet } from "./src/record/plugins/plugin_set.ts";
