import { hasHeaders } from "../http/headers.ts";
import type { HttpRequest, HttpResponse } from "../http/interaction.ts";
import {
  FULL_VISIBILITY,
  showsHeader,
  type Visibility,
  type VisibleHeaders,
} from "../http/visibility.ts";
import type { ParameterLocation } from "../values/parameter_location.ts";

/** The parts of interactions that traffic could show; whether it showed statuses and times, the counts tell. */
export type Visible = Omit<Visibility, "status" | "time">;

/** What hits show that don't say it: they are of versions of covtool that read no more. */
export const DEFAULT_VISIBLE: Visible = {
  ...FULL_VISIBILITY,
  response_headers: "none",
  response_body: false,
};

/**
 * What the traffic so far could show: each part that any interaction could. Adding is commutative, as for all counts.
 *
 * @example
 * ```ts
 * import { VisibleParts } from "./visible_parts.ts";
 * import assert from "node:assert/strict";
 *
 * const visible = new VisibleParts();
 * visible.add(undefined, { method: "GET", url: "/books" }, undefined);
 * assert.equal(visible.shows("query", "limit"), true);
 * assert.equal(visible.shows("header", "X-Tenant"), false); // no request is without header fields
 * ```
 */
export class VisibleParts {
  #query = false;
  #requestHeaders: VisibleHeaders = "none";
  #requestBody = false;
  #responseHeaders: VisibleHeaders = "none";
  #responseBody = false;
  /** True if everything could be seen, so that nothing changes any more. */
  #isFull = false;

  /**
   * Adds what one interaction could show.
   *
   * @param visibility What its source says of it; undefined for everything. What the interaction lacks all the same was
   * not recorded: header fields, which every message has, and the body of a response.
   */
  add(
    visibility: Visibility | undefined,
    { headers }: HttpRequest,
    response: HttpResponse | undefined,
  ): void {
    if (this.#isFull) return;
    const declared = visibility ?? FULL_VISIBILITY;
    if (!this.#query && declared.query) this.#query = true;
    if (!this.#requestBody && declared.request_body) this.#requestBody = true;
    if (this.#requestHeaders !== "all") {
      this.#requestHeaders = shownHeaders(
        this.#requestHeaders,
        declared.request_headers,
        headers,
      );
    }
    if (response === undefined) return;
    if (this.#responseHeaders !== "all") {
      this.#responseHeaders = shownHeaders(
        this.#responseHeaders,
        declared.response_headers,
        response.headers,
      );
    }
    if (!this.#responseBody && declared.response_body) {
      const { body } = response;
      if (body !== undefined && body !== null) this.#responseBody = true;
    }
    this.#isFull = this.#responseBody && this.#responseHeaders === "all" &&
      this.#requestHeaders === "all" && this.#query && this.#requestBody;
  }

  /** Adds what other traffic could show. */
  merge(other: Visible): void {
    if (other.query) this.#query = true;
    if (other.request_body) this.#requestBody = true;
    if (other.response_body) this.#responseBody = true;
    this.#requestHeaders = eitherHeaders(this.#requestHeaders, other.request_headers);
    this.#responseHeaders = eitherHeaders(this.#responseHeaders, other.response_headers);
  }

  /** All of it; names of header fields are sorted. */
  get parts(): Visible {
    return {
      query: this.#query,
      request_headers: this.#requestHeaders,
      request_body: this.#requestBody,
      response_headers: this.#responseHeaders,
      response_body: this.#responseBody,
    };
  }

  /** True if a parameter could be seen. */
  shows(location: ParameterLocation, name: string): boolean {
    return showsParameter(this.parts, location, name);
  }
}

/** True if a parameter can be seen where these parts can be; the path always can. */
export function showsParameter(
  visible: Visible,
  location: ParameterLocation,
  name: string,
): boolean {
  switch (location) {
    case "path":
      return true;
    case "query":
      return visible.query;
    case "header":
      return showsHeader(visible.request_headers, name.toLowerCase());
    case "cookie":
      return showsHeader(visible.request_headers, "cookie");
    case "body":
    case "form_data":
      return visible.request_body;
  }
}

function shownHeaders(
  known: VisibleHeaders,
  declared: VisibleHeaders,
  headers: HttpRequest["headers"],
): VisibleHeaders {
  if (declared === "all") return hasHeaders(headers) ? "all" : known;
  return eitherHeaders(known, declared);
}

function eitherHeaders(one: VisibleHeaders, other: VisibleHeaders): VisibleHeaders {
  if (other === "none" || other === one) return one;
  if (one === "none") return typeof other === "string" ? other : sorted(other);
  if (one === "all" || other === "all") return "all";
  return other.every((name) => one.includes(name.toLowerCase())) ? one : sorted([...one, ...other]);
}

function sorted(names: readonly string[]): VisibleHeaders {
  const lower = [...new Set(names.map((name) => name.toLowerCase()))].sort();
  return lower.length === 0 ? "none" : lower;
}
