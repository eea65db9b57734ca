import type { RequestLike } from "./call_tracked.ts";
import { FetchPlugin, type ResponseLike } from "./fetch_plugin.ts";
import type { PluginSink } from "./plugin_sink.ts";

/** What is used of `ofetch`, and of what its `create()` gives. */
export interface OfetchLike {
  /** The `fetch` that it calls. */
  readonly native: (...args: never[]) => unknown;
  /** Makes an instance with further defaults. */
  create(defaults: object, globalOptions?: never): unknown;
}

/**
 * Records what an instance of ofetch (`$fetch` of Nuxt and Nitro) sends: every attempt, as it is handed to `fetch`.
 *
 * `map.ofetch.trackClient(ofetch)` is an instance with the same defaults.
 */
export class OfetchPlugin {
  readonly #sink: PluginSink;
  readonly #fetch: FetchPlugin;

  /** Records into the sink. */
  constructor(sink: PluginSink) {
    this.#sink = sink;
    this.#fetch = new FetchPlugin(sink, "ofetch");
  }

  /** An instance that does what the given one does, and records it. The given one stays as it is. */
  trackClient<O extends OfetchLike>(instance: O): O {
    if (this.#sink.isDormant) return instance;
    const globalOptions = { fetch: this.#fetch.trackClient(instance.native) };
    return instance.create({}, globalOptions as never) as O;
  }

  /**
   * Records one request; times are in seconds.
   *
   * @returns when its body was read; never rejects.
   */
  record(
    request: RequestLike | string | URL,
    response?: ResponseLike | null,
    timestamp?: number,
    elapsed?: number,
  ): Promise<void> {
    return this.#fetch.record(request, response, timestamp, elapsed);
  }
}
