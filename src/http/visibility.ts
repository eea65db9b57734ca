import type { VisibleHeaders } from "./visible_headers.ts";

/**
 * What a source of traffic can show of each interaction. What no part of the traffic could have shown is not measured,
 * instead of being a gap. An access log, for one, shows paths and statuses, and neither headers nor bodies.
 */
export interface Visibility {
  /** The values of parameters in the path; false where only the route is known, as `/books/{id}`. */
  readonly path_parameters: boolean;
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
  path_parameters: true,
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
