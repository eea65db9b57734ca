import { curlFormat } from "./curl_format.ts";
import { harFormat } from "./har_format.ts";
import { httpFormat } from "./http_format.ts";
import { postmanFormat } from "./postman_format.ts";
import type { SuggestionFormat } from "../suggestion.ts";
import { textFormat } from "./text_format.ts";

/** A covtool traffic file without responses. */
const trafficFormat: SuggestionFormat = {
  name: "json",
  extensions: [".json"],
  write({ requests }) {
    const lines = requests.map(({ request }) => JSON.stringify({ request }));
    return lines.length === 0
      ? '{"interactions":[]}\n'
      : `{"interactions":[\n${lines.join(",\n")}\n]}\n`;
  },
};

export const SUGGESTION_FORMATS: readonly SuggestionFormat[] = [
  textFormat,
  curlFormat,
  httpFormat,
  trafficFormat,
  harFormat,
  postmanFormat,
];
