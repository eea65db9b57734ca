import { ClientPlugin, type RecordedCall } from "./client_plugin.ts";
import {
  type Exchange,
  type ReceivedContent,
  recordWhenComplete,
  type SentRequest,
} from "./plugin_sink.ts";
import { type HeaderPairs, headerPairs, headerValue } from "../http/header_pairs.ts";
import { hasMethods } from "./observe_emitter.ts";
import { isJson } from "../values/parse_json.ts";
import { mediaEssence } from "../http/media_type.ts";
import { BodyBuffer, CUT_BODY, NO_BODY, type ObservedBody } from "./body_buffer.ts";
import { observeBody } from "./observe_body.ts";
import { mayHaveBody } from "../http/interaction.ts";

/** The part of an `APIRequestContext` that covtool uses. */
export interface ApiContextLike {
  /** Sends a request; `get()`, `post()` and the other methods call it. */
  fetch: (...args: never[]) => Promise<unknown>;
}

/** The part of a `Page`, or of a `BrowserContext` with all its pages, that covtool uses. */
export interface PageLike {
  /** Adds a listener. */
  on(event: never, listener: never): unknown;
}

/** A request of a page, or the URL and options of a call of `fetch()`. */
export type PlaywrightRequest =
  | PageRequestLike
  | string
  | readonly [url: string, options: ApiOptionsLike];

/** Records what Playwright sends: calls of its `APIRequestContext`, and the traffic of its pages. */
export class PlaywrightPlugin extends ClientPlugin<PlaywrightRequest, PlaywrightResponseLike> {
  /** Functions that end the wait for a request; the argument says whether the whole response arrived. */
  readonly #endCallbacks = new WeakMap<PageRequestLike, (isWhole: boolean) => void>();

  /**
   * Returns the same `APIRequestContext` (`request` of a test, `page.request`, `request.newContext()`), whose calls are
   * recorded from now on: `fetch()`, and `get()`, `post()` and the others, which call it. Headers that the context adds
   * can't be seen, nor can redirects: the first request counts without a response; the last one counts only if its
   * method is known (GET and HEAD).
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
        if (sent !== undefined) this.guard(() => this.#finish(exchange, sent, response));
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
   * Returns the same page or browser context, whose traffic is recorded from now on: everything that its pages load,
   * each redirect on its own. Requests that don't go to the API are listed as unmatched.
   */
  trackPage<P extends PageLike>(page: P): P {
    if (!this.sink.claim(page)) return page;
    const begin = (request: PageRequestLike): void => {
      // A page and its context may both be tracked, and both report the same request.
      if (!this.sink.claim(request)) return;
      const ended = new Promise<boolean>((resolve) => this.#endCallbacks.set(request, resolve));
      void this.sink.addPending("playwright", this.#recordPage(request, ended), (reason) => {
        // After its page was closed, a request has no further events.
        if (reason === "timeout" || reason === "exit") this.#endCallbacks.get(request)?.(false);
      });
    };
    const end = (request: PageRequestLike): void => {
      begin(request);
      this.#endCallbacks.get(request)?.(true);
    };
    page.on("request" as never, begin as never);
    page.on("requestfinished" as never, end as never);
    page.on("requestfailed" as never, end as never);
    return page;
  }

  /** Reads a request of a page, or the URL and options of a call. */
  protected override read(
    request: PlaywrightRequest,
    response: PlaywrightResponseLike | undefined,
  ): RecordedCall {
    const [target, options] = typeof request === "string" || isPageRequest(request)
      ? [request, {}]
      : request;
    return {
      sent: apiRequest(target, options, this.sink.bodyLimit),
      status: response?.status(),
      content: response?.headers && playwrightContent(response, this.sink.responseBodyLimit),
    };
  }

  #finish(exchange: Exchange, sent: SentRequest, result: unknown): void {
    if (!hasMethods(result, "status", "url")) {
      exchange.finish(sent, undefined);
      return;
    }
    const response = result as unknown as PlaywrightResponseLike & { url(): string };
    const url = response.url(); // after redirects
    const status = response.status();
    const content = playwrightContent(response, this.sink.responseBodyLimit);
    if (isSameTarget(sent.url, url)) exchange.finish({ ...sent, url }, status, content);
    else exchange.finishRedirected(sent, url, status, content);
  }

  /** Records a request. If the response is still arriving, only its status and headers are recorded. */
  async #recordPage(request: PageRequestLike, ended: Promise<boolean>): Promise<void> {
    // Another test may be running when the response comes.
    const test = this.sink.testName;
    const exchange = readPageExchange(request);
    exchange.catch(() => {}); // closing the page rejects it, maybe before the await
    const withoutResponse: PageExchange = {
      requestHeaders: headerPairs(request.headers()),
      response: null,
    };
    const isComplete = await ended;
    const { requestHeaders, response, responseHeaders } =
      await (isComplete
        ? exchange
        : Promise.race([exchange, withoutResponse]).catch(() => withoutResponse));
    const { startTime = 0, responseEnd = -1 } = request.timing?.() ?? {};
    await recordWhenComplete(
      this.sink,
      "playwright",
      {
        method: request.method(),
        url: request.url(),
        headers: requestHeaders,
        body: observeBuffer(request.postDataBuffer(), this.sink.bodyLimit),
      },
      response === null ? undefined : {
        status_code: response.status(),
        elapsed: responseEnd >= 0 ? responseEnd / 1000 : undefined,
      },
      { timestamp: startTime > 0 ? startTime / 1000 : undefined, test },
      response === null
        ? undefined
        : playwrightContent(response, this.sink.responseBodyLimit, responseHeaders, isComplete),
    );
  }
}

