import { ClientPlugin, type HandedOver } from "./client_plugin.ts";
import { type Exchange, recordSent, type SentRequest } from "./exchange.ts";
import { headerPairs } from "./header_pairs.ts";
import {
  type ApiOptionsLike,
  apiRequest,
  bodyOfBuffer,
  isPageRequest,
  type PageAnswer,
  type PageRequestLike,
  playwrightContent,
  readAnswer,
} from "./playwright_request.ts";
import { hasMethods } from "./observe_emitter.ts";

/** The used part of an `APIRequestContext`. */
export interface ApiContextLike {
  /** Sends a request; `get()`, `post()` and the others call it. */
  fetch: (...args: never[]) => Promise<unknown>;
}

/** The used part of an `APIResponse`. */
export interface ApiResponseLike {
  status(): number;
  /** The URL that it came from, after redirects. */
  url(): string;
  headers?(): object;
  headersArray?(): unknown;
  body?(): Promise<Uint8Array>;
}

/** The used part of a `Page`, or of a `BrowserContext` with all its pages. */
export interface PageLike {
  /** Adds a listener. */
  on(event: never, listener: never): unknown;
}

/** A request of a page, or a URL with the options that it was fetched with. */
export type PlaywrightRequest =
  | PageRequestLike
  | string
  | readonly [url: string, options: ApiOptionsLike];

/** Records what Playwright sends: calls of its `APIRequestContext`, and the traffic of its pages. */
export class PlaywrightPlugin extends ClientPlugin<PlaywrightRequest, { status(): number }> {
  /** Says that a request has ended, and whether its response came to its end. */
  readonly #ends = new WeakMap<PageRequestLike, (isWhole: boolean) => void>();

  /**
   * The same `APIRequestContext` (`request` of a test, `page.request`, `request.newContext()`), whose calls are recorded
   * from now on: `fetch()`, and `get()`, `post()` and the others, which call it. Headers that the context adds by itself
   * are out of sight. Redirects that it follows are too: the first request counts without a response, and the last one
   * where its method is known, which is for GET and HEAD.
   */
  trackClient<C extends ApiContextLike>(context: C): C {
    if (!this.sink.claim(context)) return context;
    const original = context.fetch;
    context.fetch = async (...args: never[]): Promise<unknown> => {
      const [target, options] = args as readonly unknown[] as [unknown, ApiOptionsLike?];
      const sent = this.guard(() => apiRequest(target, options ?? {}, this.sink.bodyLimit));
      const exchange = this.sink.begin("playwright");
      try {
        const response = await Reflect.apply(original, context, args);
        if (sent !== undefined) {
          this.guard(() => this.#finish(exchange, sent, response));
        }
        return response;
      } catch (error) {
        if (sent !== undefined) {
          const status = options?.failOnStatusCode === true ? statusInError(error) : undefined;
          this.guard(() => void exchange.finish(sent, status));
        }
        throw error;
      }
    };
    return context;
  }

  /**
   * The same page, or the same browser context, whose traffic is recorded from now on: everything that its pages load,
   * each redirect on its own. What isn't a request to the API shows among the unmatched ones.
   */
  trackPage<P extends PageLike>(page: P): P {
    if (!this.sink.claim(page)) return page;
    const begin = (request: PageRequestLike): void => {
      // A page and its context, which may both be tracked, tell of the same request.
      if (!this.sink.claim(request)) return;
      const ended = new Promise<boolean>((resolve) => this.#ends.set(request, resolve));
      void this.sink.follow("playwright", this.#recordPage(request, ended), (reason) => {
        // Once its page is closed, nothing tells how it ended.
        if (reason === "awaited" || reason === "ended") this.#ends.get(request)?.(false);
      });
    };
    const end = (request: PageRequestLike): void => {
      begin(request);
      this.#ends.get(request)?.(true);
    };
    page.on("request" as never, begin as never);
    page.on("requestfinished" as never, end as never);
    page.on("requestfailed" as never, end as never);
    return page;
  }

  /** Reads a request of a page, or a URL with its options. */
  protected override read(
    request: PlaywrightRequest,
    response: { status(): number } | undefined,
  ): HandedOver {
    const [target, options] = typeof request === "string" || isPageRequest(request)
      ? [request, {}]
      : request;
    return { sent: apiRequest(target, options, this.sink.bodyLimit), status: response?.status() };
  }

  #finish(exchange: Exchange, sent: SentRequest, answer: unknown): void {
    if (!hasMethods(answer, "status", "url")) {
      exchange.finish(sent, undefined);
      return;
    }
    const response = answer as unknown as ApiResponseLike;
    const url = response.url();
    const status = response.status();
    const content = playwrightContent(response, this.sink.responseBodyLimit);
    if (isSameTarget(sent.url, url)) exchange.finish({ ...sent, url }, status, content);
    else exchange.finishRedirected(sent, url, status, content);
  }

  /** Records a request, and of a response that is still on its way what has come: status and headers. */
  async #recordPage(request: PageRequestLike, ended: Promise<boolean>): Promise<void> {
    const answered = readAnswer(request);
    answered.catch(() => {}); // it fails as soon as the page is closed, perhaps before it is awaited
    const unanswered: PageAnswer = { sent: headerPairs(request.headers()), response: null };
    const isWhole = await ended;
    const { sent, response, received } =
      await (isWhole ? answered : Promise.race([answered, unanswered]).catch(() => unanswered));
    const { startTime = 0, responseEnd = -1 } = request.timing?.() ?? {};
    await recordSent(
      this.sink,
      "playwright",
      {
        method: request.method(),
        url: request.url(),
        headers: sent,
        body: bodyOfBuffer(request.postDataBuffer(), this.sink.bodyLimit),
      },
      response === null ? undefined : {
        status_code: response.status(),
        elapsed: responseEnd >= 0 ? responseEnd / 1000 : undefined,
      },
      { timestamp: startTime > 0 ? startTime / 1000 : undefined, test: this.sink.testName },
      response === null
        ? undefined
        : playwrightContent(response, this.sink.responseBodyLimit, received, isWhole),
    );
  }
}

/** The status that an error of `failOnStatusCode` begins with: `apiRequestContext.get: 404 Not Found`. */
function statusInError(error: unknown): number | undefined {
  const message = error instanceof Error ? error.message : "";
  const status = /^apiRequestContext\.\w+: (\d{3}) /.exec(message)?.[1];
  return status === undefined ? undefined : Number(status);
}

/** True if a response comes from where the request went; a relative one goes to a place beneath a base URL. */
function isSameTarget(sent: string, answered: string): boolean {
  const pathOf = (url: URL): string => `${url.pathname}${url.search}`;
  const last = new URL(answered);
  if (URL.canParse(sent)) {
    const first = new URL(sent);
    return first.host === last.host && pathOf(first) === pathOf(last);
  }
  if (sent.startsWith("/")) return pathOf(new URL(sent, last)) === pathOf(last);
  return pathOf(last).endsWith(sent === "" ? "" : pathOf(new URL(sent, "http://localhost/")));
}
