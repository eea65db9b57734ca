import { ClientPlugin, type RecordedCall } from "./client_plugin.ts";
import { headerPairs } from "../http/header_pairs.ts";
import { observeDataOrJson } from "./observe_body.ts";
import { handedContent } from "./observe_response.ts";
import { hasMethods, replaceMethod } from "./observe_emitter.ts";
import { clientRequestUrl, isClientRequest, observeClientRequest } from "./observe_node_http.ts";

/** The part of supertest's `Test`, which is a superagent request, that covtool uses. */
export interface SupertestRequestLike {
  /** The method, in upper case. */
  readonly method: string;
  /** The full URL. */
  readonly url: string;
  /** The request of Node.js, once it exists. */
  readonly req?: unknown;
  /** The argument of `send()`. */
  readonly _data?: unknown;
  /** Creates the request of Node.js; called for each attempt and each redirect. */
  request(): unknown;
}

/** The part of supertest's `Response` that covtool uses. */
export interface SupertestResponseLike {
  /** The status code. */
  readonly status: number;
  /** Header fields. */
  readonly headers?: object | undefined;
  /** The body as text; absent for bodies that were read as bytes. */
  readonly text?: string | undefined;
  /** The body as superagent parsed it. */
  readonly body?: unknown;
}

const METHODS: readonly string[] = [
  ...["get", "post", "put", "delete", "del", "patch", "head", "options", "trace"],
  ...["query", "copy", "lock", "mkcol", "move", "propfind", "proppatch", "purge", "report"],
  ...["search", "unlock", "link", "unlink", "merge", "notify", "subscribe", "unsubscribe", "acl"],
];

/** Records what supertest sends to an application: each redirect on its own, with the bytes as sent. */
export class SupertestPlugin extends ClientPlugin<SupertestRequestLike, SupertestResponseLike> {
  /**
   * Returns the same agent, `request(app)` or `request.agent(app)`, whose requests are recorded from now on. If given
   * the function `request` itself, returns a function whose agents are all tracked.
   *
   * @throws {TypeError} for anything else, such as the application, as no requests could be recorded.
   */
  trackClient<A extends object>(agent: A): A {
    if (this.sink.isTracked(agent)) return agent;
    if (!isTrackable(agent)) {
      throw new TypeError(
        "map.supertest.trackClient() can't track this: give it an agent of supertest, " +
          "request(app) or request.agent(app), or the function request itself.",
      );
    }
    if (typeof agent === "function") return this.#trackFactory(agent);
    this.sink.setTracked(agent);
    const methods = agent as Record<string, unknown>;
    for (const name of METHODS) {
      const method = methods[name];
      if (typeof method !== "function") continue;
      Object.defineProperty(agent, name, {
        configurable: true,
        writable: true,
        enumerable: Object.hasOwn(agent, name),
        value: (...args: unknown[]): unknown => {
          const test: unknown = Reflect.apply(method, agent, args);
          this.guard(() => this.#watch(test));
          return test;
        },
      });
    }
    return agent;
  }

  /** Reads a request, whether it was sent or not. */
  protected override read(
    request: SupertestRequestLike,
    response: SupertestResponseLike | undefined,
  ): RecordedCall {
    const { method, url, req, _data: data } = request;
    const sent = isClientRequest(req) ? req : undefined;
    return {
      sent: {
        method,
        url: sent === undefined ? url : clientRequestUrl(sent),
        headers: headerPairs(sent?.getHeaders()),
        body: { ...observeDataOrJson(data, this.sink.bodyLimit), contentType: undefined },
      },
      status: response?.status,
      content: response?.headers &&
        handedContent(
          response.text ?? response.body,
          response.headers,
          this.sink.responseBodyLimit,
        ),
    };
  }

  #trackFactory<A extends object>(factory: A): A {
    const track = <R>(agent: R): R =>
      typeof agent === "object" && agent !== null ? this.trackClient(agent) : agent;
    const tracked: A = new Proxy(factory, {
      apply: (target, self, args) => track(Reflect.apply(target as never, self, args)),
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name !== "agent" || typeof value !== "function") return value;
        return (...args: unknown[]) => track(Reflect.apply(value, target, args));
      },
    });
    this.sink.setTracked(tracked);
    return tracked;
  }

  #watch(test: unknown): void {
    if (!hasMethods(test, "request")) return;
    const { request } = test;
    replaceMethod(test, "request", (): unknown => {
      const result: unknown = Reflect.apply(request, test, []);
      this.guard(() => {
        // superagent may return the same request several times.
        if (!isClientRequest(result) || !this.sink.claim(result)) return;
        observeClientRequest(this.sink, "supertest", result);
      });
      return result;
    });
  }
}

/** True for an agent, which has the legacy method `del` that applications lack, and for the function `request`. */
function isTrackable(client: object): boolean {
  const { agent, del, listen } = client as Readonly<Record<string, unknown>>;
  return typeof listen !== "function" &&
    typeof (typeof client === "function" ? agent : del) === "function";
}
