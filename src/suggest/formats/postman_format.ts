import { fillTemplate, placeholderNames } from "./placeholder_names.ts";
import { requestTitle } from "./request_title.ts";
import type { SuggestionFormat } from "../suggestion.ts";

/** A Postman collection (2.1), with placeholders as collection variables and a test of the status for each request. */
export const postmanFormat: SuggestionFormat = {
  name: "postman",
  extensions: [".postman_collection.json", ".json"],
  write({ requests }, title) {
    const item = requests.map((suggestion) => {
      const { request: { method, url, headers, body }, placeholders, expects, breaks } = suggestion;
      const fill = (text: string) => fillTemplate(text, placeholders, (name) => `{{${name}}}`);
      return {
        name: requestTitle(suggestion),
        ...(expects.length > 0 && { event: [statusTest(expects, breaks === null)] }),
        request: {
          method,
          header: Object.entries(headers).map(([key, value]) => ({ key, value: fill(value) })),
          url: fill(url),
          ...(body !== undefined && { body: { mode: "raw", raw: body } }),
        },
      };
    });
    const collection = {
      info: {
        name: title,
        schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
      },
      item,
      variable: placeholderNames(requests).map((key) => ({ key, value: "" })),
    };
    return JSON.stringify(collection, null, 2) + "\n";
  },
};

/** Returns a script that checks the response's status; `default` is documented for all statuses without an entry. */
function statusTest(expects: readonly string[], isValid: boolean) {
  const statuses = expects.map((status) => status === "default" ? isValid ? "2XX" : "4XX" : status);
  const pattern = statuses.map((status) => status.toUpperCase().replaceAll("X", "\\d")).join("|");
  const exec = [
    `pm.test(${JSON.stringify(`status is ${statuses.join(" or ")}`)}, () => {`,
    `  pm.expect(String(pm.response.code)).to.match(/^(?:${pattern})$/);`,
    "});",
  ];
  return { listen: "test", script: { type: "text/javascript", exec } };
}
