import { decodeUri } from "../values/decode_uri.ts";
import { findMember, pointerTokens } from "../values/json_pointer.ts";
import type { Json } from "../values/json.ts";
import { headerLookup } from "./headers.ts";
import type { HttpRequest, HttpResponse } from "./interaction.ts";

/** A request and its answer, as runtime expressions see them. */
export interface RuntimeSource {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** The text of each template of the path, percent-encoded, and their names. */
  readonly captures: readonly (string | undefined)[];
  readonly templates: readonly string[];
  /** The body of the answer; undefined if it isn't JSON. */
  readonly body: Json | undefined;
  /** Reads the body of the request, likewise. */
  requestBody(): Json | undefined;
}

const EMBEDDED = /\{(\$[^{}]*)\}/g;

/** True for a runtime expression, and for text that holds some. */
export function isExpression(value: unknown): value is string {
  return typeof value === "string" && (value.startsWith("$") || value.search(EMBEDDED) >= 0);
}

/** The value of a runtime expression (OpenAPI 3.2, section 4.20.3), of a text that holds some in braces, or of a constant. */
export function evaluateExpression(text: string, source: RuntimeSource): string | undefined {
  if (text.startsWith("$")) return evaluate(text, source);
  const values = Array.from(
    text.matchAll(EMBEDDED),
    ([, expression = ""]) => evaluate(expression, source),
  );
  return values.includes(undefined)
    ? undefined
    : text.replace(EMBEDDED, () => values.shift() ?? "");
}

function evaluate(expression: string, source: RuntimeSource): string | undefined {
  const { request, response, captures, templates, body } = source;
  switch (expression) {
    case "$url":
      return request.url;
    case "$method":
      return request.method.toUpperCase();
    case "$statusCode":
      return scalarText(response.status_code);
  }
  const [, side, part, name = ""] =
    /^\$(request|response)\.(header|query|path|body)[.#]?(.*)$/.exec(expression) ?? [];
  if (side === undefined) return undefined;
  switch (part) {
    case "header":
      return headerLookup((side === "request" ? request : response).headers ?? undefined)
        .get(name.toLowerCase());
    case "path": {
      const text = captures[templates.indexOf(name)];
      return text && decodeUri(text);
    }
    case "query":
      return readQuery(request.url).get(name) ?? undefined;
    default:
      return scalarText(
        pointerTokens(name).reduce<unknown>(
          findMember,
          side === "response" ? body : source.requestBody(),
        ),
      );
  }
}

function readQuery(url: string): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? "");
}

export function scalarText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
