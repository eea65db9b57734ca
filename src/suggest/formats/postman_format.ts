import { placeholderNames, splitPlaceholders } from "./placeholder_names.ts";
import { requestTitle } from "./request_title.ts";
import type { SuggestionFormat } from "./suggestion_format.ts";

/** A collection of Postman (2.1), with placeholders as its variables. */
export const postmanFormat: SuggestionFormat = {
  name: "postman",
  extensions: [".postman_collection.json", ".json"],
  write({ requests }, title) {
    const item = requests.map((suggestion) => {
      const { request: { method, url, headers, body }, placeholders } = suggestion;
      const filled = (text: string) =>
        splitPlaceholders(text, placeholders)
          .map((piece) => "name" in piece ? `{{${piece.name}}}` : piece.text).join("");
      return {
        name: requestTitle(suggestion),
        request: {
          method,
          header: Object.entries(headers).map(([key, value]) => ({ key, value: filled(value) })),
          url: filled(url),
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
