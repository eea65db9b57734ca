import { NO_BODY, type ObservedBody } from "./body_buffer.ts";
import {
  type AxiosConfigLike,
  axiosRequest,
  type AxiosResponseLike,
  axiosUrl,
  withAxiosType,
} from "./axios_request.ts";
import { ClientPlugin, type RecordedCall } from "./client_plugin.ts";
import type { Exchange, ReceivedContent, SentRequest } from "./plugin_sink.ts";
import { headerPairs, headerValue } from "../http/header_pairs.ts";
import { observeBody, observeDataOrJson } from "./observe_body.ts";
import { hasMethods } from "./observe_emitter.ts";
import { handedContent } from "./observe_response.ts";

/** The part of an axios instance that covtool uses. */
export interface AxiosLike {
  /** The interceptors of the instance. */
  readonly interceptors: {
    readonly request: InterceptorsLike;
    /** Interceptors that run before a response is returned. */
    readonly response: InterceptorsLike;
  };
  /** Returns the URL for a request configuration. */
  getUri(config?: never): string;
}

/** The part of a list of axios interceptors that covtool uses. */
export interface InterceptorsLike {
  /** Adds an interceptor and returns its number. */
  use(onFulfilled?: never, onRejected?: never): number;
}

/** The arguments of `interceptors.response.use()`. */
export type AxiosResponseHook = readonly [
  onFulfilled: <R>(response: R) => R,
  onRejected: (error: unknown) => Promise<never>,
];

interface Attempt {
  exchange: Exchange;
  sent: SentRequest;
  /** The status of the response, which is known before its headers and body. */
  status?: number | undefined;
}

type AnyFunction = (...args: unknown[]) => unknown;

interface Replacement {
  readonly original: unknown;
  readonly attempt: () => Attempt | undefined;
}

/**
 * Records what an axios instance sends, with any of its adapters. Retries count as requests of their own and, with the
 * adapter for Node.js, so do redirects.
 */
export class AxiosPlugin extends ClientPlugin<AxiosConfigLike, AxiosResponseLike> {
  readonly #replaced = new WeakMap<object, Replacement>();

