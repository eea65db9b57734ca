import type { Suggestion } from "../suggestion.ts";
import { placeholderNames, splitPlaceholders } from "./placeholder_names.ts";
import { requestTitle } from "./request_title.ts";
import type { SuggestionFormat } from "./suggestion_format.ts";

/** The format of REST clients in editors (`.http`), with placeholders as variables that take those of the environment. */
export const httpFormat: SuggestionFormat = {
  name: "http",
  extensions: [".http", ".rest"],
  write({ requests }) {
    const variables = httpVariables(requests);
    const blocks = requests.map((suggestion) =>
      `### ${requestTitle(suggestion)}\n${httpRequest(suggestion)}`
    );
    return [variables, ...blocks].filter((block) => block !== "").join("\n");
  },
};

/** The variables of a file: the placeholders of its requests. */
export function httpVariables(requests: readonly Pick<Suggestion, "placeholders">[]): string {
  return placeholderNames(requests).map((name) => `@${name} = {{$processEnv ${name}}}\n`).join("");
}

/** One request, without a title. */
export function httpRequest(
  { request, placeholders }: Pick<Suggestion, "request" | "placeholders">,
): string {
  const { method, url, headers, body } = request;
  const filled = (text: string) =>
    splitPlaceholders(text, placeholders)
      .map((piece) => "name" in piece ? `{{${piece.name}}}` : piece.text).join("");
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${filled(value)}\n`);
  const content = body === undefined ? "" : `\n${body.replace(/\r?\n$/, "")}\n`;
  return `${method} ${filled(url)}\n${fields.join("")}${content}`;
}
