import type { TextPart } from "../../../http/write_multipart.ts";
import columns from "fast-string-width";
import { fillTemplate } from "../placeholder_names.ts";
import {
  expectsRedirect,
  headersToSet,
  missingVariable,
  type SuggestedTest,
  type TestFormat,
  type TestVariable,
  testVariables,
  uniqueNames,
} from "./test_format.ts";
import { type DataStyle, quotedText, repeatedText, writeData } from "./write_data.ts";

/** Python literals in the layout of ruff. */
const STYLE: DataStyle = {
  width: 88,
  indent: 4,
  padding: "",
  literals: { true: "True", false: "False", null: "None" },
  key: quotedText,
  text: (value) => repeatedText(value, (letter, count) => `${letter} * ${count}`),
};

/** pytest functions that send requests with the library `requests`. */
export const pytestFormat: TestFormat = {
  name: "pytest",
  extension: ".py",
  fileName: (group) => `test_${group.replaceAll("-", "_")}.py`,
  write(tests) {
    const names = uniqueNames(
      tests,
      (words, number) => ["test", ...words, ...number === 1 ? [] : [number]].join("_"),
    );
    const functions = tests.map((test, index) => testFunction(test, names[index] ?? ""));
    const variables = testVariables(tests).map(variableLines).join("");
    const json = functions.some((text) => text.includes("json.dumps(")) ? "import json\n" : "";
    return [`${json}import os\n\nimport requests\n\n${variables}`, ...functions].join("\n\n");
  },
};

function variableLines(variable: TestVariable): string {
  const { name, value } = variable;
  if (value !== undefined) {
    return statement(`${name} = os.environ.get`, [quotedText(name), quotedText(value)], 0);
  }
  const error = statement("raise RuntimeError", [quotedText(missingVariable(variable))], 4);
  return `${statement(`${name} = os.environ.get`, [quotedText(name)], 0)}if not ${name}:\n${error}`;
}

function testFunction(test: SuggestedTest, name: string): string {
  const { method, base, target, placeholders, body, statuses, mediaTypes, required } = test;
  const isKnown = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method);
  const bodyArgument = body === undefined
    ? undefined
    : "json" in body
    ? `json=${writeData(body.json, STYLE, 8, "        json=".length)}`
    : "parts" in body
    ? `files=[\n${body.parts.map(partLine).join("")}        ]`
    : textArgument(body.text);
  const headers = headersToSet(test);
  const text = (value: string) => expression(value, placeholders);
  const call = statement(`response = requests.${isKnown ? method.toLowerCase() : "request"}`, [
    ...isKnown ? [] : [quotedText(method)],
    expression(target, placeholders, base.name),
    ...Object.keys(headers).length === 0
      ? []
      : [`headers=${writeData(headers, { ...STYLE, text }, 8, "        headers=".length)}`],
    ...bodyArgument === undefined ? [] : [bodyArgument],
    ...expectsRedirect(test) ? ["allow_redirects=False"] : [],
    "timeout=30",
  ], 4);
  const types = mediaTypes.length === 1
    ? quotedText(mediaTypes[0] ?? "")
    : writeData(mediaTypes, { ...STYLE, list: "()" }, 8, 8);
  const type = mediaTypes.length === 0
    ? ""
    : statement('assert response.headers["Content-Type"].startswith', [types], 4);
  const properties = required.length === 0
    ? ""
    : statement("assert set(response.json()).issuperset", [writeData(required, STYLE, 8, 8)], 4);
  return `def ${name}():\n${docstring(test.title)}${call}\n    assert ${
    statusCondition(statuses)
  }\n${type}${properties}`;
}

function partLine({ name, text, fileName, mediaType }: TextPart): string {
  const value = [fileName ?? null, text, ...mediaType === undefined ? [] : [mediaType]];
  return `            ${writeData([name, value], { ...STYLE, list: "()" }, 12, 12)},\n`;
}

function docstring(title: string): string {
  // Escapes each of several quotes but the last: with one escape, four quotes would leave three, which end the text.
  const text = title.replaceAll("\\", "\\\\").replaceAll(/"(?="")/g, '\\"');
  return `    """${text.endsWith('"') ? `${text} ` : text}"""\n`;
}

/** Writes a call on one line, or with a line for each argument if that is too long. */
function statement(start: string, values: readonly string[], indent: number): string {
  const margin = " ".repeat(indent);
  const line = `${margin}${start}(${values.join(", ")})`;
  if (!line.includes("\n") && columns(line) <= STYLE.width) return `${line}\n`;
  return `${margin}${start}(\n${
    values.map((value) => `${margin}    ${value},\n`).join("")
  }${margin})\n`;
}

/** Writes a body other than JSON; a text of several lines as a joined list. */
function textArgument(text: string): string {
  const lines = text.split("\r\n");
  // deno-lint-ignore no-control-regex
  const encoded = /^[\x00-\x7f]*$/.test(text) ? "" : ".encode()";
  if (lines.length < 3) return `data=${quotedText(text)}${encoded}`;
  return `data="\\r\\n".join(\n            ${writeData(lines, STYLE, 12, 12)}\n        )${encoded}`;
}

/** Writes text as an expression, with placeholders as constants, after the constant `base`. */
function expression(text: string, placeholders: readonly string[], base = ""): string {
  const escape = (piece: string) =>
    quotedText(piece).startsWith("'")
      ? JSON.stringify(piece).slice(1, -1).replaceAll(/[{}]/g, "$&$&")
      : quotedText(piece).slice(1, -1).replaceAll(/[{}]/g, "$&$&");
  const template = fillTemplate(text, placeholders, (name) => `{${name}}`, escape);
  const content = base === "" ? template : `{${base}}${template}`;
  if (content === escape(text)) return quotedText(text);
  return /^\{\w+\}$/.test(content) ? content.slice(1, -1) : `f"${content}"`;
}

function statusCondition({ exact, classes }: SuggestedTest["statuses"]): string {
  const conditions = [
    ...exact.length === 0 ? [] : [
      `response.status_code ${exact.length === 1 ? `== ${exact[0]}` : `in (${exact.join(", ")})`}`,
    ],
    ...classes.map((digit) => `${digit}00 <= response.status_code < ${digit + 1}00`),
  ];
  return conditions.join(" or ");
}
