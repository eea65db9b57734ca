import type { TextPart } from "../../../http/write_multipart.ts";
import type { Json } from "../../../values/json.ts";
import { writePieces } from "../placeholder_names.ts";
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

/** The longest line. */
const WIDTH = 100;

/** Classes for JUnit that send with REST Assured, in the layout of google-java-format. */
export const junitFormat: TestFormat = {
  name: "junit",
  extension: ".java",
  fileName: (group) => `${className(group)}.java`,
  // REST Assured makes multipart forms itself, of at least one part with a name.
  refuses: ({ headers, body = { text: "" } }) =>
    "parts" in body
      ? body.parts.some(({ name }) => name.trim() === "")
      : /^multipart\//i.test(headers["Content-Type"] ?? ""),
  write(tests, group) {
    const names = uniqueNames(
      tests,
      ([first = "", ...words], number) =>
        `${first}${pascalCase(words)}${number === 1 ? "" : `_${number}`}`,
    );
    const methods = tests.map((test, index) => testMethod(test, names[index] ?? ""));
    const code = methods.join("\n");
    const matchers = [
      "allOf",
      "anyOf",
      "greaterThanOrEqualTo",
      "hasKey",
      "is",
      "lessThan",
      "startsWith",
    ]
      .filter((name) =>
        new RegExp(`\\b${name}\\(`).test(code.replaceAll(/"(?:\\.|[^"\\\n])*"/g, ""))
      );
    const imports = [
      "import static io.restassured.RestAssured.given;",
      ...code.includes(".getBytes(UTF_8)")
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
  const start = `  private static final String ${name} =\n`;
  if (value === undefined) {
    return `${start}${call("required", [text(name), text(missingVariable(variable))], 6, ");")}\n`;
  }
  const values = [text(name), text(value)];
  const line = call("System.getenv().getOrDefault", values, 6);
  const lines = `      System.getenv()\n${call(".getOrDefault", values, 10)}`;
  return `${start}${line.includes("\n") ? lines : line};\n`;
}

function testMethod(test: SuggestedTest, name: string): string {
  const {
    title,
    method,
    base,
    target,
    headers,
    placeholders,
    body,
    statuses,
    mediaTypes,
    required,
  } = test;
  const filled = (value: string) =>
    writePieces(value, placeholders, (name) => name, text, " + ") || '""';
  const isKnown = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method);
  const { "Content-Type": type, ...others } = headers;
  const types = mediaTypes.map((one) => `startsWith(${text(one)})`);
  const steps = [
    `.baseUri(${base.name})`,
    ".urlEncodingEnabled(false)",
    ...type === undefined ? [] : [`.contentType(${text(type)})`],
    ...Object.entries(others).map(([header, value]) =>
      step(".header", [text(header), filled(value)])
    ),
    ...body === undefined
      ? []
      : "parts" in body
      ? body.parts.map(multiPart)
      : "json" in body
      ? [`.body(${jsonBlock(body.json)})`]
      : [textBody(body.text)],
    ...expectsRedirect(test) ? [".redirects()", ".follow(false)"] : [],
    ".when()",
    isKnown
      ? step(`.${method.toLowerCase()}`, [filled(target)])
      : step(".request", [text(method), filled(target)]),
    ".then()",
    step(".statusCode", [statusMatcher(statuses)]),
    ...types.length === 0 ? [] : [
      step(".contentType", [types.length === 1 ? types[0] ?? "" : `anyOf(${types.join(", ")})`]),
    ],
    ...required.map((name) => step(".body", ['"$"', `hasKey(${text(name)})`])),
  ];
  return `  @Test
${call("@DisplayName", [text(title)], 2)}
  void ${name}() {
    given()
${steps.map((step) => `        ${step}`).join("\n")};
  }
`;
}

/** A call in a chain, without the spaces before it. */
function step(name: string, values: readonly string[]): string {
  return call(name, values, 8).trimStart();
}

/** A call on one line, else with all arguments on the next, else with a line for each. */
function call(name: string, values: readonly string[], indent: number, end = ")"): string {
  const margin = " ".repeat(indent);
  const line = `${margin}${name}(${values.join(", ")}${end}`;
  if (line.length <= WIDTH) return line;
  const inner = `${margin}    `;
  const next = `${inner}${values.join(", ")}${end}`;
  const lines = next.length <= WIDTH
    ? next
    : `${values.map((value) => inner + reflowed(value, indent + 4)).join(",\n")}${end}`;
  return `${margin}${name}(\n${lines}`;
}

/** A long string in pieces, each of which but the first begins with a space. */
function reflowed(literal: string, indent: number): string {
  if (!/^"(?:\\.|[^"\\])*"$/.test(literal)) return literal;
  const lines: string[] = [];
  let line = "";
  const words = literal.slice(1, -1).split(/(?= )/);
  for (const [index, word] of words.entries()) {
    const start = lines.length === 0 ? indent : indent + 4 + "+ ".length;
    // The quotes on both sides, and what ends the call.
    const signs = index === words.length - 1 ? 3 : 2;
    if (line !== "" && start + line.length + word.length + signs > WIDTH) {
      lines.push(line);
      line = word;
    } else line += word;
  }
  return [...lines, line].map((text) => `"${text}"`).join(`\n${" ".repeat(indent + 4)}+ `);
}

function statusMatcher({ exact, classes }: SuggestedTest["statuses"]): string {
  const matchers = [
    ...exact.map((status) => `is(${status})`),
    ...classes.map((digit) => `allOf(greaterThanOrEqualTo(${digit}00), lessThan(${digit + 1}00))`),
  ];
  const [first = ""] = matchers;
  if (matchers.length > 1) return `anyOf(${matchers.join(", ")})`;
  return exact.length === 1 ? String(exact[0]) : first;
}

function multiPart({ name, text: value, fileName, mediaType }: TextPart): string {
  const content = fileName === undefined ? text(value) : `${text(value)}.getBytes(UTF_8)`;
  const values = [
    text(name),
    ...fileName === undefined ? [] : [text(fileName)],
    content,
    ...mediaType === undefined ? [] : [text(mediaType)],
  ];
  return step(".multiPart", values);
}

/** JSON as a block of text. */
function jsonBlock(json: Json): string {
  const margin = " ".repeat(12);
  const block = JSON.stringify(json, null, 2).replaceAll("\\", "\\\\").split("\n")
    .map((line) => `${margin}${line}\n`).join("");
  return `\n${margin}"""\n${block}${margin}"""`;
}

function textBody(body: string): string {
  const lines = body.split("\r\n");
  if (lines.length < 3) return step(".body", [text(body)]);
  const margin = " ".repeat(16);
  return `.body(String.join(\n${margin}"\\r\\n",\n${
    lines.map((line) => `${margin}${text(line)}`).join(",\n")
  }))`;
}

/** A string of Java; its escapes for Unicode are read before anything else, so none stands for a line or a quote. */
function text(value: string): string {
  return JSON.stringify(value);
}
