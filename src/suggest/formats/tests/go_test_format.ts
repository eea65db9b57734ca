import { fillTemplate } from "../placeholder_names.ts";
import {
  expectsRedirect,
  missingVariable,
  pascalCase,
  statusTexts,
  type SuggestedTest,
  type TestBody,
  type TestFormat,
  type TestVariable,
  testVariables,
  textHeaders,
  titleWords,
  writeForm,
} from "./test_format.ts";

/** A table-driven test for `go test` with the standard library alone, in the layout of gofmt. */
export const goTestFormat: TestFormat = {
  name: "go-test",
  extension: "_test.go",
  // Without underscores: Go builds books_windows_test.go on that system only.
  fileName: (group) => `${group.replaceAll("-", "")}_test.go`,
  write(tests, group) {
    const code = testFunction(tests, `Test${pascalCase(titleWords(group))}`);
    const packages = ["io", "net/http", "os", "slices", "strconv", "strings", "testing"]
      .filter((path) => code.includes(`${path.replace(/^.*\//, "")}.`));
    return `package api_test

import (
${packages.map((path) => `\t"${path}"\n`).join("")})

${code}`;
  },
};

function testFunction(tests: readonly SuggestedTest[], name: string): string {
  const hasHeaders = tests.some((test) => Object.keys(textHeaders(test)).length > 0);
  const hasBodies = tests.some(({ body }) => body !== undefined);
  const hasTypes = tests.some(({ mediaTypes }) => mediaTypes.length > 0);
  const clientCode = tests.some(expectsRedirect)
    ? `\tclient := &http.Client{
\t\tCheckRedirect: func(*http.Request, []*http.Request) error {
\t\t\treturn http.ErrUseLastResponse
\t\t},
\t}\n`
    : "";
  const members: readonly [string, string, boolean][] = [
    ["name", "string", true],
    ["method", "string", true],
    ["url", "string", true],
    ["header", "map[string]string", hasHeaders],
    ["body", "string", hasBodies],
    ["statuses", "[]string // 4XX: all of 400 to 499", true],
    ["mediaTypes", "[]string", hasTypes],
  ];
  const used = members.filter(([, , isUsed]) => isUsed);
  const width = Math.max(...used.map(([name]) => name.length));
  return `func ${name}(t *testing.T) {
${testVariables(tests).map(variableLines).join("")}${clientCode}
\ttests := []struct {
${used.map(([name, type]) => `\t\t${name.padEnd(width)} ${type}\n`).join("")}\t}{
${tests.map(tableRow).join("")}\t}
\tfor _, tt := range tests {
\t\tt.Run(tt.name, func(t *testing.T) {
\t\t\treq, err := http.NewRequest(tt.method, tt.url, ${
    hasBodies ? "strings.NewReader(tt.body)" : "nil"
  })
\t\t\tif err != nil {
\t\t\t\tt.Fatal(err)
\t\t\t}
${
    hasHeaders
      ? "\t\t\tfor name, value := range tt.header {\n\t\t\t\treq.Header.Set(name, value)\n\t\t\t}\n"
      : ""
  }\t\t\tresp, err := ${clientCode === "" ? "http.DefaultClient" : "client"}.Do(req)
\t\t\tif err != nil {
\t\t\t\tt.Fatal(err)
\t\t\t}
\t\t\tdefer resp.Body.Close()

\t\t\tstatus := strconv.Itoa(resp.StatusCode)
\t\t\tif !slices.Contains(tt.statuses, status) && !slices.Contains(tt.statuses, status[:1]+"XX") {
\t\t\t\tbody, _ := io.ReadAll(resp.Body)
\t\t\t\tt.Errorf("got status %s, want %s: %s", status, strings.Join(tt.statuses, " or "), body)
\t\t\t}
${
    hasTypes
      ? `\t\t\tmediaType, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
\t\t\tif len(tt.mediaTypes) > 0 && !slices.Contains(tt.mediaTypes, mediaType) {
\t\t\t\tt.Errorf("got media type %q, want %s", mediaType, strings.Join(tt.mediaTypes, " or "))
\t\t\t}
`
      : ""
  }\t\t})
\t}
}
`;
}

/** Converts a variable's name as linters want it: `API_URL` becomes `apiURL`. */
function goName(name: string): string {
  const [first = "", ...words] = name.toLowerCase().split("_");
  return [first, ...words.map((word) => word === "url" ? "URL" : pascalCase([word]))].join("");
}

function variableLines(variable: TestVariable): string {
  const { name, value } = variable;
  const action = value === undefined
    ? `t.Fatal(${text(missingVariable(variable))})`
    : `${goName(name)} = ${text(value)}`;
  return `\t${goName(name)} := os.Getenv("${name}")
\tif ${goName(name)} == "" {
\t\t${action}
\t}
`;
}

function tableRow(test: SuggestedTest): string {
  const { title, method, base, target, body, placeholders, statuses, mediaTypes } = test;
  const fill = (value: string) =>
    fillTemplate(value, placeholders, (name) => goName(name), text, " + ");
  const list = (values: readonly string[]) => `[]string{${values.map(text).join(", ")}}`;
  const fields = Object.entries(textHeaders(test))
    .map(([name, value]) => `${text(name)}: ${fill(value) || '""'}`);
  const url = target === "" ? goName(base.name) : `${goName(base.name)} + ${fill(target)}`;
  const members: readonly (readonly [string, string])[] = [
    ["name", text(title)],
    ["method", text(method)],
    ["url", url],
    ...fields.length === 0 ? [] : [["header", `map[string]string{${fields.join(", ")}}`] as const],
    ...body === undefined ? [] : [["body", bodyText(body)] as const],
    ["statuses", list(statusTexts(statuses, "XX"))],
    ...mediaTypes.length === 0 ? [] : [["mediaTypes", list(mediaTypes)] as const],
  ];
  return `\t\t{\n${alignMembers(members)}\t\t},\n`;
}

/** Aligns values as gofmt does: those of consecutive members, up to a member of several lines. */
function alignMembers(members: readonly (readonly [name: string, value: string])[]): string {
  const sections: (readonly [string, string])[][] = [[]];
  for (const member of members) {
    sections.at(-1)?.push(member);
    if (member[1].includes("\n")) sections.push([]);
  }
  return sections.flatMap((section) => {
    const width = Math.max(
      ...section.filter(([, value]) => !value.includes("\n")).map(([name]) => name.length),
    );
    return section.map(([name, value]) =>
      `\t\t\t${value.includes("\n") ? `${name}:` : `${name}:`.padEnd(width + 1)} ${value},\n`
    );
  }).join("");
}

function bodyText(body: TestBody): string {
  if ("json" in body) {
    const json = JSON.stringify(body.json, null, "\t").replaceAll("\n", "\n\t\t\t");
    return /[`\ufeff]/.test(json) ? text(JSON.stringify(body.json)) : `\`${json}\``;
  }
  const lines = ("text" in body ? body.text : writeForm(body.parts).body).split("\r\n");
  if (lines.length < 3) return text(lines.join("\r\n"));
  return lines.slice(0, -1).map((line) => text(`${line}\r\n`)).join(" +\n\t\t\t\t") +
    (lines.at(-1) === "" ? "" : ` +\n\t\t\t\t${text(lines.at(-1) ?? "")}`);
}

/** Writes a Go string. Go has JSON's escapes, except for lone surrogates; a byte order mark may only begin a file. */
function text(value: string): string {
  return JSON.stringify(value.toWellFormed()).replaceAll("\ufeff", "\\ufeff");
}
