import { type IncomingLike, observeIncoming } from "./observe_incoming.ts";
import type { OutgoingLike } from "./observe_outgoing.ts";
import { type PluginSet, sinkOf } from "./plugin_set.ts";

/** A middleware of Koa. */
export type KoaMiddleware = (
  context: { readonly req: IncomingLike; readonly res: OutgoingLike },
  next: () => Promise<unknown>,
) => Promise<unknown>;

/**
 * A middleware for Koa that records the requests to the server: `app.use(koaMiddleware(map))`. It has to come before
 * everything that reads bodies; a body that it did not see counts as not recorded.
 *
 * @param map What records: a map, or the collector of `covtool/collect`.
 */
export function koaMiddleware(map: PluginSet): KoaMiddleware {
  const sink = sinkOf(map);
  return (context, next) => {
    sink.guard("server", () => observeIncoming(sink, "server", context.req, context.res));
    return next();
  };
}
