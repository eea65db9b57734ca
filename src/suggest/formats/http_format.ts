import { placeholderNames, splitPlaceholders } from "./placeholder_names.ts";
import { requestTitle } from "./request_title.ts";
import type { SuggestionFormat } from "./suggestion_format.ts";

/** The format of REST clients in editors (`.http`), with placeholders as variables that take those of the environment. */
export const httpFormat: SuggestionFormat = {
  name: "http",
  extensions: [".http", ".rest"],
  write({ requests }) {
    const variables = placeholderNames(requests)
      .map((name) => `@${name} = {{$processEnv ${name}}}\n`).join("");
    const blocks = requests.map((suggestion) => {
      const { request: { method, url, headers, body }, placeholders } = suggestion;
      const filled = (text: string) =>
        splitPlaceholders(text, placeholders)
          .map((piece) => "name" in piece ? `{{${piece.name}}}` : piece.text).join("");
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${filled(value)}\n`);
      const content = body === undefined ? "" : `\n${body.replace(/\r?\n$/, "")}\n`;
      return `### ${requestTitle(suggestion)}\n${method} ${filled(url)}\n${
        fields.join("")
      }${content}`;
    });
    return [variables, ...blocks].filter((block) => block !== "").join("\n");
  },
};
