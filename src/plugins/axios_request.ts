import type { ObservedBody } from "./body_buffer.ts";
import type { SentRequest } from "./plugin_sink.ts";
import { headerPairs, headerValue } from "../http/header_pairs.ts";
import { clientRequestUrl, isClientRequest } from "./observe_node_http.ts";
import { readField } from "./observe_response.ts";

/** The part of an axios request configuration that covtool uses. */
export interface AxiosConfigLike {
  /** The method, in any case (default: `GET`). */
  readonly method?: string | undefined;
  /** The URL, absolute or relative to `baseURL`. */
  readonly url?: string | undefined;
  /** The base of relative URLs. */
  readonly baseURL?: string | undefined;
  /** Query parameters. */
  readonly params?: unknown;
  /** Header fields, as an object or as `AxiosHeaders`. */
  readonly headers?: unknown;
  /** The request body. */
  readonly data?: unknown;
  /** Functions that transform the data before they are sent. */
  transformRequest?: unknown;
  /** Functions that transform the response data before the caller gets them. */
  transformResponse?: unknown;
  /** Decides whether a status is an error. */
  validateStatus?: unknown;
  /** Called before a redirect is followed, on Node.js. */
  beforeRedirect?: unknown;
  /** The adapter or adapters, by name or as functions: the first one that the platform supports is used. */
  readonly adapter?: unknown;
}

/** The part of an axios response that covtool uses. */
export interface AxiosResponseLike {
  /** The status code. */
  readonly status: number;
  /** The data as the caller gets them. */
  readonly data?: unknown;
  /** Header fields. */
  readonly headers?: unknown;
  /** The configuration of the request. */
  readonly config?: AxiosConfigLike | undefined;
  /** The request of the adapter: a `ClientRequest`, a `Request` or an `XMLHttpRequest`. */
  readonly request?: unknown;
}

/** Reads the request of a configuration. The headers are read on access, as axios completes them late. */
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
    // Text has the media type that axios sets, not the default of `fetch`.
    body: body.contentType?.startsWith("text/plain") ? { ...body, contentType: undefined } : body,
  };
}

/** Returns the URL of a request from the adapter's request, or else from the configuration. */
export function axiosUrl(config: AxiosConfigLike, request: unknown): string {
  if (isClientRequest(request)) return clientRequestUrl(request);
  for (const name of ["url", "responseURL"]) {
    const url = readField(request, name);
    if (typeof url === "string" && url !== "") return url;
  }
  const { baseURL = "", url = "", params } = config;
  const isAbsolute = baseURL === "" || /^([a-z][a-z\d+\-.]*:)?\/\//i.test(url);
  const fullUrl = isAbsolute ? url : `${baseURL.replace(/\/$/, "")}/${url.replace(/^\//, "")}`;
  const query = writeQuery(params);
  return query === "" ? fullUrl : `${fullUrl}${fullUrl.includes("?") ? "&" : "?"}${query}`;
}

/** Serializes query parameters in the default format, without regard to a `paramsSerializer`. */
function writeQuery(params: unknown): string {
  if (typeof params !== "object" || params === null) return "";
  if (params instanceof URLSearchParams) return params.toString();
  const query = new URLSearchParams();
  const add = (name: string, value: unknown, isList = false): void => {
    if (isNested(value)) {
      const plain = name.replace(/\[\]$/, "");
      for (const [key, item] of Object.entries(value)) add(`${plain}[${isList ? "" : key}]`, item);
    } else if (value instanceof Date) query.append(name, value.toISOString());
    else if (value !== undefined && value !== null) query.append(name, String(value));
  };
  for (const [name, value] of Object.entries(params)) {
    const isList = Array.isArray(value) && (name.endsWith("[]") || !value.some(isNested));
    add(name, value, isList);
  }
  return query.toString();
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}

/** Returns the body as sent: outside browsers, the `fetch` adapter sends multipart bodies under any media type. */
export function withAxiosType(config: AxiosConfigLike, body: ObservedBody): ObservedBody {
  // In pages and workers of browsers, the platform sets the media type of forms.
  const isBrowser = "document" in globalThis || "importScripts" in globalThis;
  if (body.isRebuilt !== true || isBrowser || !usesFetch(config.adapter)) return body;
  // Axios sets the default media type after the data were transformed.
  const hasOtherType = (): boolean => {
    const contentType = headerValue(headerPairs(config.headers), "content-type") ?? "";
    return contentType !== "" && !/^multipart\//i.test(contentType);
  };
  return {
    captured: body.captured,
    get isRebuilt() {
      return !hasOtherType();
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
