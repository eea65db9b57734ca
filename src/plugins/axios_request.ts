import type { ObservedBody } from "./body_buffer.ts";
import type { ReceivedContent, SentRequest } from "./plugin_sink.ts";
import { headerPairs, headerValue, isEndless } from "./header_pairs.ts";
import { clientRequestUrl, isClientRequest } from "./observe_node_http.ts";
import { mediaEssence, mediaKind } from "../http/media_type.ts";
import { observeBody } from "./observe_body.ts";
import { hasMethods, isEmitter, observeReadable, type ReadableLike } from "./observe_emitter.ts";
import { readField } from "./observe_response.ts";

/** The used part of the configuration of one request of axios. */
export interface AxiosConfigLike {
  /** The method, in any case; `GET` where it is missing. */
  readonly method?: string | undefined;
  /** The URL, or a part of one that follows `baseURL`. */
  readonly url?: string | undefined;
  /** The URL that relative ones are resolved against. */
  readonly baseURL?: string | undefined;
  /** Parameters of the query. */
  readonly params?: unknown;
  /** Header fields, as an object or as `AxiosHeaders`. */
  readonly headers?: unknown;
  /** The content that is sent. */
  readonly data?: unknown;
  /** Functions that the data go through before they are sent. */
  transformRequest?: unknown;
  /** Functions that the data of the response go through before the caller has them. */
  transformResponse?: unknown;
  /** Decides whether a status is an error. */
  validateStatus?: unknown;
  /** Is asked before a redirect is followed, on Node.js. */
  beforeRedirect?: unknown;
  /** The adapters to send the request with, names or functions: the first that the platform has is used. */
  readonly adapter?: unknown;
}

/** The used part of a response of axios. */
export interface AxiosResponseLike {
  /** The status code. */
  readonly status: number;
  /** The data as the caller gets them. */
  readonly data?: unknown;
  /** Header fields. */
  readonly headers?: unknown;
  /** The configuration of its request. */
  readonly config?: AxiosConfigLike | undefined;
  /** The request that the adapter made: a `ClientRequest`, a `Request`, an `XMLHttpRequest`. */
  readonly request?: unknown;
}

/** The request of a configuration; its headers are read when asked for, since axios completes them late. */
export function axiosRequest(
  config: AxiosConfigLike,
  url: string,
  body: ObservedBody,
): SentRequest {
  return {
    method: config.method ?? "GET",
    url,
    get headers() {
      return headerPairs(config.headers);
    },
    body: withoutTextType(body),
  };
}

/** The URL of a request, as its adapter or else its configuration has it. */
export function axiosUrl(config: AxiosConfigLike, request: unknown): string {
  if (isClientRequest(request)) return clientRequestUrl(request);
  for (const name of ["url", "responseURL"]) {
    const url = readField(request, name);
    if (typeof url === "string" && url !== "") return url;
  }
  const { baseURL = "", url = "", params } = config;
  const isWhole = baseURL === "" || /^([a-z][a-z\d+\-.]*:)?\/\//i.test(url);
  const whole = isWhole ? url : `${baseURL.replace(/\/$/, "")}/${url.replace(/^\//, "")}`;
  const query = writeQuery(params);
  return query === "" ? whole : `${whole}${whole.includes("?") ? "&" : "?"}${query}`;
}

/** Parameters without the rules of a `paramsSerializer`. */
function writeQuery(params: unknown): string {
  if (typeof params !== "object" || params === null) return "";
  if (params instanceof URLSearchParams) return params.toString();
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue;
    if (Array.isArray(value)) { for (const item of value) query.append(`${name}[]`, String(item)); }
    else query.append(name, String(value));
  }
  return query.toString();
}

/** The body as it is sent: outside browsers the `fetch` adapter sends multipart under any media type. */
export function asAxiosSends(config: AxiosConfigLike, body: ObservedBody): ObservedBody {
  if (body.isRebuilt !== true || isBrowser() || !usesFetch(config.adapter)) return body;
  // The default is set after the data were transformed.
  const isNamed = (): boolean => {
    const named = headerValue(headerPairs(config.headers), "content-type") ?? "";
    return named !== "" && !/^multipart\//i.test(named);
  };
  return {
    seen: body.seen,
    get isRebuilt() {
      return !isNamed();
    },
    contentType: body.contentType,
    abandon: body.abandon,
  };
}

function usesFetch(adapter: unknown): boolean {
  for (const candidate of Array.isArray(adapter) ? adapter : [adapter]) {
    if (candidate === "fetch") return true;
    if (candidate !== "xhr" || "XMLHttpRequest" in globalThis) return false;
  }
  return false;
}

/** Pages and the workers of browsers, where the platform names the media type of forms. */
function isBrowser(): boolean {
  return "document" in globalThis || "importScripts" in globalThis;
}

/** Text has the media type that axios gave it, whatever `fetch` would say. */
function withoutTextType(body: ObservedBody): ObservedBody {
  if (body.contentType === undefined || !body.contentType.startsWith("text/plain")) return body;
  return { ...body, contentType: undefined };
}

/** The content as axios hands it to `transformResponse`: decompressed, or a stream that the caller reads. */
export function axiosContent(data: unknown, headers: unknown, limit: number): ReceivedContent {
  // The headers of axios have methods beside their fields.
  const pairs = headerPairs(hasMethods(headers, "toJSON") ? headers.toJSON() : headers);
  if (limit === 0) return { headers: pairs };
  if (isEmitter(data)) {
    const body = observeReadable(data as ReadableLike, limit, isEndless(pairs));
    return { headers: pairs, body, isDecoded: true };
  }
  // A stream of the web can be read once, by the caller.
  if (data instanceof ReadableStream) return { headers: pairs };
  if (typeof data !== "string" && !isBinary(data)) {
    // Parsed JSON says what its text said; nothing is known of other objects.
    const isJson = mediaKind(mediaEssence(headerValue(pairs, "content-type") ?? "")) === "json";
    const isEmpty = data === undefined || data === null;
    if (!isEmpty && !isJson) return { headers: pairs };
    const text = isEmpty ? "" : JSON.stringify(data);
    return { headers: pairs, body: observeBody(text, limit).observed };
  }
  return { headers: pairs, body: observeBody(data, limit).observed, isDecoded: true };
}

function isBinary(data: unknown): boolean {
  return ArrayBuffer.isView(data) || data instanceof ArrayBuffer || data instanceof Blob;
}
