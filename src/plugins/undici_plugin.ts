import { ClientPlugin, type RecordedCall } from "./client_plugin.ts";
import type { Exchange, SentRequest } from "./plugin_sink.ts";
import { BodyBuffer } from "./body_buffer.ts";
import { headerPairs, isEndless, withContentType } from "../http/header_pairs.ts";
import { observeBody } from "./observe_body.ts";
import { readField } from "./observe_response.ts";

/** The part of the options of undici's `dispatch()` and `request()` that covtool uses. */
export interface DispatchOptionsLike {
  /** Scheme, host and port. */
  readonly origin?: string | URL | undefined;
  /** The path, with or without a query. */
  readonly path: string;
  /** The method, in upper case. */
  readonly method: string;
  /** Query parameters to be added to the path. */
  readonly query?: object | null | undefined;
  /** Header fields, in any form that undici accepts. */
  readonly headers?: unknown;
  /** The request body, in any form that undici accepts. */
  readonly body?: unknown;
}

/** The part of a response of undici's `request()` that covtool uses. */
export interface UndiciResponseLike {
  /** The status code. */
  readonly statusCode: number;
  /** Header fields. */
  readonly headers?: object | undefined;
}

/** The part of an undici dispatcher (`Agent`, `Pool`, `Client`, `MockAgent`) that covtool uses. */
export interface DispatcherLike {
  /** Sends a request, and reports its progress to a handler. */
  dispatch(...args: never[]): unknown;
}

/** The `dispatch()` of a dispatcher, or its replacement by an interceptor. */
export type DispatchLike = (...args: never[]) => boolean;
type Method = (...args: unknown[]) => unknown;

/** Methods of handlers, of undici 6 and before, and of undici 7 and later. */
const HANDLER_METHODS: readonly string[] = [
  ...["onConnect", "onUpgrade", "onResponseStarted", "onHeaders", "onData", "onComplete"],
  ...["onError", "onBodySent", "onRequestSent", "onRequestStart", "onRequestUpgrade"],
  ...["onResponseStart", "onResponseData", "onResponseEnd", "onResponseError"],
];

/** Codes of the errors of requests that undici refuses to send. */
const REFUSALS: ReadonlySet<unknown> = new Set(["UND_ERR_INVALID_ARG", "UND_ERR_NOT_SUPPORTED"]);

/**
 * Records what goes through an undici dispatcher: requests of `request()`, `stream()` and `fetch()` of undici and,
 * through the global dispatcher, of the `fetch` of Node.js. Redirects and retries are recorded one by one if their
 * interceptors were composed after this one.
 */
export class UndiciPlugin extends ClientPlugin<DispatchOptionsLike, UndiciResponseLike> {
  /** Returns the same dispatcher, whose requests are recorded from now on. */
  trackClient<D extends DispatcherLike>(dispatcher: D): D {
    if (!this.sink.claim(dispatcher)) return dispatcher;
    const { dispatch } = dispatcher;
    const send = (...args: never[]): boolean =>
      Reflect.apply(dispatch, dispatcher, args) as boolean;
    dispatcher.dispatch = this.interceptor()(send);
    return dispatcher;
  }

  /** Returns an interceptor for `dispatcher.compose()`. */
  interceptor(): (dispatch: DispatchLike) => DispatchLike {
    if (this.sink.isDormant) return (dispatch) => dispatch;
    // undici requires exactly two parameters.
    return (dispatch) => (options: never, handler: never) =>
      this.#dispatch(dispatch, options, handler);
  }

  /** Reads the options of `dispatch()`. */
  protected override read(
    request: DispatchOptionsLike,
    response: UndiciResponseLike | undefined,
  ): RecordedCall {
    return {
      sent: this.#prepare(request).sent,
      status: response?.statusCode,
      // The body can be read only once, by the caller.
      content: response?.headers && { headers: headerPairs(response.headers) },
    };
  }

  #dispatch(dispatch: DispatchLike, options: DispatchOptionsLike, handler: object): boolean {
    const prepared = this.guard(() => this.#prepare(options));
    if (prepared === undefined) return dispatch(options as never, handler as never);
    const exchange = this.sink.begin("undici");
    const watched = this.#wrapHandler(handler, exchange, prepared.sent);
    return dispatch(prepared.options as never, watched as never);
  }

  #prepare(options: DispatchOptionsLike) {
    const { toSend, observed } = observeBody(options.body, this.sink.bodyLimit);
    const { contentType, isRebuilt = false } = observed;
    // undici sets no media type for text.
    const hasType = isRebuilt || options.body instanceof Blob;
    return {
      options: toSend === options.body ? options : { ...options, body: toSend },
      sent: {
        method: options.method,
        url: dispatchUrl(options),
        headers: withContentType(
          headerPairs(options.headers),
          hasType ? contentType : undefined,
          isRebuilt,
        ),
        body: { captured: observed.captured, abandon: observed.abandon },
      },
    };
  }

  /** Wraps a handler in one with the same methods, as undici tells the versions of handlers apart by their methods. */
  #wrapHandler(handler: object, exchange: Exchange, sent: SentRequest): object {
    const limit = this.sink.responseBodyLimit;
    let body: BodyBuffer | undefined;
    const finish = (status?: unknown, fields?: unknown): void => {
      // 1xx responses are informational, except 101, which has a method of its own.
      if (typeof status === "number" && status < 200) return;
      this.guard(() => {
        if (typeof status !== "number") return void exchange.finish(sent, undefined);
        const headers = headerPairs(fields);
        if (limit > 0) body = new BodyBuffer(limit, isEndless(headers));
        exchange.finish(sent, status, { headers, body: body?.toObservedBody() });
      });
    };
    const fail = (error: unknown): void => {
      if (REFUSALS.has(readField(error, "code"))) exchange.drop();
      finish();
      body?.cut();
    };
    const observers: Readonly<Record<string, (args: readonly unknown[]) => void>> = {
      onHeaders: ([status, headers]) => finish(status, headers),
      onResponseStart: ([, status, headers]) => finish(status, headers),
      onData: ([chunk]) => body?.add(chunk),
      onResponseData: ([, chunk]) => body?.add(chunk),
      onComplete: () => body?.end(),
      onResponseEnd: () => body?.end(),
      onUpgrade: ([status]) => void exchange.finish(sent, Number(status)),
      onRequestUpgrade: ([, status]) => void exchange.finish(sent, Number(status)),
      onError: ([error]) => fail(error),
      onResponseError: ([, error]) => fail(error),
    };
    const methods = handler as Readonly<Record<string, unknown>>;
    const wrapped: Record<string, Method> = {};
    for (const name of HANDLER_METHODS) {
      const method = methods[name];
      if (typeof method !== "function") continue;
      wrapped[name] = (...args) => {
        observers[name]?.(args);
        return Reflect.apply(method, handler, args);
      };
    }
    return wrapped;
  }
}

function dispatchUrl({ origin, path, query }: DispatchOptionsLike): string {
  const base = origin === undefined ? "" : String(origin).replace(/\/$/, "");
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      search.append(name, String(item ?? ""));
    }
  }
  const text = search.toString();
  const url = path.startsWith("/") ? `${base}${path}` : path;
  return text === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${text}`;
}
