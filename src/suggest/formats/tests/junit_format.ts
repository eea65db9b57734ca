import type { TextPart } from "../../../http/write_multipart.ts";
import type { Json } from "../../../values/json.ts";
import { fillTemplate } from "../placeholder_names.ts";
import {
  expectsRedirect,
  missingVariable,
  pascalCase,
  type SuggestedTest,
  type TestFormat,
  type TestVariable,
  testVariables,
  titleWords,
  uniqueNames,
} from "./test_format.ts";

/** An argument of a call: code, or a nested call. */
type Argument = string | { readonly name: string; readonly values: readonly Argument[] };

const WIDTH = 100;

/** The Hamcrest matchers that tests may use. */
const MATCHERS = [
  "allOf",
  "anyOf",
  "greaterThanOrEqualTo",
  "hasKey",
  "is",
  "lessThan",
  "startsWith",
];

/** JUnit classes that send requests with REST Assured, in the layout of google-java-format. */
export const junitFormat: TestFormat = {
  name: "junit",
  extension: ".java",
  fileName: (group) => `${className(group)}.java`,
  // REST Assured composes multipart forms itself, and each part needs a name.
  refuses: ({ headers, body = { text: "" } }) =>
    "parts" in body
      ? body.parts.some(({ name }) => name.trim() === "")
      : /^multipart\//i.test(headers["Content-Type"] ?? ""),
  write(tests, group) {
    const names = uniqueNames(tests, methodName);
    const methods = tests.map((test, index) => testMethod(test, names[index] ?? ""));
    const code = methods.join("\n");
    const words = code.replaceAll(/"""\n.*?"""|"(?:\\.|[^"\\\n])*"/gs, '""');
    const matchers = MATCHERS.filter((name) => new RegExp(`\\b${name}\\(`).test(words));
    const imports = [
      "import static io.restassured.RestAssured.given;",
      ...words.includes(".getBytes(UTF_8)")
        ? ["import static java.nio.charset.StandardCharsets.UTF_8;"]
        : [],
      ...matchers.map((name) => `import static org.hamcrest.Matchers.${name};`),
    ];
    const variables = testVariables(tests);
    const fields = variables.map(variableField).join("");
    const needed = variables.some(({ value }) => value === undefined) ? `\n${REQUIRED}` : "";
    return `${imports.join("\n")}

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ${className(group)} {
${fields}
${code}${needed}}
`;
  },
};

/** Joins as many words as fit on the line; the name may be cut, as runners show the title. */
function methodName(parts: readonly string[], number: number): string {
  // An HTTP method may begin with a digit, or have no letter at all.
  const [first = "", ...words] = /^\p{L}/u.test(parts[0] ?? "") ? parts : ["sends", ...parts];
  const end = number === 1 ? "" : `_${number}`;
  const room = WIDTH - "  void () {".length - end.length;
  let name = first.slice(0, room);
  for (const word of words) {
    const longer = name + pascalCase([word]);
    if (longer.length > room) break;
    name = longer;
  }
  return name + end;
}

/** `book-reviews` → `BookReviewsTest`. */
function className(group: string): string {
  const name = pascalCase(titleWords(group));
  return `${/^\p{L}/u.test(name) ? name : `Api${name}`}Test`;
}

const REQUIRED = `  private static String required(String name, String message) {
    String value = System.getenv(name);
    if (value == null || value.isEmpty()) {
      throw new IllegalStateException(message);
    }
    return value;
  }
`;

function variableField(variable: TestVariable): string {
  const { name, value } = variable;
  const start = `  private static final String ${name} =`;
  const [method, values] = value === undefined
    ? ["required", [text(name), text(missingVariable(variable))]]
    : ["System.getenv().getOrDefault", [text(name), text(value)]];
  const line = `${start} ${writeFlat({ name: method, values })};`;
  if (line.length <= WIDTH) return `${line}\n`;
  const next = call(method, values, 6, ");");
  if (value === undefined || !next.includes("\n")) return `${start}\n${next}\n`;
  return `${start}\n      System.getenv()\n${call(".getOrDefault", values, 10, ");")}\n`;
}

