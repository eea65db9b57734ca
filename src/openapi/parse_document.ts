import { DescriptionError } from "../values/errors.ts";
import { checkComplexity, InputLimitError } from "../values/input_limits.ts";
import { JsonSyntaxError, parseJson } from "../values/parse_json.ts";
import { type TextPosition, textPositions } from "../values/text_position.ts";
import type { Syntax } from "./locate.ts";
import { jsonNestsTooDeep, TOO_DEEP } from "./nesting.ts";
import { readYaml, YamlError } from "./read_yaml.ts";

/** A key that a mapping of a YAML document has twice; the last one counts. */
export interface RepeatedKey {
  /** RFC 6901 pointer of the entry. */
  readonly pointer: string;
  /** The key as written. */
  readonly key: string;
  /** The line of the later one, counted from 1. */
  readonly line: number;
  /** The column of the later one, counted from 1. */
  readonly column: number;
}

/** A parsed document. */
export interface ParsedDocument {
  /** A tree of JSON values: no two places share an object. */
  readonly value: unknown;
  /** The syntax of the text. */
  readonly syntax: Syntax;
  /** Keys written twice in a mapping. JSON is not looked through for them. */
  readonly repeatedKeys: readonly RepeatedKey[];
  /** The first line that YAML 1.2 wants to be indented deeper; undefined if there is none. */
  readonly unindented: TextPosition | undefined;
}

/**
 * Parses a JSON or YAML document; the content decides which of the two it is.
 * JSON takes what `JSON.parse` takes; everything else is YAML 1.2 with the core schema, so that dates, `yes` and `on`
 * stay strings.
 *
 * @param location What errors call the document.
 * @throws {DescriptionError} with line and column where the text is neither.
 *
 * @example
 * ```ts
 * import { parseDocument } from "./parse_document.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(parseDocument("since: 2020-01-01", "api.yaml").value, { since: "2020-01-01" });
 * assert.equal(parseDocument('{"a": 1}', "api.json").syntax, "json");
 * ```
 */
export function parseDocument(text: string, location: string): ParsedDocument {
  const content = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const first = /\S/.exec(content)?.[0];
  if (first === undefined) {
    throw new DescriptionError("The document is empty.", { code: "empty", location });
  }
  if (first === "<") {
    throw new DescriptionError(markupSentence(content), { code: "markup", location });
  }
  let jsonError: JsonSyntaxError | undefined;
  if (first === "{" || first === "[") {
    check(content, "json", location);
    try {
      const value = parseJson(content);
      if (jsonNestsTooDeep(content, value)) {
        throw new DescriptionError(TOO_DEEP, { code: "too_deep", location });
      }
      return { value, syntax: "json", repeatedKeys: [], unindented: undefined };
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      jsonError = error;
    }
  }
  if (content.startsWith("PK\u0003\u0004") || content.includes("\0")) {
    throw new DescriptionError(
      "This is binary data, not text: give the OpenAPI description itself, unpacked, as UTF-8.",
      { code: "binary", location },
    );
  }
  check(content, "yaml", location);
  try {
    // Braces may begin YAML too: {openapi: 3.1.0, info: …}, or JSON with comments after `#`.
    return parseYaml(content, location);
  } catch (yamlError) {
    if (jsonError === undefined || !/^\s*[{[]\s*["{[\]}]/.test(content)) throw yamlError;
  }
  throw new DescriptionError(`The JSON is broken. ${jsonError.message}`, {
    code: "syntax",
    location,
    line: jsonError.line,
    column: jsonError.column,
    cause: jsonError,
  });
}

function check(content: string, syntax: Syntax, location: string): void {
  try {
    checkComplexity(content, syntax);
  } catch (cause) {
    if (!(cause instanceof InputLimitError)) throw cause;
    throw new DescriptionError(cause.message, { code: "too_large", location, cause });
  }
}

function parseYaml(content: string, location: string): ParsedDocument {
  try {
    const { value, duplicates, unindented } = readYaml(content);
    if (duplicates.length === 0 && unindented === undefined) {
      return { value, syntax: "yaml", repeatedKeys: [], unindented };
    }
    const positionOf = textPositions(content);
    return {
      value,
      syntax: "yaml",
      repeatedKeys: duplicates.map(({ pointer, key, offset }) => ({
        pointer,
        key,
        ...positionOf(offset),
      })),
      unindented: unindented === undefined ? undefined : positionOf(unindented),
    };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { line, column } = textPositions(content)(error.offset);
    throw new DescriptionError(`The YAML is broken. ${error.message}`, {
      code: "syntax",
      location,
      line,
      column,
      cause: error,
    });
  }
}

function markupSentence(content: string): string {
  return /^\s*<(!doctype\s+html|html)/i.test(content)
    ? "This is an HTML page, not an OpenAPI description: give the address of the JSON or YAML file itself, and check whether it needs a login."
    : "This is XML or HTML, not an OpenAPI description in JSON or YAML.";
}
