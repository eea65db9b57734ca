import { type IncomingLike, observeIncoming } from "./observe_incoming.ts";
import type { OutgoingLike } from "./observe_outgoing.ts";
import { type PluginSet, sinkOf } from "./plugin_set.ts";

/** A plugin of Fastify. */
export type FastifyRecorder = (
  app: { addHook(name: "onRequest", hook: never): unknown },
  options: unknown,
  done: () => void,
) => void;

/**
 * A plugin for Fastify that records what the server is asked, injected requests included:
 * `app.register(fastifyRecorder(map))`, before the routes.
 *
 * @param map What records: a map, or the collector of `covtool/collect`.
 */
export function fastifyRecorder(map: PluginSet): FastifyRecorder {
  const sink = sinkOf(map);
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
  // Fastify keeps hooks within the plugin that adds them, unless it says so.
  return Object.assign(plugin, { [Symbol.for("skip-override")]: true });
}
