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
  #pathParameters = false;
  #query = false;
  readonly #requestHeaders = new HeaderUnion();
  #requestBody = false;
  readonly #responseHeaders = new HeaderUnion();
  #responseBody = false;
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
    if (!this.#pathParameters && declared.path_parameters) this.#pathParameters = true;
    if (!this.#query && declared.query) this.#query = true;
    if (!this.#requestBody && declared.request_body) this.#requestBody = true;
    this.#requestHeaders.add(declared.request_headers, headers);
    if (response === undefined) return;
    this.#responseHeaders.add(declared.response_headers, response.headers);
    if (!this.#responseBody && declared.response_body) {
      const { body } = response;
      if (body !== undefined && body !== null) this.#responseBody = true;
    }
    this.#isFull = this.#responseBody && this.#responseHeaders.shown === "all" &&
      this.#requestHeaders.shown === "all" && this.#query && this.#requestBody &&
      this.#pathParameters;
  }

  merge(other: TrafficVisibility): void {
    if (other.path_parameters) this.#pathParameters = true;
    if (other.query) this.#query = true;
    if (other.request_body) this.#requestBody = true;
    if (other.response_body) this.#responseBody = true;
    this.#requestHeaders.merge(other.request_headers);
    this.#responseHeaders.merge(other.response_headers);
  }

  /** The names of header fields are sorted. */
  get parts(): TrafficVisibility {
    return {
      path_parameters: this.#pathParameters,
      query: this.#query,
      request_headers: this.#requestHeaders.shown,
      request_body: this.#requestBody,
      response_headers: this.#responseHeaders.shown,
      response_body: this.#responseBody,
    };
  }

  shows(location: ParameterLocation, name: string): boolean {
    return showsParameter(this.parts, location, name);
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

/** The header fields that some message so far could show. */
class HeaderUnion {
  #shown: VisibleHeaders = "none";
  /** The value added last: consecutive messages mostly have the same one. */
  #last: VisibleHeaders = "none";

  get shown(): VisibleHeaders {
    return this.#shown;
  }

  add(declared: VisibleHeaders, headers: HttpRequest["headers"]): void {
    if (declared === "none" || declared === this.#last) return;
    if (!listsHeaders(declared) && !hasHeaders(headers)) return;
    this.#last = declared;
    this.merge(declared);
  }

  merge(declared: VisibleHeaders): void {
    this.#shown = uniteHeaders(this.#shown, declared);
  }
}
