import { shellQuotation, shellWord } from "../../values/escapes.ts";
import type { Suggestion, SuggestionFormat } from "../suggestion.ts";
import { fillTemplate } from "./placeholder_names.ts";
import { requestTitle } from "./request_title.ts";

/** curl commands for a POSIX shell, with placeholders as environment variables. */
export const curlFormat: SuggestionFormat = {
  name: "curl",
  extensions: [".sh"],
  write: ({ requests }) =>
    requests.map((suggestion) => `# ${requestTitle(suggestion)}\n${curlLine(suggestion)}\n`)
      .join("\n"),
};

export function curlLine(suggestion: Pick<Suggestion, "request" | "placeholders">): string {
  return curlParts(suggestion).join(" ");
}

/** Returns the parts of a curl command: the command with its URL, then each option with its value. */
export function curlParts(
  { request, placeholders }: Pick<Suggestion, "request" | "placeholders">,
): string[] {
  const quote = (text: string) =>
    fillTemplate(text, placeholders, (name) => `"$${name}"`, shellQuotation);
  const { method, url, headers, body } = request;
  const parts = [["curl", ...methodWords(method, body), quote(url)].join(" ")];
  for (const [name, value] of Object.entries(headers)) {
    // Without a value, curl would leave the field out.
    parts.push(`-H ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`);
  }
  if (body !== undefined) parts.push(`--data-raw ${quote(body)}`);
  return parts;
}

function methodWords(method: string, body: string | undefined): readonly string[] {
  if (method === "HEAD") return ["--head"];
  return method === "GET" && body === undefined ? [] : ["-X", shellWord(method)];
}
