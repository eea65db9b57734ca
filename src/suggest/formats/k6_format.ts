import { splitPlaceholders } from "./placeholder_names.ts";
import { requestTitle } from "./request_title.ts";
import type { SuggestionFormat } from "./suggestion_format.ts";

/** The modules that k6 has built in. */
const MODULES = { http: "k6/http", check: "k6" };

/** A script for k6 that sends each request once and checks the status, with placeholders from the environment. */
export const k6Format: SuggestionFormat = {
  name: "k6",
  extensions: [".js"],
  write({ requests }) {
    const entries = requests.map((suggestion) => {
      const { request: { method, url, headers, body }, placeholders, expects, breaks } = suggestion;
      // `default` is documented for all statuses without an entry of their own.
      const other = breaks === null ? "2XX" : "4XX";
      const expected = expects.map((status) => status === "default" ? other : status);
      const value = (text: string) =>
        splitPlaceholders(text, placeholders).map((piece) =>
          "name" in piece ? `__ENV.${piece.name}` : literal(piece.text)
        ).join(" + ") || '""';
      const fields = Object.entries(headers).map(([name, text]) =>
        `${literal(name)}: ${value(text)}`
      );
      return `  {
    name: ${literal(requestTitle(suggestion))},
    method: ${literal(method)},
    url: ${value(url)},
    headers: { ${fields.join(", ")} },
    body: ${body === undefined ? "null" : literal(body)},
    expects: ${JSON.stringify(expected)},
  },\n`;
    });
    return `import http from ${literal(MODULES.http)};
import { check } from ${literal(MODULES.check)};

const requests = [
${entries.join("")}];

/** Statuses and ranges of them (2XX). */
function isExpected(status, expects) {
  return expects.length === 0 || expects.some((one) =>
    one === String(status) || one.toUpperCase() === \`\${String(status)[0]}XX\`
  );
}

export const options = { vus: 1, iterations: 1 };

export default function () {
  for (const { name, method, url, headers, body, expects } of requests) {
    const response = http.request(method, url, body, { headers });
    check(response, { [name]: ({ status }) => isExpected(status, expects) });
  }
}
`;
  },
};

/** A string of JavaScript; JSON that is one everywhere. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
