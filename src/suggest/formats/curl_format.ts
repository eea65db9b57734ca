import type { Suggestion } from "../suggestion.ts";
import { splitPlaceholders } from "./placeholder_names.ts";
import { requestTitle } from "./request_title.ts";
import type { SuggestionFormat } from "./suggestion_format.ts";

/** curl in lines for a POSIX shell, with placeholders as variables of the environment. */
export const curlFormat: SuggestionFormat = {
  name: "curl",
  extensions: [".sh"],
  write: ({ requests }) =>
    requests.map((suggestion) => `# ${requestTitle(suggestion)}\n${curlLine(suggestion)}\n`)
      .join("\n"),
};

/**
 * A request as a command for a POSIX shell.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { curlLine } from "./curl_format.ts";
 *
 * const request = { method: "POST", url: "http://localhost/a", headers: { "X-Key": "$KEY" }, body: "it's" };
 * assert.equal(
 *   curlLine({ request, placeholders: ["$KEY"] }),
 *   `curl -X POST 'http://localhost/a' -H 'X-Key: '"$KEY" --data-raw 'it'\\''s'`,
 * );
 * ```
 */
export function curlLine(
  { request, placeholders }: Pick<Suggestion, "request" | "placeholders">,
): string {
  const quoted = (text: string) =>
    splitPlaceholders(text, placeholders).map((piece) =>
      "name" in piece ? `"$${piece.name}"` : `'${piece.text.replaceAll("'", "'\\''")}'`
    ).join("");
  const { method, url, headers, body } = request;
  const words = ["curl", ...methodWords(method, body), quoted(url)];
  for (const [name, value] of Object.entries(headers)) {
    // Without a value, curl would leave the field out.
    words.push("-H", quoted(value === "" ? `${name};` : `${name}: ${value}`));
  }
  if (body !== undefined) words.push("--data-raw", quoted(body));
  return words.join(" ");
}

function methodWords(method: string, body: string | undefined): readonly string[] {
  if (method === "HEAD") return ["--head"];
  return method === "GET" && body === undefined ? [] : ["-X", method];
}
