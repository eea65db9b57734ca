import type { ObservedBody } from "./body_buffer.ts";
import type { SentRequest } from "./exchange.ts";
import { headerPairs } from "./header_pairs.ts";
import { clientRequestUrl, isClientRequest } from "./observe_client_request.ts";

/** What is used of the configuration of one request of axios. */
export interface AxiosConfigLike {
  /** The method, in any case; `GET` where it is missing. */
  readonly method?: string | undefined;
  /** The URL, or a part of one that follows `baseURL`. */
  readonly url?: string | undefined;
  /** What a relative URL follows. */
  readonly baseURL?: string | undefined;
  /** Parameters of the query. */
  readonly params?: unknown;
  /** Header fields, as an object or as `AxiosHeaders`. */
  readonly headers?: unknown;
  /** What is sent. */
  readonly data?: unknown;
  /** Functions that the data go through before they are sent. */
  transformRequest?: unknown;
  /** Decides whether a status is an error. */
  validateStatus?: unknown;
  /** Is asked before a redirect is followed, on Node.js. */
  beforeRedirect?: unknown;
}

/** What is used of a response of axios. */
export interface AxiosResponseLike {
  /** The status code. */
  readonly status: number;
  /** The configuration of its request. */
  readonly config?: AxiosConfigLike | undefined;
  /** What the adapter made: a `ClientRequest`, a `Request`, an `XMLHttpRequest`. */
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

/** Where a request went, as far as its adapter says so; else as its configuration says. */
export function axiosUrl(config: AxiosConfigLike, request: unknown): string {
  if (isClientRequest(request)) return clientRequestUrl(request);
  if (typeof request === "object" && request !== null) {
    if ("url" in request && typeof request.url === "string" && request.url !== "") {
      return request.url;
    }
    if ("responseURL" in request && typeof request.responseURL === "string") {
      if (request.responseURL !== "") return request.responseURL;
    }
  }
  const { baseURL = "", url = "", params } = config;
  const isWhole = baseURL === "" || /^([a-z][a-z\d+\-.]*:)?\/\//i.test(url);
  const whole = isWhole ? url : `${baseURL.replace(/\/$/, "")}/${url.replace(/^\//, "")}`;
  const query = queryOf(params);
  return query === "" ? whole : `${whole}${whole.includes("?") ? "&" : "?"}${query}`;
}

/** Parameters without the rules of a `paramsSerializer`. */
function queryOf(params: unknown): string {
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

/** Text has the media type that axios gave it, whatever `fetch` would say. */
function withoutTextType(body: ObservedBody): ObservedBody {
  if (body.contentType === undefined || !body.contentType.startsWith("text/plain")) return body;
  return { ...body, contentType: undefined };
}
