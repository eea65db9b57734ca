import type { Suggestion, SuggestionFormat } from "../suggestion.ts";
import { fillTemplate, placeholderNames } from "./placeholder_names.ts";
import { requestTitle } from "./request_title.ts";

/** The format of REST clients in editors (`.http`), with placeholders as variables set from the environment. */
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

export function httpVariables(requests: readonly Pick<Suggestion, "placeholders">[]): string {
  return placeholderNames(requests).map((name) => `@${name} = {{$processEnv ${name}}}\n`).join("");
}

export function httpRequest(
  { request, placeholders }: Pick<Suggestion, "request" | "placeholders">,
): string {
  const { method, url, headers, body } = request;
  const fill = (text: string) => fillTemplate(text, placeholders, (name) => `{{${name}}}`);
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${fill(value)}\n`);
  const content = body === undefined ? "" : `\n${body.replace(/\r?\n$/, "")}\n`;
  return `${method} ${fill(url)}\n${fields.join("")}${content}`;
}
