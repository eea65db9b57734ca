/** The header fields that a source can show: all, none, or those with these names in lower case. */
export type VisibleHeaders = "all" | "none" | readonly string[];

/**
 * What a source of traffic can show of each interaction. What no part of the traffic could have shown is not measured,
 * instead of being a gap. An access log, for one, shows paths and statuses, and neither headers nor bodies.
 */
export interface Visibility {
  /** The query of the URL. */
  readonly query: boolean;
  /** The header fields of requests; cookies are in the field `cookie`. */
  readonly request_headers: VisibleHeaders;
  /** The bodies of requests. */
  readonly request_body: boolean;
  /** The header fields of responses. */
  readonly response_headers: VisibleHeaders;
  /** The bodies of responses. */
  readonly response_body: boolean;
  /** The status codes of responses. */
  readonly status: boolean;
  /** The time at which requests were sent. */
  readonly time: boolean;
}

/** Everything, which is what a source shows unless it says otherwise. */
export const FULL_VISIBILITY: Visibility = {
  query: true,
  request_headers: "all",
  request_body: true,
  response_headers: "all",
  response_body: true,
  status: true,
  time: true,
};

/** Everything but the header fields of requests, and so their cookies. */
export const NO_REQUEST_HEADERS: Visibility = { ...FULL_VISIBILITY, request_headers: "none" };

/**
 * True if header fields of a name can be seen.
 *
 * @param name In lower case.
 *
 * @example
 * ```ts
 * import { showsHeader } from "./visibility.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(showsHeader("all", "x-tenant"), true);
 * assert.equal(showsHeader(["user-agent", "referer"], "x-tenant"), false);
 * ```
 */
export function showsHeader(headers: VisibleHeaders, name: string): boolean {
  return typeof headers === "string" ? headers === "all" : headers.includes(name);
}
