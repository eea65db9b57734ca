import type { PluginSet } from "./plugin_set.ts";

/**
 * A handler that does what the given one does, and records what it is asked:
 * `Deno.serve(recordHandler(map, app.fetch))`.
 *
 * @param map What records: a map, or the collector of `covtool/collect`.
 * @param handler Takes a `Request` and gives a `Response`, or a promise of one; the given one stays as it is.
 */
export function recordHandler<F extends (...args: never[]) => unknown>(
  map: PluginSet,
  handler: F,
): F {
  return map.handler.trackClient(handler);
}