/** Reads the status from an error of `failOnStatusCode`: `apiRequestContext.get: 404 Not Found`. */
function statusInError(error: unknown): number | undefined {
  const message = error instanceof Error ? error.message : "";
  const status = /^apiRequestContext\.\w+: (\d{3}) /.exec(message)?.[1];
  return status === undefined ? undefined : Number(status);
}

/** True if a response comes from the requested URL. A relative URL is relative to an unknown base URL. */
function isSameTarget(requestUrl: string, responseUrl: string): boolean {
  const target = (url: URL): string => `${url.pathname}${url.search}`;
  const last = new URL(responseUrl);
  if (URL.canParse(requestUrl)) {
    const first = new URL(requestUrl);
    return first.host === last.host && target(first) === target(last);
  }
  if (requestUrl.startsWith("/")) return target(new URL(requestUrl, last)) === target(last);
  return target(last).endsWith(
    requestUrl === "" ? "" : target(new URL(requestUrl, "http://localhost/")),
  );
}

/** The part of a Playwright response that covtool uses, of a page or of an `APIRequestContext`. */
export interface PlaywrightResponseLike {
  /** The status code. */
  status(): number;
  /** Header fields. */
  headers?(): object;
  /** All header fields of a page's response. */
  allHeaders?(): Promise<object>;
  /** The body. */
  body?(): Promise<Uint8Array>;
}

/** Media types of a page's own resources, whose bodies aren't measured: a page loads many. */
const PAGE_RESOURCES = /^\s*(?:image|video|audio|font)\/|javascript|^\s*text\/css/i;

/** A request and its response as an open page reports them, with header fields that are hidden from scripts. */
interface PageExchange {
  readonly requestHeaders: HeaderPairs;
  readonly response: PlaywrightResponseLike | null;
  readonly responseHeaders?: HeaderPairs;
}

async function readPageExchange(request: PageRequestLike): Promise<PageExchange> {
  const promises = [request.allHeaders?.() ?? request.headers(), request.response()] as const;
  const [sent, response] = await Promise.all(promises);
  if (response === null) return { requestHeaders: headerPairs(sent), response };
  const pageResponse: PlaywrightResponseLike = response;
  const received = headerPairs(await pageResponse.allHeaders?.() ?? pageResponse.headers?.());
  return { requestHeaders: headerPairs(sent), response: pageResponse, responseHeaders: received };
}

/** Reads the content of a response. Playwright has the body already, or gets it from the browser. */
function playwrightContent(
  response: PlaywrightResponseLike,
  limit: number,
  headers: HeaderPairs = headerPairs(response.headers?.()),
  isWhole = true,
): ReceivedContent {
  if (limit === 0 || response.body === undefined) return { headers };
  const isResource = PAGE_RESOURCES.test(headerValue(headers, "content-type") ?? "");
  const isTooLong = Number(headerValue(headers, "content-length") ?? 0) > limit;
  const hasNoBody = !mayHaveBody("GET", response.status());
  // The browser keeps no bodies of redirects.
  const isRedirect = response.status() >= 300 && response.status() < 400;
  if (hasNoBody || isRedirect) return { headers };
  if (isResource || isTooLong || !isWhole) return { headers, body: CUT_BODY };
  return { headers, body: observePromise(response.body(), limit), isDecoded: true };
}

/** Observes a body that arrives without being read, so that a response doesn't end the wait for it. */
function observePromise(body: Promise<Uint8Array>, limit: number): ObservedBody {
  const buffer = new BodyBuffer(limit);
  body.then((data) => {
    buffer.add(data);
    buffer.end();
    // The page is closed, or the browser has discarded the body.
  }, () => buffer.cut());
  const observed = buffer.toObservedBody();
  return {
    captured: observed.captured,
    onCaptured: observed.onCaptured,
    abandon: (reason) => {
      if (reason !== "responded") observed.abandon?.(reason);
    },
  };
}

