import { DescriptionError } from "../values/errors.ts";
import { checkComplexity, InputLimitError } from "../values/input_limits.ts";
import { JsonSyntaxError, parseJson } from "../values/parse_json.ts";
import { MAX_LEVELS, readYaml, TOO_DEEP, type YamlDocument, YamlError } from "./read_yaml.ts";
import type { Syntax } from "./document_set.ts";

/** Almost every text of deeply nested JSON has so many closing brackets and white space in a row; quick to find. */
const RUN_OF_ENDS = 500;

/** Tests one character out of every {@linkcode RUN_OF_ENDS}: a run can't fit between two of these characters. */
function hasRunOfEnds(text: string): boolean {
  const isEnd = (at: number): boolean => "}] \t\r\n".includes(text.charAt(at) || "-");
  for (let at = RUN_OF_ENDS - 1; at < text.length; at += RUN_OF_ENDS) {
    if (!isEnd(at)) continue;
    let [start, end] = [at, at + 1];
    while (end - start < RUN_OF_ENDS && isEnd(start - 1)) start--;
    while (end - start < RUN_OF_ENDS && isEnd(end)) end++;
    if (end - start === RUN_OF_ENDS) return true;
  }
  return false;
}

export function nestsTooDeep(root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) return true;
    const below: unknown[] = [];
    for (const value of level) {
      for (const member of Object.values(value ?? {})) {
        if (typeof member === "object" && member !== null) below.push(member);
      }
    }
    level = below;
  }
  return false;
}

/** A parsed document. For JSON, repeated keys are not looked for. */
export interface ParsedDocument extends YamlDocument {
  readonly syntax: Syntax;
}

/** Parses JSON, or YAML 1.2 with the core schema. Throws a DescriptionError with line and column. */
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
    checkLimits(content, "json", location);
    try {
      const value = parseJson(content);
      if (hasRunOfEnds(content) && nestsTooDeep(value)) {
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
  checkLimits(content, "yaml", location);
  try {
    // YAML can begin with a brace too: {openapi: 3.1.0, info: …}, or JSON with comments after `#`.
    return parseYaml(content, location);
  } catch (yamlError) {
    if (jsonError === undefined || !/^\s*[{[]\s*["{[\]}]/.test(content)) throw yamlError;
  }
  throw new DescriptionError(`The JSON is broken: ${jsonError.message}`, {
    code: "syntax",
    location,
    line: jsonError.line,
    column: jsonError.column,
    cause: jsonError,
  });
}

function checkLimits(content: string, syntax: Syntax, location: string): void {
  try {
    checkComplexity(content, syntax);
  } catch (cause) {
    if (!(cause instanceof InputLimitError)) throw cause;
    throw new DescriptionError(cause.message, { code: "too_large", location, cause });
  }
}

function parseYaml(content: string, location: string): ParsedDocument {
  try {
    return { syntax: "yaml", ...readYaml(content) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const printed = content.slice(0, /^\{\s*"/m.exec(content)?.index ?? 0);
    const message = printed.trim() === ""
      ? `The YAML is broken: ${error.message}`
      : `The description begins in line ${
        printed.split("\n").length
      }. Delete what was printed before it, or write the file without it.`;
    throw new DescriptionError(message, {
      code: "syntax",
      location,
      ...error.position,
      cause: error,
    });
  }
}

function markupSentence(content: string): string {
  return /^\s*<(!doctype\s+html|html)/i.test(content)
    ? "This is an HTML page, not an OpenAPI description: give the address of the JSON or YAML file itself, and check whether it needs a login."
    : "This is XML or HTML, not an OpenAPI description in JSON or YAML.";
}
