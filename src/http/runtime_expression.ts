import { decodeUri } from "../values/escapes.ts";
import { findMember, pointerTokens } from "../values/json_pointer.ts";
import type { Json } from "../values/json.ts";
import { headerLookup } from "./headers.ts";
import type { HttpRequest, HttpResponse } from "./interaction.ts";

export interface RuntimeSource {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** The text that each path template captured, percent-encoded, in the order of `templates`. */
  readonly captures: readonly (string | undefined)[];
  readonly templates: readonly string[];
  /** The body of the response; undefined if it isn't JSON. */
  readonly body: Json | undefined;
  /** Reads the body of the request; returns undefined if it isn't JSON. */
  requestBody(): Json | undefined;
}

const EMBEDDED = /\{(\$[^{}]*)\}/g;

/** True for a runtime expression, or for text that contains one in braces. */
export function isExpression(value: unknown): value is string {
  return typeof value === "string" && (value.startsWith("$") || value.search(EMBEDDED) >= 0);
}

/** Evaluates a runtime expression (OpenAPI 3.2, section 4.20.3), or text that may contain some in braces. */
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
      return headerLookup((side === "request" ? request : response).headers)
        .get(name.toLowerCase());
    case "path": {
      const text = captures[templates.indexOf(name)];
      return text && decodeUri(text);
    }
    case "query":
      return new URLSearchParams(/\?([^#]*)/.exec(request.url)?.[1]).get(name) ?? undefined;
    default:
      return scalarText(
        pointerTokens(name).reduce<unknown>(
          findMember,
          side === "response" ? body : source.requestBody(),
        ),
      );
  }
}

export function scalarText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