/** The part of a Playwright `Request`, sent by a page, that covtool uses. */
export interface PageRequestLike {
  /** The method. */
  method(): string;
  /** The full URL. */
  url(): string;
  /** Header fields, without those that the browser adds later. */
  headers(): Readonly<Record<string, string>>;
  /** All header fields. */
  allHeaders?(): Promise<Readonly<Record<string, string>>>;
  /** The request body; null if there is none. */
  postDataBuffer(): Uint8Array | null;
  /**
   * The start time in milliseconds since 1970, and the milliseconds from then until the response was complete; -1 if it
   * never was.
   */
  timing?(): { readonly startTime: number; readonly responseEnd: number };
  /** The response; null if none arrived. */
  response(): Promise<{ status(): number } | null>;
}

/** The part of the options of `APIRequestContext.fetch()` that covtool uses. */
export interface ApiOptionsLike {
  /** The method (default: `GET`). */
  readonly method?: string | undefined;
  /** Header fields. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Query parameters. */
  readonly params?: unknown;
  /** The request body: text, bytes, or a value to be sent as JSON. */
  readonly data?: unknown;
  /** The fields of a form, to be sent as `application/x-www-form-urlencoded`. */
  readonly form?: unknown;
  /** The fields and files of a form, to be sent as `multipart/form-data`. */
  readonly multipart?: unknown;
  /** True if a status of 400 or above is thrown as an error. */
  readonly failOnStatusCode?: boolean | undefined;
}

function isPageRequest(value: unknown): value is PageRequestLike {
  return hasMethods(value, "postDataBuffer", "url");
}

function apiRequest(target: unknown, options: ApiOptionsLike, limit: number): SentRequest {
  const page = isPageRequest(target) ? target : undefined;
  const headers = headerPairs(options.headers ?? page?.headers());
  const hasBody = options.data !== undefined || Boolean(options.form) ||
    Boolean(options.multipart);
  return {
    method: options.method ?? page?.method() ?? "GET",
    url: withParams(page?.url() ?? String(target), options.params),
    headers,
    body: hasBody
      ? apiBody(options, headers, limit)
      : observeBuffer(page?.postDataBuffer() ?? null, limit),
  };
}

function observeBuffer(buffer: Uint8Array | null, limit: number): ObservedBody {
  return buffer === null ? NO_BODY : observeBody(buffer, limit).observed;
}

function withParams(url: string, params: unknown): string {
  const isText = typeof params === "string" || params instanceof URLSearchParams;
  const query = isText ? String(params).replace(/^\?/, "") : formText(params);
  if (query === "") return url;
  const [base = "", fragment] = url.split("#", 2);
  const joined = `${base}${base.includes("?") ? "&" : "?"}${query}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

function formText(fields: unknown): string {
  const text = new URLSearchParams();
  for (const [name, value] of formEntries(fields)) {
    if (value !== undefined) text.append(name, String(value));
  }
  return text.toString();
}

function formEntries(fields: unknown): Iterable<readonly [string, unknown]> {
  if (typeof fields !== "object" || fields === null) return [];
  return fields instanceof FormData ? [...fields] : Object.entries(fields);
}

function apiBody(
  { data, form, multipart }: ApiOptionsLike,
  headers: HeaderPairs,
  limit: number,
): ObservedBody {
  const withType = (body: unknown, contentType: string): ObservedBody => ({
    ...observeBody(body, limit).observed,
    contentType: `application/${contentType}`,
  });
  if (data === undefined) {
    if (!form) return multipartBody(multipart, limit);
    return withType(formText(form), "x-www-form-urlencoded");
  }
  if (ArrayBuffer.isView(data)) return withType(data, "octet-stream");
  if (typeof data !== "string") return withType(JSON.stringify(data), "json");
  // Like Playwright, which sends text of other JSON media types unchanged.
  const type = mediaEssence(headerValue(headers, "content-type") ?? "");
  return withType(
    type === "application/json" && !isJson(data) ? JSON.stringify(data) : data,
    "octet-stream",
  );
}

/** Serializes the form again, as the bytes that Playwright sends, with another boundary, can't be seen. */
function multipartBody(multipart: unknown, limit: number): ObservedBody {
  const parts = new FormData();
  for (const [name, value] of formEntries(multipart)) {
    if (value === undefined) continue;
    if (value instanceof Blob) {
      parts.append(name, value, value instanceof File ? value.name : undefined);
    } else if (isFilePayload(value)) {
      const blob = new Blob([value.buffer.slice()], { type: value.mimeType });
      parts.append(name, blob, value.name);
      // Playwright reads files from disk where they can't be observed.
    } else if (typeof value === "object") {
      return { ...CUT_BODY, contentType: "multipart/form-data" };
    } else parts.append(name, String(value));
  }
  return observeBody(parts, limit).observed;
}

function isFilePayload(value: unknown): value is {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Uint8Array<ArrayBuffer>;
} {
  return typeof value === "object" && value !== null && "buffer" in value && "name" in value &&
    "mimeType" in value && value.buffer instanceof Uint8Array;
}