function testMethod(test: SuggestedTest, name: string): string {
  const { title, method, base, target, headers, placeholders, body, statuses } = test;
  const fill = (value: string) =>
    fillTemplate(value, placeholders, (name) => name, longText, " + ") || '""';
  const isKnown = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method);
  const { "Content-Type": contentType, ...others } = headers;
  const type = withCharset(contentType, body && "text" in body ? body.text : "");
  const types = test.mediaTypes.map((one): Argument => ({
    name: "startsWith",
    values: [text(one)],
  }));
  const steps = [
    `.baseUri(${base.name})`,
    ".urlEncodingEnabled(false)",
    ...type === undefined ? [] : [`.contentType(${text(type)})`],
    ...Object.entries(others).map(([header, value]) =>
      step(".header", [text(header), fill(value)])
    ),
    ...body === undefined
      ? []
      : "parts" in body
      ? body.parts.map(multiPart)
      : "json" in body
      ? [jsonBody(body.json)]
      : [textBody(body.text)],
    ...expectsRedirect(test) ? [".redirects()", ".follow(false)"] : [],
    ".when()",
    isKnown
      ? step(`.${method.toLowerCase()}`, [fill(target)])
      : step(".request", [text(method), fill(target)]),
    ".then()",
    step(".statusCode", [statusMatcher(statuses)]),
    ...types.length === 0 ? [] : [step(".contentType", [anyOf(types)])],
    ...test.required.map((name) => step(".body", ['"$"', `hasKey(${text(name)})`])),
  ];
  const line = `    given()${steps.join("")};`;
  const lines = `    given()\n${steps.map((step) => `        ${step}`).join("\n")};`;
  return `  @Test
${call("@DisplayName", [text(title)], 2)}
  void ${name}() {
${line.length <= WIDTH && !line.includes("\n") ? line : lines}
  }
`;
}

/** Writes a call in a chain, without its indentation. */
function step(name: string, values: readonly Argument[]): string {
  return call(name, values, 8).trimStart();
}

/** Writes a call on one line, else with all arguments on the next line, else with a line for each argument. */
function call(name: string, values: readonly Argument[], indent: number, end = ")"): string {
  const margin = " ".repeat(indent);
  const line = margin + writeFlat({ name, values }, end);
  if (line.length <= WIDTH) return line;
  const inner = `${margin}    `;
  const next = `${inner}${values.map((value) => writeFlat(value)).join(", ")}${end}`;
  if (next.length <= WIDTH) return `${margin}${name}(\n${next}`;
  const lines = values.map((value, index) => {
    const after = index === values.length - 1 ? end : ",";
    return typeof value === "string"
      ? inner + wrapText(value, indent + 4, after)
      : call(value.name, value.values, indent + 4, `)${after}`);
  });
  return `${margin}${name}(\n${lines.join("\n")}`;
}

function writeFlat(value: Argument, end = ")"): string {
  if (typeof value === "string") return value;
  return `${value.name}(${value.values.map((one) => writeFlat(one)).join(", ")}${end}`;
}

/** Writes an argument with its end; if too long, with a line for each operand and for each piece of a string. */
function wrapText(value: string, indent: number, end: string): string {
  if (indent + value.length + end.length <= WIDTH || !OPERANDS.test(value)) return value + end;
  const room = WIDTH - indent - "    + ".length - end.length;
  return (value.match(OPERAND) ?? []).flatMap((operand) =>
    operand.endsWith('"')
      ? splitText(operand.slice(1, -1), room - '""'.length).map((piece) => `"${piece}"`)
      : [operand]
  ).join(`\n${" ".repeat(indent + 4)}+ `) + end;
}

const OPERAND = /"(?:\\.|[^"\\])*"(?:\.repeat\(\d+\))?|\w+/g;
const OPERANDS = new RegExp(`^(?:${OPERAND.source})(?: \\+ (?:${OPERAND.source}))*$`);

/** Splits the content of a string: before a space, else before a delimiter of a URL, else anywhere. */
function splitText(content: string, room: number): string[] {
  const lines: string[] = [];
  let rest = content;
  while (rest.length > room) {
    const ends = [/.*(?= )/s, /.*(?=[/?&])/s]
      .map((start) => start.exec(rest.slice(0, room + 1))?.[0].length ?? 0);
    const end = ends.find((length) => length > room / 2) ?? fittingLength(rest, room);
    lines.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...lines, rest];
}

