import { hasHeaders } from "../http/headers.ts";
import type { HttpRequest, HttpResponse } from "../http/interaction.ts";
import {
  FULL_VISIBILITY,
  listsHeaders,
  showsHeader,
  uniteHeaders,
  type Visibility,
  type VisibleHeaders,
} from "../http/visibility.ts";
import type { ParameterLocation } from "../values/position.ts";

/** The parts of interactions that traffic could show. Counts tell whether it showed statuses and times. */
export type TrafficVisibility = Omit<Visibility, "status" | "time">;

/** The visible parts for hits without this information: earlier versions of covtool read only these parts. */
export const DEFAULT_VISIBILITY: TrafficVisibility = {
  ...FULL_VISIBILITY,
  response_headers: "none",
  response_body: false,
};

/** The parts that the traffic so far could show. Addition is commutative, as for all counts. */
export class VisibleParts {
  readonly #parts: { -readonly [Name in keyof TrafficVisibility]: TrafficVisibility[Name] } = {
    path_parameters: false,
    query: false,
    request_headers: "none",
    request_body: false,
    response_headers: "none",
    response_body: false,
  };
  /** The header fields added last: consecutive messages mostly have the same ones. */
  readonly #last: { request_headers: VisibleHeaders; response_headers: VisibleHeaders } = {
    request_headers: "none",
    response_headers: "none",
  };
  /** True once all parts were visible, after which nothing can change. */
  #isFull = false;

  /** Adds what an interaction could show. Absent header fields or an absent response body count as not recorded. */
  add(
    visibility: Visibility | undefined,
    { headers }: HttpRequest,
    response: HttpResponse | undefined,
  ): void {
    if (this.#isFull) return;
    const declared = visibility ?? FULL_VISIBILITY;
    const parts = this.#parts;
    if (declared.path_parameters) parts.path_parameters = true;
    if (declared.query) parts.query = true;
    if (declared.request_body) parts.request_body = true;
    this.#addHeaders("request_headers", declared, headers);
    if (response === undefined) return;
    this.#addHeaders("response_headers", declared, response.headers);
    const { body } = response;
    if (declared.response_body && body !== undefined && body !== null) parts.response_body = true;
    this.#isFull = parts.response_body && parts.response_headers === "all" &&
      parts.request_headers === "all" && parts.query && parts.request_body && parts.path_parameters;
  }

  #addHeaders(
    name: "request_headers" | "response_headers",
    { [name]: declared }: Visibility,
    headers: HttpRequest["headers"],
  ): void {
    if (declared === "none" || declared === this.#last[name]) return;
    if (!listsHeaders(declared) && !hasHeaders(headers)) return;
    this.#last[name] = declared;
    this.#parts[name] = uniteHeaders(this.#parts[name], declared);
  }

  merge(other: TrafficVisibility): void {
    const parts = this.#parts;
    parts.path_parameters ||= other.path_parameters;
    parts.query ||= other.query;
    parts.request_body ||= other.request_body;
    parts.response_body ||= other.response_body;
    parts.request_headers = uniteHeaders(parts.request_headers, other.request_headers);
    parts.response_headers = uniteHeaders(parts.response_headers, other.response_headers);
  }

  /** The names of header fields are sorted. */
  get parts(): TrafficVisibility {
    return { ...this.#parts };
  }

  shows(location: ParameterLocation, name: string): boolean {
    return showsParameter(this.#parts, location, name);
  }
}

export function showsParameter(
  visible: TrafficVisibility,
  location: ParameterLocation,
  name: string,
): boolean {
  switch (location) {
    case "path":
      return visible.path_parameters;
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
