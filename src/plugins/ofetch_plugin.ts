import { FetchRecorder } from "./fetch_plugin.ts";

/** The part of an ofetch instance that covtool uses. */
export interface OfetchLike {
  /** The `fetch` that the instance calls. */
  readonly native: (...args: never[]) => unknown;
  /** Makes an instance with further defaults. */
  create(defaults: object, globalOptions?: never): unknown;
}

/**
 * Records what an instance of ofetch (`$fetch` of Nuxt and Nitro) sends: every attempt that it passes to `fetch`.
 *
 * `map.ofetch.trackClient(ofetch)` returns an instance with the same defaults.
 */
export class OfetchPlugin extends FetchRecorder {
  /**
   * Returns an instance that behaves like the given one and is recorded. The given one is not changed.
   *
   * @throws {TypeError} for instances of ofetch before version 1.4, which accept no other `fetch`.
   */
  trackClient<O extends OfetchLike>(instance: O): O {
    if (this.sink.isDormant) return instance;
    const { native } = instance;
    const track = (): OfetchLike["native"] => this.track(native);
    let isFetchRead = false;
    const globalOptions = {
      get fetch() {
        isFetchRead = true;
        return track();
      },
    };
    const tracked = typeof native === "function" && instance.create({}, globalOptions as never);
    // Older versions ignore unknown options, and nothing would be recorded.
    if (!isFetchRead) {
      throw new TypeError(
        "map.ofetch.trackClient() needs ofetch 1.4 or later; with an older one, make the instance with " +
          "createFetch({ fetch: map.fetch.trackClient(fetch), Headers }).",
      );
    }
    return tracked as O;
  }
}
