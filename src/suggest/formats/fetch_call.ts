import type { Suggestion } from "../suggestion.ts";
import { splitPlaceholders } from "./placeholder_names.ts";

/**
 * A request as a call of `fetch()` in JavaScript, with placeholders as variables of the environment.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { fetchCall } from "./fetch_call.ts";
 *
 * const request = { method: "GET", url: "http://localhost/a", headers: { "X-Key": "$KEY" } };
 * assert.equal(
 *   fetchCall({ request, placeholders: ["$KEY"] }),
 *   `await fetch("http://localhost/a", {
 *   method: "GET",
 *   headers: {
 *     "X-Key": process.env.KEY,
 *   },
 * });
 * `,
 * );
 * ```
 */
export function fetchCall(
  { request, placeholders }: Pick<Suggestion, "request" | "placeholders">,
): string {
  const literal = (text: string) =>
    splitPlaceholders(text, placeholders).map((piece) =>
      "name" in piece ? `process.env.${piece.name}` : JSON.stringify(piece.text)
    ).join(" + ") || '""';
  const { method, url, headers, body } = request;
  const fields = Object.entries(headers)
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${literal(value)},\n`);
  return `await fetch(${literal(url)}, {\n  method: ${JSON.stringify(method)},\n` +
    (fields.length === 0 ? "" : `  headers: {\n${fields.join("")}  },\n`) +
    (body === undefined ? "" : `  body: ${literal(body)},\n`) + "});\n";
}
