import type { TextPart } from "../../../http/write_multipart.ts";
import type { TestFormatName } from "../format_names.ts";
import columns from "fast-string-width";
import { fillTemplate } from "../placeholder_names.ts";
import {
  type ExpectedStatuses,
  expectsRedirect,
  headersToSet,
  missingVariable,
  statusTexts,
  type SuggestedTest,
  type TestBody,
  type TestFormat,
  type TestVariable,
  testVariables,
} from "./test_format.ts";
import { type DataStyle, quotedText, repeatedText, writeData } from "./write_data.ts";
import { escapePattern } from "../../../values/escapes.ts";

interface Runner {
  readonly name: TestFormatName;
  readonly extension: string;
  readonly imports: string;
  /** Returns the expression that reads an environment variable. */
  environment(name: string): string;
  /** The name of the function that declares a test. */
  readonly test: string;
  readonly parameters: string;
  readonly client: Client;
  readonly assertions: Assertions;
  /** True for Deno: the layout of deno fmt instead of Prettier, and file names in snake case: `book_reviews_test.ts`. */
  readonly isDeno?: true;
}

interface Client {
  /** Writes the statements that create `response`. */
  writeRequest(test: SuggestedTest, style: DataStyle): string;
  refuses?(test: SuggestedTest): boolean;
  /** Expressions for parts of the response. */
  readonly status: string;
  readonly contentType: string;
  readonly json: string;
  /** True if `contentType` is of type `string | null`. */
  readonly mayBeNull?: true;
}

interface Assertions {
  equal(actual: string, expected: string): string;
  match(actual: string, pattern: string): string;
  oneOf(actual: string, options: readonly number[]): string;
  includes(actual: string, text: string): string;
  has(actual: string, name: string): string;
}

/** JavaScript literals in the layout of Prettier. */
export const JAVASCRIPT_STYLE: DataStyle = {
  width: 80,
  indent: 2,
  padding: " ",
  literals: { true: "true", false: "false", null: "null" },
  key: (name) => {
    // Without brackets, this key would set the prototype.
    if (name === "__proto__") return '["__proto__"]';
    // A number in its usual notation needs no quotes.
    const isNumber = /^\d+(\.\d+)?$/.test(name) && String(Number(name)) === name;
    return isNumber || /^[A-Za-z_$][\w$]*$/.test(name) ? name : quotedText(name);
  },
  text: (value) => repeatedText(value, (letter, count) => `${letter}.repeat(${count})`),
  shortKey: 5,
  splitsLists: true,
  isPrettier: true,
};

/** Writes text as an expression, with placeholders as constants. */
export function expression(text: string, placeholders: readonly string[], base = ""): string {
  const template = fillTemplate(text, placeholders, (name) => `\${${name}}`, escapeTemplate);
  const content = base === "" ? template : `\${${base}}${template}`;
  if (content === escapeTemplate(text)) return quotedText(text);
  return /^\$\{\w+\}$/.test(content) ? content.slice(2, -1) : `\`${content}\``;
}

