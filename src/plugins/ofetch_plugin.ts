import { FetchRecorder } from "./fetch_plugin.ts";

/** The used part of `ofetch`, and of what its `create()` gives. */
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
export class OfetchPlugin extends FetchRecorder {
  /**
   * An instance that does what the given one does, and records it. The given one stays as it is.
   *
   * @throws {TypeError} for instances of ofetch before version 1.4, which cannot be given another `fetch`.
   */
  trackClient<O extends OfetchLike>(instance: O): O {
    if (this.sink.isDormant) return instance;
    const { native } = instance;
    const track = (): OfetchLike["native"] => this.track(native);
    let isTaken = false;
    const globalOptions = {
      get fetch() {
        isTaken = true;
        return track();
      },
    };
    const made = typeof native === "function" && instance.create({}, globalOptions as never);
    // Older versions ignore what they do not know: nothing would ever be recorded.
    if (!isTaken) {
      throw new TypeError(
        "map.ofetch.trackClient() needs ofetch 1.4 or later; with an older one, make the instance with " +
          "createFetch({ fetch: map.fetch.trackClient(fetch), Headers }).",
      );
    }
    return made as O;
  }
}
