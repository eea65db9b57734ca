import { NO_BODY, type ObservedBody } from "./body_buffer.ts";
import { ClientPlugin, type RecordedCall } from "./client_plugin.ts";
import type { Exchange, ReceivedContent, SentRequest } from "./plugin_sink.ts";
import { headerPairs } from "../http/header_pairs.ts";
import { observeBody, observeDataOrJson } from "./observe_body.ts";
import { hasMethods, isEmitter } from "./observe_emitter.ts";
import {
  type IncomingLike,
  incomingUrl,
  injectedBody,
  observeIncoming,
  type OutgoingLike,
} from "./observe_node_http.ts";

/** The part of a Fastify application that covtool uses. */
export interface FastifyLike {
  /** Sends a simulated request to the application. */
  inject: (...args: never[]) => unknown;
}

/** The part of a response of `inject()` that covtool uses. */
export interface InjectedLike {
  /** The status code. */
  readonly statusCode: number;
  /** Header fields. */
  readonly headers?: object | undefined;
  /** The body as received. */
  readonly rawPayload?: unknown;
  /** The underlying objects of Node.js. */
  readonly raw?: { readonly req?: unknown } | undefined;
}

/** The result of `inject()` without a callback. */
interface Chain {
  dispatch: (...args: never[]) => unknown;
}

/**
 * Records the requests that are injected into a Fastify application.
 *
 * `map.fastify.trackClient(app)` returns the same application. An object with `inject` from `light-my-request` works
 * too.
 */
export class FastifyPlugin extends ClientPlugin<unknown, InjectedLike> {
  /** Returns the same application; calls of `inject()` are recorded from now on. */
  trackClient<A extends FastifyLike>(app: A): A {
    if (!this.sink.claim(app)) return app;
    const { inject } = app;
    app.inject = (...args: never[]): unknown => {
      const [options, callback] = args as readonly unknown[];
      if (typeof callback === "function") {
        const observed = this.#observeCallback(options, callback);
        return Reflect.apply(inject, app, [options, observed, ...args.slice(2)]);
      }
      const result: unknown = Reflect.apply(inject, app, args);
      this.guard(() => {
        if (hasMethods(result, "dispatch")) this.#observeChain(result);
      });
      return result;
    };
    return app;
  }

  /** Reads a response of `inject()`, which has its request. The options supply what it lacks. */
  protected override read(options: unknown, response: InjectedLike | undefined): RecordedCall {
    return {
      sent: this.#readRequest(response, options, undefined),
      status: response?.statusCode,
      content: injectedContent(response, this.sink.responseBodyLimit),
    };
  }

  /** The request has not started and may never do so: it is watched from the moment it reaches the application. */
  #observeChain(chain: Chain): void {
    const { dispatch } = chain;
    const { sink } = this;
    chain.dispatch = function (this: unknown, ...args: never[]): unknown {
      const [request, response] = args as readonly unknown[];
      sink.guard("fastify", () => {
        if (!isEmitter(request) || !isEmitter(response)) return;
        observeIncoming(sink, "fastify", request as IncomingLike, response as OutgoingLike);
      });
      return Reflect.apply(dispatch, this, args);
    };
  }

  #observeCallback(options: unknown, callback: unknown): (...args: unknown[]) => unknown {
    const { sink } = this;
    const exchange: Exchange = sink.begin("fastify");
    const payload = sink.guard("fastify", () => this.#observePayload(options));
    return (...args) => {
      const [error, response] = args as [unknown?, InjectedLike?, ...unknown[]];
      sink.guard("fastify", () => {
        const sent = this.#readRequest(response, options, payload);
        const status = error ? undefined : response?.statusCode;
        exchange.finish(sent, status, injectedContent(response, sink.responseBodyLimit));
      });
      return Reflect.apply(callback as (...args: unknown[]) => unknown, undefined, args);
    };
  }

  #observePayload(options: unknown): ObservedBody {
    const { payload, body = payload } = asInjectOptions(options);
    return { ...observeDataOrJson(body, this.sink.bodyLimit), isRebuilt: false };
  }

  #readRequest(
    response: InjectedLike | undefined,
    options: unknown,
    payload: ObservedBody | undefined,
  ): SentRequest {
    const raw = response?.raw?.req;
    if (isEmitter(raw)) {
      const request = raw as IncomingLike;
      const stream = request._lightMyRequest?.payload;
      return {
        method: request.method ?? "GET",
        url: incomingUrl(request),
        headers: headerPairs(request.headers),
        body: injectedBody(request, this.sink.bodyLimit) ??
          (stream === undefined || stream === null
            ? NO_BODY
            : payload ?? this.#observePayload(options)),
      };
    }
    const { method, url, path, headers } = asInjectOptions(options);
    return {
      method: typeof method === "string" ? method : "GET",
      url: String(url ?? path ?? "/"),
      headers: headerPairs(headers),
      body: payload ?? this.#observePayload(options),
    };
  }
}

function injectedContent(
  response: InjectedLike | undefined,
  limit: number,
): ReceivedContent | undefined {
  if (response?.headers === undefined) return undefined;
  const headers = headerPairs(response.headers);
  const { rawPayload } = response;
  return limit === 0 || rawPayload === undefined
    ? { headers }
    : { headers, body: observeBody(rawPayload, limit).observed };
}

function asInjectOptions(options: unknown): Readonly<Record<string, unknown>> {
  if (typeof options === "string") return { url: options };
  return typeof options === "object" && options !== null
    ? options as Readonly<Record<string, unknown>>
    : {};
}