function escapeTemplate(text: string): string {
  return text.replaceAll(/[\\`]|\$(?=\{)/g, "\\$&").replaceAll("\r", "\\r");
}

/** Writes the arguments of a call whose first line is indented by a number of columns. */
type Arguments = (indent: number) => readonly string[];

/** Writes a call on one line (the last argument may go on), or with a line for each argument if that is too long. */
function call(start: string, write: Arguments, end: string, indent: number): string {
  const margin = " ".repeat(indent);
  const values = write(indent);
  const flat = values.map((value) => value.replace(SHORT_OBJECT, "{ $1 }"));
  const short = `${margin}${start}(${flat.join(", ")})${end}`;
  if (!short.includes("\n") && columns(short) <= JAVASCRIPT_STYLE.width) return short;
  const line = `${margin}${start}(${values.join(", ")})${end}`;
  if (line.includes("\n") && columns(line.slice(0, line.indexOf("\n"))) <= JAVASCRIPT_STYLE.width) {
    return line;
  }
  const lines = write(indent + 2).map((value) => `${margin}  ${value},\n`);
  return `${margin}${start}(\n${lines.join("")}${margin})${end}`;
}

/** Matches an object with one short member, which fits on one line. */
const SHORT_OBJECT = /^\{\n +([^\n]{1,20}),\n +\}$/;

type Members = readonly (readonly [name: string, text: string])[];

/** Writes an object as an argument of a call that is indented by a number of columns. */
function writeOptions(members: Members, indent: number): string[] {
  if (members.length === 0) return [];
  const margin = " ".repeat(indent);
  const lines = members.map(([name, text]) => `${margin}  ${name}: ${text},\n`);
  return [`{\n${lines.join("").replaceAll(": \n", ":\n")}${margin}}`];
}

function headerMember(
  headers: SuggestedTest["headers"],
  { placeholders }: SuggestedTest,
  style: DataStyle,
  depth: number,
): [string, string][] {
  if (Object.keys(headers).length === 0) return [];
  const text = (value: string) => expression(value, placeholders);
  return [["headers", writeData(headers, { ...style, text }, depth, depth + "headers: ".length)]];
}

/** Writes a text after a name or the start of a call; a text of several lines as a joined array. */
function textLiteral(text: string, style: DataStyle, depth: number, name: string): string {
  const lines = text.split("\r\n");
  const before = depth + name.length;
  if (lines.length < 3) {
    const literal = quotedText(text);
    const isLong = before + columns(literal) + 1 > style.width;
    return isLong && style.shortKey === 0 ? `\n${" ".repeat(depth + 2)}${literal}` : literal;
  }
  return `${writeData(lines, style, depth, before, '.join("\\r\\n"),'.length)}.join("\\r\\n")`;
}

/** Writes the statements that create `form` if the body is a form. */
function formLines(body: TestBody | undefined): string {
  if (body === undefined || !("parts" in body)) return "";
  const fields = body.parts.map(({ name, text, fileName, mediaType }) => {
    const blob = mediaType === undefined ? [quotedText(text)] : [
      `new Blob([${quotedText(text)}], { type: ${quotedText(mediaType)} })`,
      ...fileName === undefined ? [] : [quotedText(fileName)],
    ];
    return `${statement("form.append", [quotedText(name), ...blob])}\n`;
  });
  return `  const form = new FormData();\n${fields.join("")}`;
}

const FETCH: Client = {
  writeRequest(test, style) {
    const { method, target, base, placeholders, body } = test;
    const json = "body: JSON.stringify(";
    const content = (depth: number): string[] => {
      if (body === undefined) return [];
      if ("parts" in body) return ["form"];
      if ("text" in body) return [textLiteral(body.text, style, depth, "body: ")];
      return [`JSON.stringify(${writeData(body.json, style, depth, depth + json.length, 2)})`];
    };
    const url = expression(target, placeholders, base.name);
    const write: Arguments = (indent) => [
      url,
      ...writeOptions([
        ...method === "GET" ? [] : [["method", quotedText(method)] as const],
        ...headerMember(test.headers, test, style, indent + 2),
        ...content(indent + 2).map((text) => ["body", text] as const),
        ...expectsRedirect(test) ? [["redirect", '"manual"'] as const] : [],
      ], indent),
    ];
    return formLines(body) + call("const response = await fetch", write, ";", 2);
  },
  refuses: ({ method, body }) =>
    (body !== undefined && /^(GET|HEAD)$/.test(method)) || /^(CONNECT|TRACE|TRACK)$/.test(method) ||
    // FormData changes line breaks in fields to CRLF.
    (body !== undefined && "parts" in body &&
      body.parts.some(({ mediaType = "", text }) =>
        mediaType === "" && /(?<!\r)\n|\r(?!\n)/.test(text)
      )),
  status: "response.status",
  contentType: 'response.headers.get("Content-Type")',
  json: "await response.json()",
  mayBeNull: true,
};

const PLAYWRIGHT: Client = {
  writeRequest(test, style) {
    const { method, target, base, placeholders, body } = test;
    const isKnown = /^(GET|POST|PUT|PATCH|DELETE|HEAD)$/.test(method);
    const content = (depth: number): Members => {
      if (body === undefined) return [];
      if ("parts" in body) return [["multipart", "form"]];
      if ("text" in body) return [["data", textLiteral(body.text, style, depth, "data: ")]];
      return [["data", writeData(body.json, style, depth, depth + "data: ".length)]];
    };
    const url = expression(target, placeholders, base.name);
    const write: Arguments = (indent) => [
      url,
      ...writeOptions([
        ...isKnown ? [] : [["method", quotedText(method)] as const],
        ...headerMember(headersToSet(test), test, style, indent + 2),
        ...content(indent + 2),
        ...expectsRedirect(test) ? [["maxRedirects", "0"] as const] : [],
      ], indent),
    ];
    const name = isKnown ? method.toLowerCase() : "fetch";
    return formLines(body) + call(`const response = await request.${name}`, write, ";", 2);
  },
  status: "response.status()",
  contentType: 'response.headers()["content-type"]',
  json: "await response.json()",
};

function supertestPart({ name, text, fileName, mediaType }: TextPart, indent: number): string {
  if (mediaType === undefined) return chainCall(".field", [name, text].map(quotedText), indent);
  const members: Members = [
    ...fileName === undefined ? [] : [["filename", quotedText(fileName)] as const],
    ["contentType", quotedText(mediaType)],
  ];
  const content = [quotedText(name), `Buffer.from(${quotedText(text)})`];
  const write: Arguments = (column) => [...content, ...writeOptions(members, column)];
  return call(".attach", write, "", indent).trimStart();
}

/** Writes a call in a chain, without its indentation. */
function chainCall(name: string, values: readonly string[], indent: number): string {
  return call(name, () => values, "", indent).trimStart();
}

function supertestCalls(test: SuggestedTest, style: DataStyle, indent: number): string[] {
  const { method, target, placeholders, body } = test;
  return [
    chainCall(`.${method.toLowerCase()}`, [expression(target, placeholders)], indent),
    ...Object.entries(headersToSet(test)).map(([name, value]) =>
      chainCall(".set", [quotedText(name), expression(value, placeholders)], indent)
    ),
    ...body === undefined
      ? []
      : "json" in body
      ? [`.send(${writeData(body.json, style, indent, indent + ".send(".length, 2)})`]
      : "text" in body
      ? [chainCall(".send", [textLiteral(body.text, style, indent, ".send(")], indent)]
      : body.parts.map((part) => supertestPart(part, indent)),
  ];
}

function isOneLine(text: string): boolean {
  return !text.includes("\n");
}

function isNonEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

const SUPERTEST: Client = {
  writeRequest(test, style) {
    const { base, body } = test;
    const start = `  const response = await request(${base.name})`;
    const fits = (text: string) => columns(text) <= JAVASCRIPT_STYLE.width;
    const calls = supertestCalls(test, style, 4);
    const [first = "", last = first] = [calls[0], calls.at(-1)];
    const line = `${start}${calls.join("")};`;
    if (calls.length === 1) {
      const name = start.trimStart() + first.slice(0, first.indexOf("("));
      return statement(name, [expression(test.target, test.placeholders)]);
    }
    if (isOneLine(line) && fits(line)) return line;
    // A flat body of several lines stays on the line of the calls before it.
    const isFlat = body !== undefined && "json" in body &&
      !Object.values(body.json ?? {}).some(isNonEmpty);
    const hugged = `${start}${supertestCalls(test, style, 2).join("")};`;
    const isHugged = isFlat && last.includes("\n") && calls.slice(0, -1).every(isOneLine);
    if (isHugged && fits(hugged.slice(0, hugged.indexOf("\n")))) return hugged;
    return `${start}${calls.map((one) => `\n    ${one}`).join("")};`;
  },
  refuses: ({ method }) => !/^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE)$/.test(method),
  status: "response.status",
  contentType: 'response.headers["content-type"]',
  json: "response.body",
};

function statement(start: string, values: readonly string[]): string {
  return call(start, () => values, ";", 2);
}

const EXPECT: Assertions = {
  equal: (actual, expected) => statement(`expect(${actual}).toBe`, [expected]),
  match: (actual, pattern) => statement(`expect(${actual}).toMatch`, [pattern]),
  oneOf: (actual, options) => statement(`expect([${options.join(", ")}]).toContain`, [actual]),
  includes: (actual, text) => statement(`expect(${actual}).toContain`, [quotedText(text)]),
  has(actual, name) {
    // A name with dots or brackets would be read as a path.
    const path = /[.[\]]/.test(name) ? `[${quotedText(name)}]` : quotedText(name);
    return statement(`expect(${actual}).toHaveProperty`, [path]);
  },
};

const ASSERT: Assertions = {
  equal: (actual, expected) => statement("assert.equal", [actual, expected]),
  match: (actual, pattern) => statement("assert.match", [actual, pattern]),
  oneOf: (actual, options) => ASSERT.match(`String(${actual})`, `/^(${options.join("|")})$/`),
  includes: (actual, text) => ASSERT.match(`${actual} ?? ""`, `/^${escapePattern(text)}/`),
  has: (actual, name) => statement("assert.ok", [`${quotedText(name)} in ${actual}`]),
};

function statusAssertion(statuses: ExpectedStatuses, { client, assertions }: Runner) {
  const { exact, classes } = statuses;
  const [first, ...more] = exact;
  if (classes.length === 0 && more.length === 0) {
    return assertions.equal(client.status, String(first));
  }
  if (classes.length === 0) return assertions.oneOf(client.status, exact);
  const patterns = statusTexts(statuses, "..");
  const [only = ""] = patterns;
  const pattern = patterns.length === 1 ? `/^${only.slice(0, 1)}/` : `/^(${patterns.join("|")})$/`;
  return assertions.match(`String(${client.status})`, pattern);
}

function typeAssertion(mediaTypes: readonly string[], { client, assertions }: Runner): string[] {
  const [first, ...more] = mediaTypes;
  if (first === undefined) return [];
  if (more.length === 0) return [assertions.includes(client.contentType, first)];
  const actual = client.mayBeNull === true ? `${client.contentType} ?? ""` : client.contentType;
  return [assertions.match(actual, `/^(${mediaTypes.map(escapePattern).join("|")})/`)];
}

export function variableLines(
  variable: TestVariable,
  runner: Pick<Runner, "environment" | "isDeno">,
): string {
  const { name, value } = variable;
  const read = runner.environment(name);
  const start = `const ${name} =`;
  const fits = (line: string) => columns(line) <= JAVASCRIPT_STYLE.width;
  if (value !== undefined) {
    const literal = quotedText(value);
    const line = `${start} ${read} ?? ${literal};`;
    if (fits(line)) return `${line}\n`;
    if (runner.isDeno === true) return `${start} ${read} ??\n  ${literal};\n`;
    const next = `  ${read} ?? ${literal};`;
    return fits(next) ? `${start}\n${next}\n` : `${start}\n  ${read} ??\n  ${literal};\n`;
  }
  const line = `${start} ${read};`;
  const lines = runner.isDeno === true
    ? line.replace(/\((.*)\)/, "(\n  $1,\n)")
    : `${start}\n  ${read};`;
  const error = statement("throw new Error", [quotedText(missingVariable(variable))]);
  return `${fits(line) ? line : lines}\nif (!${name}) {\n${error}\n}\n`;
}

function testFunction(test: SuggestedTest, runner: Runner): string {
  const style = runner.isDeno === true
    ? { ...JAVASCRIPT_STYLE, shortKey: 0, isPrettier: false }
    : JAVASCRIPT_STYLE;
  const assertions = [
    statusAssertion(test.statuses, runner),
    ...typeAssertion(test.mediaTypes, runner),
    ...test.required.length === 0 ? [] : [`  const body = ${runner.client.json};`],
    ...test.required.map((name) => runner.assertions.has("body", name)),
  ];
  // Deno reports a leak if a response body is never read.
  const end = runner.isDeno === true && test.required.length === 0
    ? "  await response.body?.cancel();\n"
    : "";
  const start = `${runner.test}(${quotedText(test.title)}, async (`;
  const isLong = columns(`${start}${runner.parameters}) => {`) > JAVASCRIPT_STYLE.width;
  const parameters = isLong
    ? runner.parameters.replace(/^\{ (.+) \}$/, "{\n  $1,\n}")
    : runner.parameters;
  return `${start}${parameters}) => {\n${runner.client.writeRequest(test, style)}\n${end}\n${
    assertions.join("\n")
  }\n});\n`;
}

function testFormat(runner: Runner): TestFormat {
  const { name, extension, client: { refuses } } = runner;
  return {
    name,
    extension,
    fileName: (group) =>
      runner.isDeno === true ? `${group.replaceAll("-", "_")}${extension}` : `${group}${extension}`,
    ...(refuses !== undefined && { refuses }),
    write: (tests) =>
      [
        ...runner.imports === "" ? [] : [runner.imports],
        testVariables(tests).map((variable) => variableLines(variable, runner)).join(""),
        ...tests.map((test) => testFunction(test, runner)),
      ].join("\n"),
  };
}

/** The name of the global in generated code; a constant, as this module itself must not use the global. */
const DENO = "Deno";

const DEFAULTS: Pick<Runner, "environment" | "test" | "parameters" | "client" | "assertions"> = {
  environment: (name) => `process.env.${name}`,
  test: "test",
  parameters: "",
  client: FETCH,
  assertions: EXPECT,
};

export const JAVASCRIPT_TESTS: readonly TestFormat[] = ([
  {
    ...DEFAULTS,
    name: "vitest",
    extension: ".test.ts",
    imports: 'import { expect, test } from "vitest";\n',
  },
  { ...DEFAULTS, name: "jest", extension: ".test.js", imports: "" },
  {
    ...DEFAULTS,
    name: "node-test",
    extension: ".test.mjs",
    imports: 'import assert from "node:assert/strict";\nimport { test } from "node:test";\n',
    assertions: ASSERT,
  },
  {
    ...DEFAULTS,
    name: "deno-test",
    extension: "_test.ts",
    imports: 'import assert from "node:assert/strict";\n',
    environment: (name) => `${DENO}.env.get(${JSON.stringify(name)})`,
    test: `${DENO}.test`,
    assertions: ASSERT,
    isDeno: true,
  },
  {
    ...DEFAULTS,
    name: "playwright",
    extension: ".spec.ts",
    imports: 'import { expect, test } from "@playwright/test";\n',
    parameters: "{ request }",
    client: PLAYWRIGHT,
  },
  {
    ...DEFAULTS,
    name: "supertest",
    extension: ".test.js",
    imports: 'const request = require("supertest");\n',
    client: SUPERTEST,
  },
] satisfies readonly Runner[]).map(testFormat);
