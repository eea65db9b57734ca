import type { SuggestionFormat } from "../suggestion.ts";

/** A covtool traffic file, without responses. */
export const trafficFormat: SuggestionFormat = {
  name: "json",
  extensions: [".json"],
  write({ requests }) {
    const lines = requests.map(({ request }) => JSON.stringify({ request }));
    return lines.length === 0
      ? '{"interactions":[]}\n'
      : `{"interactions":[\n${lines.join(",\n")}\n]}\n`;
  },
};