  /** Returns the same instance, whose requests are recorded from now on. */
  trackClient<A extends AxiosLike>(instance: A): A {
    if (!this.sink.claim(instance)) return instance;
    const onRequest = (config: AxiosConfigLike): AxiosConfigLike =>
      this.guard(() => this.#watch(config, instance)) ?? config;
    const onRejected = (error: unknown): Promise<never> => {
      this.guard(() => this.#finishFailed(error));
      return Promise.reject(error);
    };
    instance.interceptors.request.use(onRequest as never);
    instance.interceptors.response.use(undefined, onRejected as never);
    return instance;
  }

  /**
   * Returns the two functions for `interceptors.response.use(...hook)`, to set up recording by hand. They can't record
   * times, retries and redirects.
   */
  responseHook(): AxiosResponseHook {
    return [
      (response) => {
        const { config } = response as AxiosResponseLike;
        void this.record(config ?? {}, response as AxiosResponseLike);
        return response;
      },
      (error) => {
        const { config, response } = (error ?? {}) as {
          readonly config?: AxiosConfigLike;
          readonly response?: AxiosResponseLike;
        };
        if (config) void this.record(config, response);
        return Promise.reject(error);
      },
    ];
  }

  /** Reads a request configuration, such as `response.config`. */
  protected override read(
    config: AxiosConfigLike,
    response: AxiosResponseLike | undefined,
  ): RecordedCall {
    // The response's configuration has the data as they were sent.
    const { config: used = config } = response ?? {};
    const body = observeDataOrJson(used.data, this.sink.bodyLimit);
    return {
      sent: axiosRequest(used, axiosUrl(used, response?.request), body),
      status: response?.status,
      content: response?.headers
        ? handedContent(response.data, response.headers, this.sink.responseBodyLimit)
        : undefined,
    };
  }

  /**
   * Watches four fields of a request's own configuration: the data as sent (last function of `transformRequest`), the
   * status (`validateStatus`, which axios calls before any interceptor), the original response (first function of
   * `transformResponse`) and redirects. This way, the order of interceptors does not matter.
   */
  #watch(config: AxiosConfigLike, instance: AxiosLike): AxiosConfigLike {
    // A retry has the configuration of the attempt before it.
    const previous = this.#findAttempt(config);
    this.#finish(previous, previous?.status);
    let attempt: Attempt | undefined;
    const original = this.#unwrap(config);
    const { beforeRedirect, transformRequest, transformResponse, validateStatus } = original;
    const begin = (current: AxiosConfigLike, data: unknown): unknown => {
      const { toSend, observed } = observeBody(data, this.sink.bodyLimit);
      const url = instance.getUri(current as never);
      attempt = {
        exchange: this.sink.begin("axios"),
        sent: axiosRequest(current, url, withFormType(withAxiosType(current, observed), data)),
      };
      return toSend;
    };
    const guard = this.guard.bind(this);
    const onData = function (this: AxiosConfigLike, data: unknown): unknown {
      const passed = guard(() => begin(this ?? config, data));
      return passed === undefined ? data : passed;
    };
    const onStatus: AnyFunction = (status) => {
      if (attempt !== undefined) attempt.status = Number(status);
      // Without a function, axios accepts every status.
      return typeof validateStatus === "function" ? validateStatus(status) : true;
    };
    const onResponse = (data: unknown, headers: unknown): unknown => {
      this.#finish(
        attempt,
        attempt?.status,
        this.guard(() => handedContent(data, headers, this.sink.responseBodyLimit)),
      );
      return data;
    };
    const onRedirect: AnyFunction = (...args) => {
      const [options, response] = args;
      attempt = this.guard(() => this.#beginRedirect(attempt, options, response)) ?? attempt;
      return typeof beforeRedirect === "function" ? beforeRedirect(...args) : undefined;
    };
    config.transformRequest = [...transformRequest, onData];
    config.transformResponse = [onResponse, ...transformResponse];
    config.validateStatus = onStatus;
    config.beforeRedirect = onRedirect;
    const replacements: (readonly [replacement: object, original: unknown])[] = [
      [onData, undefined],
      [onResponse, undefined],
      [onStatus, validateStatus],
      [onRedirect, beforeRedirect],
    ];
    for (const [replacement, original] of replacements) {
      this.#replaced.set(replacement, { original, attempt: () => attempt });
    }
    return config;
  }

  #unwrap(config: AxiosConfigLike) {
    const original = (value: unknown): unknown => {
      const replacement = typeof value === "function" ? this.#replaced.get(value) : undefined;
      return replacement === undefined ? value : replacement.original;
    };
    const transforms = (value: unknown): readonly unknown[] =>
      [value ?? []].flat().filter((one) => typeof one === "function" && !this.#replaced.has(one));
    return {
      transformRequest: transforms(config.transformRequest),
      transformResponse: transforms(config.transformResponse),
      validateStatus: original(config.validateStatus),
      beforeRedirect: original(config.beforeRedirect),
    };
  }

  #findAttempt(config: AxiosConfigLike | undefined): Attempt | undefined {
    // Another map that tracks the instance adds to this list, while it hides the other functions.
    const own = [config?.transformResponse ?? []].flat().find((one) => this.#replaced.has(one));
    return own === undefined ? undefined : this.#replaced.get(own)?.attempt();
  }

  #finishFailed(error: unknown): void {
    if (typeof error !== "object" || error === null || !("config" in error)) return;
    const attempt = this.#findAttempt(error.config as AxiosConfigLike | undefined);
    if (attempt !== undefined && wasRefused(error)) {
      attempt.exchange.drop();
      attempt.sent.body.abandon?.("failed");
    }
    this.#finish(attempt, attempt?.status);
  }

  #finish(
    attempt: Attempt | undefined,
    status: number | undefined,
    content?: ReceivedContent,
  ): void {
    if (attempt === undefined) return;
    this.guard(() => void attempt.exchange.finish(attempt.sent, status, content));
  }

  /** Starts the request that follows a redirect, as announced by the adapter for Node.js. */
  #beginRedirect(
    attempt: Attempt | undefined,
    options: unknown,
    response: unknown,
  ): Attempt | undefined {
    if (attempt === undefined || typeof options !== "object" || options === null) return undefined;
    const { method = "GET", href, headers } = options as {
      readonly method?: string;
      readonly href?: string;
      readonly headers?: unknown;
    };
    const { statusCode } = (response ?? {}) as { readonly statusCode?: number };
    this.#finish(attempt, statusCode);
    const { sent } = attempt;
    const isSame = method.toUpperCase() === sent.method.toUpperCase();
    return {
      exchange: this.sink.begin("axios"),
      sent: {
        method,
        url: href ?? sent.url,
        headers: headerPairs(headers ?? sent.headers),
        body: isSame ? sent.body : NO_BODY,
      },
    };
  }
}

/** Codes of the errors that axios throws before it sends a request. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  ...["ERR_BAD_REQUEST", "ERR_BAD_OPTION", "ERR_BAD_OPTION_VALUE"],
  ...["ERR_INVALID_URL", "ERR_NOT_SUPPORT"],
]);

/** True if an error means that nothing was sent. */
function wasRefused(error: object): boolean {
  const { code, request, response } = error as Readonly<Record<string, unknown>>;
  return REFUSALS.has(code) && !request && !response;
}

/** Forms of the library `form-data` have their own media type. */
function withFormType(body: ObservedBody, data: unknown): ObservedBody {
  if (!hasMethods(data, "getHeaders")) return body;
  const type = headerValue(headerPairs(data.getHeaders()), "content-type");
  const { captured, abandon } = body;
  return { captured, abandon, contentType: type, isRebuilt: type !== undefined };
}
