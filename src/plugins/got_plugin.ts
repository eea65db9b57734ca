import { headerPairs } from "../http/header_pairs.ts";
import { isClientRequest, observeClientRequest } from "./observe_node_http.ts";
import { observeBody } from "./observe_body.ts";
import { handedContent } from "./observe_response.ts";
import { replaceMethod } from "./observe_emitter.ts";
import { ClientPlugin, type RecordedCall } from "./client_plugin.ts";

/** The part of got's request options that covtool uses. */
export interface GotOptionsLike {
  /** The method. */
  readonly method?: string | undefined;
  /** The full URL. */
  readonly url?: string | URL | undefined;
  /** Header fields. */
  readonly headers?: object | undefined;
  /** The request body. */
  readonly body?: unknown;
  /** The request body, to be sent as JSON. */
  readonly json?: unknown;
  /** Returns the function that begins a request, such as `http.request`. */
  getRequestFunction?(): unknown;
}

/** The part of a got response that covtool uses. */
export interface GotResponseLike {
  /** The status code. */
  readonly statusCode: number;
  /** Header fields. */
  readonly headers?: object | undefined;
  /** The body, decompressed; absent for streams. */
  readonly rawBody?: Uint8Array | undefined;
}

/** The part of a got instance that covtool uses. */
export interface GotLike {
  /** Makes an instance with further options. */
  extend(options: never): unknown;
  /** The defaults, with the options of every request. */
  readonly defaults?: { readonly options?: object };
}

/**
 * Records what a got instance sends, as promises or streams: each attempt and each redirect on its own, with the bytes
 * as sent. Responses from a cache are not recorded.
 */
export class GotPlugin extends ClientPlugin<GotOptionsLike, GotResponseLike> {
  readonly #watched = new WeakSet<object>();

  /**
   * Returns an instance that behaves like the given one and is recorded. The given one is not changed.
   *
   * @throws {TypeError} for instances of got before version 12, whose hooks can't observe requests.
   */
  trackClient<G extends GotLike>(instance: G): G {
    if (this.sink.isDormant) return instance;
    const { options } = instance.defaults ?? {};
    if (options === undefined || !("getRequestFunction" in options)) throw tooOldError();
    const extension = { hooks: { beforeRequest: [this.beforeRequestHook()] } };
    return instance.extend(extension as never) as G;
  }

  /** Returns the hook that {@linkcode GotPlugin.trackClient} adds, for `hooks.beforeRequest`. */
  beforeRequestHook(): (options: GotOptionsLike) => void {
    return (options) => void this.guard(() => this.#watch(options));
  }

  /** Reads the options that got passes to its hooks. */
  protected override read(
    { method = "GET", url, headers, json, body }: GotOptionsLike,
    response: GotResponseLike | undefined,
  ): RecordedCall {
    const text = json === undefined ? undefined : JSON.stringify(json);
    const { observed } = observeBody(body === undefined ? text : body, this.sink.bodyLimit);
    return {
      sent: {
        method,
        url: String(url),
        headers: headerPairs(headers),
        body: json === undefined ? observed : { ...observed, contentType: "application/json" },
      },
      status: response?.statusCode,
      content: response?.headers &&
        handedContent(response.rawBody, response.headers, this.sink.responseBodyLimit),
    };
  }

  /** The hook runs before each attempt, usually with the same options object. */
  #watch(options: GotOptionsLike): void {
    const original = options.getRequestFunction;
    if (original === undefined) throw tooOldError();
    if (this.#watched.has(options)) return;
    this.#watched.add(options);
    const observe = (result: unknown): unknown => {
      this.guard(() => {
        if (isClientRequest(result)) observeClientRequest(this.sink, "got", result);
      });
      return result;
    };
    replaceMethod(options, "getRequestFunction", (): unknown => {
      const send = Reflect.apply(original, options, []);
      if (typeof send !== "function") return send;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(send, undefined, args);
        return result instanceof Promise ? result.then(observe) : observe(result);
      };
    });
  }
}

/** An older version is an error, as nothing would be recorded. */
function tooOldError(): TypeError {
  return new TypeError("map.got.trackClient() needs got 12 or later.");
}
