import type { Interaction } from "../../http/interaction.ts";
import { FULL_VISIBILITY, type Visibility } from "../../http/visibility.ts";
import { Redactor } from "../../redact/redactor.ts";

/** One request in a log, as far as the log has it. */
export interface LogEntry {
  readonly method: string;
  /** The path with its query, or the full URL. */
  readonly target: string;
  /** `https://shop.example`, for a target that is a path; undefined if the log doesn't say. */
  readonly origin?: string | undefined;
  /** The status that was sent; undefined if none was. */
  readonly status?: number | undefined;
  /** The seconds since 1970 at which the request was received. */
  readonly timestamp?: number | undefined;
  /** The seconds that it took to answer. */
  readonly elapsed?: number | undefined;
  /** Header fields of the request, without those that say who sent it. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Header fields of the response. */
  readonly responseHeaders?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** The body of the request, if the log has bodies. */
  readonly body?: Uint8Array | string | undefined;
  /** The body of the response, if the log has bodies. */
  readonly responseBody?: Uint8Array | string | undefined;
  /** What the log can show. */
  readonly visibility?: Visibility | undefined;
}

/** What a source shows that has everything but who sent a request. */
export const PUBLIC_VISIBILITY: Visibility = {
  ...FULL_VISIBILITY,
  request_headers: "public",
  response_headers: "public",
};

/** What a line shows that has no header fields. */
export const LINE_VISIBILITY: Visibility = {
  path_parameters: true,
  query: true,
  request_headers: "none",
  request_body: false,
  response_headers: "none",
  response_body: false,
  status: true,
  time: true,
};

/** Methods whose requests have a body as a rule, of which a log says nothing. */
const WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

const redactor = new Redactor();

/** While it is put together: member by member, as copies would take longer than reading. */
type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * Makes an interaction of an entry of a log. Secrets in its URL are masked here, so that they are never kept: those who
 * run tests choose what they send, the customers in a log didn't.
 *
 * @example
 * ```ts
 * import { logInteraction } from "./log_interaction.ts";
 * import assert from "node:assert/strict";
 *
 * const { request, response } = logInteraction({ method: "GET", target: "/a?token=s3cret", status: 200 });
 * assert.deepEqual(request, { method: "GET", url: "/a?token=a1aaaa" });
 * assert.deepEqual(response, { status_code: 200 });
 * ```
 */
export function logInteraction(entry: LogEntry): Interaction {
  const { method, target, origin, status, timestamp, elapsed } = entry;
  const request: Writable<Interaction["request"]> = {
    method,
    url: withoutSecrets(
      origin !== undefined && target.startsWith("/") ? origin + target : target,
    ),
  };
  if (entry.headers !== undefined) request.headers = entry.headers;
  const { body, visibility } = entry;
  if (body !== undefined) request.body = body;
  else if (WITH_BODY.has(method) && visibility?.request_body !== true) {
    request.body_truncated = true;
  }
  const interaction: Writable<Interaction> = { request };
  if (visibility !== undefined) interaction.visibility = visibility;
  if (isStatus(status)) {
    const response: Writable<NonNullable<Interaction["response"]>> = { status_code: status };
    if (entry.responseHeaders !== undefined) response.headers = entry.responseHeaders;
    if (entry.responseBody !== undefined) response.body = entry.responseBody;
    if (elapsed !== undefined && elapsed >= 0 && elapsed < Infinity) response.elapsed = elapsed;
    interaction.response = response;
  }
  if (timestamp !== undefined) interaction.timestamp = timestamp;
  return interaction;
}

/** The URL with its secrets masked. Most have no query and nothing else that could be one. */
function withoutSecrets(url: string): string {
  return url.includes("?") || url.includes("@") || url.includes("#") ? redactor.url(url) : url;
}

/**
 * True for a status that a client was sent. Servers log others where none was: nginx 499 and 444 where the client or
 * the server closed the connection, Envoy 0.
 */
function isStatus(status: number | undefined): status is number {
  return status !== undefined && status >= 100 && status <= 999 && status !== 499 && status !== 444;
}