/** Returns the length of the longest start that fits and doesn't split an escape or a surrogate pair. */
function fittingLength(content: string, room: number): number {
  let length = 0;
  for (const [character] of content.matchAll(/\\u[\da-f]{4}|\\.|./gsu)) {
    if (length + character.length > room) break;
    length += character.length;
  }
  return length;
}

function statusMatcher({ exact, classes }: SuggestedTest["statuses"]): Argument {
  if (exact.length === 1 && classes.length === 0) return String(exact[0]);
  return anyOf([
    ...exact.map((status) => ({ name: "is", values: [String(status)] })),
    ...classes.map((digit) => ({
      name: "allOf",
      values: [`greaterThanOrEqualTo(${digit}00)`, `lessThan(${digit + 1}00)`],
    })),
  ]);
}

/** Returns a matcher for any of some; a single one isn't wrapped. */
function anyOf(matchers: readonly Argument[]): Argument {
  const [first = "", ...more] = matchers;
  return more.length === 0 ? first : { name: "anyOf", values: matchers };
}

/** Adds a charset to the media type of non-ASCII text: without it, REST Assured writes `?` for characters. */
function withCharset(type: string | undefined, text: string): string | undefined {
  if (!/[^\0-\x7f]/.test(text) || /charset=/i.test(type ?? "")) return type;
  return `${type ?? "text/plain"}; charset=UTF-8`;
}

function multiPart({ name, text: value, fileName, mediaType }: TextPart): string {
  const string = longText(value);
  const operand = string === text(value) ? string : `(${string})`;
  const type = fileName === undefined ? withCharset(mediaType, value) : mediaType;
  const values = [
    text(name),
    ...fileName === undefined ? [string] : [text(fileName), `${operand}.getBytes(UTF_8)`],
    ...type === undefined ? [] : [text(type)],
  ];
  return step(".multiPart", values);
}

/** Writes JSON as a text block with long repetitions inserted; lines that are too long continue after a backslash. */
function jsonBody(json: Json): string {
  const margin = " ".repeat(12);
  const room = WIDTH - margin.length - "\\".length;
  const parts = findRepetitions(JSON.stringify(json, null, 2));
  const repeated = parts.filter((part) => typeof part !== "string").map(repeat);
  const percent = repeated.length === 0 ? "%" : "%%";
  const block = parts.map((part) =>
    typeof part === "string" ? part.replaceAll("\\", "\\\\").replaceAll("%", percent) : "%s"
  ).join("").split("\n")
    .map((line) => `${margin}${splitText(line, room).join(`\\\n${margin}`)}\n`).join("");
  const start = `.body(\n${margin}"""\n${block}${margin}"""`;
  return repeated.length === 0
    ? `${start})`
    : `${start}\n${call(".formatted", repeated, 16, "))")}`;
}

function textBody(body: string): string {
  const lines = body.split("\r\n");
  if (lines.length < 3) return step(".body", [longText(body)]);
  const margin = " ".repeat(16);
  return `.body(String.join(\n${margin}"\\r\\n",\n${
    lines.map((line) => `${margin}${longText(line)}`).join(",\n")
  }))`;
}

/** Up to three characters that are repeated many times. */
interface Repetition {
  readonly unit: string;
  readonly count: number;
}

const REPETITION = /([^\\"\s]{1,3}?)\1{99,}/gsu;

/** Splits a text into repetitions that are too long for a line, and the texts between them. */
function findRepetitions(value: string): readonly (string | Repetition)[] {
  const parts: (string | Repetition)[] = [];
  let end = 0;
  for (const { 0: whole, 1: unit = "", index } of value.matchAll(REPETITION)) {
    if (index > end) parts.push(value.slice(end, index));
    parts.push({ unit, count: whole.length / unit.length });
    end = index + whole.length;
  }
  return end === 0 || end < value.length ? [...parts, value.slice(end)] : parts;
}

function repeat({ unit, count }: Repetition): string {
  return `${text(unit)}.repeat(${count})`;
}

/** Writes a string as an expression with repetitions: Java constants of more than 65,535 bytes don't compile. */
function longText(value: string): string {
  return findRepetitions(value).map((part) => typeof part === "string" ? text(part) : repeat(part))
    .join(" + ");
}

/** Writes a Java string. Java decodes Unicode escapes before it parses; JSON has none for line breaks or quotes. */
function text(value: string): string {
  return JSON.stringify(value);
}
