import { Buffer } from "node:buffer";
import type { FastifyLike, FastifyPlugin, InjectedLike } from "../plugins/fastify_plugin.ts";
import type { HandlerPlugin } from "../plugins/fetch_plugin.ts";
import { headerPairs } from "../http/header_pairs.ts";
import { type IncomingLike, incomingUrl } from "../plugins/observe_node_http.ts";
import { askForChange, changesUrl } from "./ask_for_change.ts";
import { changeResponse } from "./change_fetch.ts";
import { toIncomingHeaders } from "./change_node_http.ts";

type AnyFunction = (...args: unknown[]) => unknown;

/** The result of `inject()` without a callback. Its request is sent when something awaits the result. */
interface Chain {
  then(done?: AnyFunction, failed?: AnyFunction): Promise<unknown>;
  catch?: AnyFunction;
  finally?: AnyFunction;
  end?: AnyFunction;
}

/**
 * Lets `covtool mutate` change the responses of applications that tests call without a connection: of handlers, and of
 * `inject()` of Fastify (docs/protocol.md). Does nothing in other runs.
 *
 * @param testName Returns the name of the running test.
 */
export function changeInProcess(
  { handler, fastify }: { readonly handler: HandlerPlugin; readonly fastify: FastifyPlugin },
  testName: () => string | undefined,
): void {
  const url = changesUrl();
  if (!url) return;
  const changed = new WeakSet<object>();
  const trackHandler = handler.trackClient.bind(handler);
  handler.trackClient = (client) => {
    if (changed.has(client)) return client;
    const tracked = changeHandler(url, trackHandler(client), testName);
    changed.add(tracked);
    return tracked;
  };
  const trackApp = fastify.trackClient.bind(fastify);
  fastify.trackClient = (app) => {
    trackApp(app);
    if (!changed.has(app)) changeInject(url, app, testName);
    changed.add(app);
    return app;
  };
}

function changeHandler<F extends (...args: never[]) => unknown>(
  url: string,
  handler: F,
  testName: () => string | undefined,
): F {
  return new Proxy(handler, {
    apply(target, self, args: readonly unknown[]) {
      // The response to a request that came over a connection is changed at the client.
      if (isServed(args[1])) return Reflect.apply(target, self, args);
      const [input, init] = args;
      const request = input instanceof Request
        ? input.clone()
        : new Request(new URL(String(input), "http://localhost"), init as RequestInit);
      const test = testName();
      return Promise.resolve(Reflect.apply(target, self, args) as unknown).then((response) =>
        response instanceof Response ? changeResponse(url, request, test, response) : response
      );
    },
  });
}

/** True if the second argument is what Deno, Node.js or Bun pass to handlers beside the request. */
function isServed(second: unknown): boolean {
  return typeof second === "object" && second !== null &&
    ["remoteAddr", "incoming", "requestIP"].some((name) => name in second);
}

function changeInject(url: string, app: FastifyLike, testName: () => string | undefined): void {
  const { inject } = app;
  app.inject = (...args: readonly unknown[]) => {
    const test = testName();
    const changed = (response: unknown) => changeInjected(url, response as InjectedLike, test);
    const wrapped = (callback: AnyFunction): AnyFunction => (error, response) =>
      error || !response
        ? callback(error, response)
        : void changed(response).then(() => callback(error, response));
    const [options, callback] = args;
    if (typeof callback === "function") {
      return Reflect.apply(inject, app, [options, wrapped(callback as AnyFunction)]);
    }
    const chain = Reflect.apply(inject, app, args) as Chain;
    const { then, end } = chain;
    let result: Promise<unknown> | undefined;
    chain.then = (done, failed) => {
      result ??= Reflect.apply(then, chain, [changed]) as Promise<unknown>;
      return result.then(done, failed);
    };
    chain.catch = (failed) => chain.then(undefined, failed as AnyFunction);
    chain.finally = (work) => chain.then().finally(work as () => void);
    chain.end = (callback) =>
      typeof callback === "function"
        ? Reflect.apply(end as AnyFunction, chain, [wrapped(callback as AnyFunction)])
        : chain.then();
    return chain;
  };
}

/** Changes the response of `inject()` in place: its methods read its properties. */
async function changeInjected(
  url: string,
  response: InjectedLike,
  test: string | undefined,
): Promise<InjectedLike> {
  const request = (response.raw?.req ?? {}) as IncomingLike;
  const payload = request._lightMyRequest?.payload;
  const hasPayload = typeof payload === "string" || payload instanceof Uint8Array;
  const answer = await askForChange(url, {
    request: {
      method: request.method ?? "GET",
      url: incomingUrl(request),
      headers: headerPairs(request.headers),
      ...(hasPayload && { body_base64: Buffer.from(payload as Uint8Array).toString("base64") }),
    },
    response: {
      status_code: response.statusCode,
      headers: headerPairs(response.headers ?? {}),
      body_base64: Buffer.from(response.rawPayload as Uint8Array).toString("base64"),
    },
    ...(test !== undefined && { test: { name: test } }),
  });
  if (answer === undefined) return response;
  const rawPayload = Buffer.from(answer.body_base64, "base64");
  const text = rawPayload.toString();
  return Object.assign(response, {
    statusCode: answer.status_code,
    statusMessage: "",
    headers: toIncomingHeaders(answer.headers),
    rawPayload,
    payload: text,
    body: text,
  });
}
