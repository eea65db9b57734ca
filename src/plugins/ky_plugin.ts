import { FetchRecorder } from "./fetch_plugin.ts";

/** The used part of a ky instance. */
export interface KyLike {
  /** ky 1.2 and later hands the options of the instance to a function. */
  extend(defaults: never): unknown;
}

type AnyFetch = (...args: unknown[]) => unknown;

/**
 * Records what a ky instance sends: every attempt, as ky hands it to `fetch`.
 *
 * `map.ky.trackClient(ky)` is an instance with the same options.
 */
export class KyPlugin extends FetchRecorder {
  /**
   * An instance that does what the given one does, and records it. The given one stays as it is.
   * A `fetch` that is handed over with a single call is not tracked; wrap it with `map.fetch.trackClient()`.
   *
   * @throws {TypeError} for instances of ky before version 1.2, whose `extend()` takes no function.
   */
  trackClient<K extends KyLike>(instance: K): K {
    if (this.sink.isDormant) return instance;
    let isAsked = false;
    const track = (parent: { readonly fetch?: AnyFetch }): { readonly fetch: AnyFetch } => {
      isAsked = true;
      // The global one is looked up with each call, as ky does.
      const send: AnyFetch = parent.fetch ??
        ((...args) => Reflect.apply(globalThis.fetch, globalThis, args));
      return { fetch: this.track(send) };
    };
    let made: K | undefined;
    let problem: unknown;
    try {
      made = instance.extend(track as never) as K;
    } catch (error) {
      problem = error;
    }
    if (isAsked && problem !== undefined) throw problem;
    // Older versions take the function for options, or refuse it: nothing would ever be recorded.
    if (!isAsked || made === undefined) {
      throw new TypeError(
        "map.ky.trackClient() needs ky 1.2 or later; with an older one, hand it a tracked fetch: " +
          "ky.extend({ fetch: map.fetch.trackClient(fetch) }).",
        { cause: problem },
      );
    }
    return made;
  }
}
