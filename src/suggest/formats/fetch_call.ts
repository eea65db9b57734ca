import type { Suggestion } from "../suggestion.ts";
import { writePieces } from "./placeholder_names.ts";

/** A request as a call of `fetch()` in JavaScript, with placeholders as variables of the environment. */
export function fetchCall(
  { request, placeholders }: Pick<Suggestion, "request" | "placeholders">,
): string {
  const literal = (text: string) =>
    writePieces(text, placeholders, (name) => `process.env.${name}`, JSON.stringify, " + ") || '""';
  const { method, url, headers, body } = request;
  const fields = Object.entries(headers)
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${literal(value)},\n`);
  return `await fetch(${literal(url)}, {\n  method: ${JSON.stringify(method)},\n` +
    (fields.length === 0 ? "" : `  headers: {\n${fields.join("")}  },\n`) +
    (body === undefined ? "" : `  body: ${literal(body)},\n`) + "});\n";
}
