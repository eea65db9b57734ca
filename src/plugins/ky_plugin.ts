import { FetchRecorder } from "./fetch_plugin.ts";

/** The part of a ky instance that covtool uses. */
export interface KyLike {
  /** Makes an instance with other options. Since ky 1.2, accepts a function that gets the options of the instance. */
  extend(defaults: never): unknown;
}

type AnyFetch = (...args: unknown[]) => unknown;

/**
 * Records what a ky instance sends: every attempt that ky passes to `fetch`.
 *
 * `map.ky.trackClient(ky)` returns an instance with the same options.
 */
export class KyPlugin extends FetchRecorder {
  /**
   * Returns an instance that behaves like the given one and is recorded. The given one is not changed. A `fetch` in the
   * options of a single call is not tracked; wrap it with `map.fetch.trackClient()`.
   *
   * @throws {TypeError} for instances of ky before version 1.2, whose `extend()` accepts no function.
   */
  trackClient<K extends KyLike>(instance: K): K {
    if (this.sink.isDormant) return instance;
    let isTrackCalled = false;
    const track = (parent: { readonly fetch?: AnyFetch }): { readonly fetch: AnyFetch } => {
      isTrackCalled = true;
      // Like ky, looks up the global `fetch` at each call.
      const send: AnyFetch = parent.fetch ??
        ((...args) => Reflect.apply(globalThis.fetch, globalThis, args));
      return { fetch: this.track(send) };
    };
    let tracked: K | undefined;
    let problem: unknown;
    try {
      tracked = instance.extend(track as never) as K;
    } catch (error) {
      problem = error;
    }
    if (isTrackCalled && problem !== undefined) throw problem;
    // Older versions take the function for options or reject it, and nothing would be recorded.
    if (!isTrackCalled || tracked === undefined) {
      throw new TypeError(
        "map.ky.trackClient() needs ky 1.2 or later; with an older one, hand it a tracked fetch: " +
          "ky.extend({ fetch: map.fetch.trackClient(fetch) }).",
        { cause: problem },
      );
    }
    return tracked;
  }
}
