import type { TextPart } from "../../../http/write_multipart.ts";
import { expression, JAVASCRIPT_STYLE, variableLines } from "./javascript_tests.ts";
import {
  expectsRedirect,
  statusTexts,
  type SuggestedTest,
  type TestFormat,
  testVariables,
  textHeaders,
  writeForm,
} from "./test_format.ts";
import { type DataStyle, quotedText, writeData } from "./write_data.ts";

/** Modules that are built into k6. */
const MODULES = { check: "k6", http: "k6/http" };

/** A k6 script that sends each request once, and fails if a response isn't as expected; in the layout of Prettier. */
export const k6Format: TestFormat = {
  name: "k6",
  extension: ".js",
  fileName: (group) => `${group}.js`,
  write(tests) {
    const variables = testVariables(tests).map((variable) =>
      variableLines(variable, { environment: (name) => `__ENV.${name}` })
    );
    const redirects = tests.some(expectsRedirect) ? ", redirects: 0" : "";
    return `import { check } from ${quotedText(MODULES.check)};
import http from ${quotedText(MODULES.http)};

${variables.join("")}
// 4XX: all of 400 to 499.
const requests = [
${tests.map(entry).join("")}];

export const options = { thresholds: { checks: ["rate==1"] } };

export default function () {
  for (const { name, method, url, headers, body, ...expected } of requests) {
    const params = { headers${redirects} };
    const response = http.request(method, url, body ?? null, params);
    check(response, { [name]: (answer) => isExpected(answer, expected) });
  }
}

function isExpected({ status, headers }, { statuses, mediaTypes }) {
  const found = [String(status), \`\${String(status).slice(0, 1)}XX\`];
  const mediaType = (headers["Content-Type"] ?? "").split(";")[0];
  return (
    statuses.some((expected) => found.includes(expected)) &&
    (mediaTypes === undefined || mediaTypes.includes(mediaType))
  );
}
`;
  },
};

function entry(test: SuggestedTest): string {
  const { title, method, base, target, headers, body, placeholders, statuses, mediaTypes } = test;
  const isText = body !== undefined && "parts" in body && !isComposable(body.parts);
  const fields = isText ? textHeaders(test) : headers;
  const style: DataStyle = {
    ...JAVASCRIPT_STYLE,
    text: (value) => expression(value, placeholders),
  };
  const data = (name: string, value: SuggestedTest["headers"] | readonly string[]) =>
    [name, writeData(value, style, 4, 4 + `${name}: `.length)] as const;
  const members: readonly (readonly [string, string])[] = [
    ["name", quotedText(title)],
    ["method", quotedText(method)],
    ["url", expression(target, placeholders, base.name)],
    ...Object.keys(fields).length === 0 ? [] : [data("headers", fields)],
    ...body === undefined ? [] : [["body", bodyText(body)] as const],
    data("statuses", statusTexts(statuses, "XX")),
    ...mediaTypes.length === 0 ? [] : [data("mediaTypes", mediaTypes)],
  ];
  return `  {\n${members.map(([name, text]) => `    ${name}: ${text},\n`).join("")}  },\n`;
}

function bodyText(body: NonNullable<SuggestedTest["body"]>): string {
  if ("json" in body) {
    const start = "body: JSON.stringify(";
    return `JSON.stringify(${writeData(body.json, JAVASCRIPT_STYLE, 4, 4 + start.length, 2)})`;
  }
  if ("text" in body) return quotedText(body.text);
  if (!isComposable(body.parts)) return quotedText(writeForm(body.parts).body);
  const lines = body.parts.map(({ name, text, fileName, mediaType = "" }) => {
    const member = `      ${JAVASCRIPT_STYLE.key(name)}: `;
    const values = [text, fileName, mediaType].map((value = "") => quotedText(value));
    if (fileName === undefined) return `${member}${JAVASCRIPT_STYLE.text(text)},\n`;
    const line = `${member}http.file(${values.join(", ")}),\n`;
    return line.length <= JAVASCRIPT_STYLE.width + 1
      ? line
      : `${member}http.file(\n${values.map((value) => `        ${value},\n`).join("")}      ),\n`;
  });
  return `{\n${lines.join("")}    }`;
}

/** True for a form that k6 can compose itself: with a file, and with one part for each name. */
function isComposable(parts: readonly TextPart[]): boolean {
  return parts.some(({ fileName }) => fileName !== undefined) &&
    parts.every(({ fileName, mediaType }) =>
      (fileName === undefined) === (mediaType === undefined)
    ) &&
    new Set(parts.map(({ name }) => name)).size === parts.length;
}
