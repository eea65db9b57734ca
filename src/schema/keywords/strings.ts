import { ANY_NUMBER, ANY_TYPE, jsonType, STRING } from "../../values/json_type.ts";
import { compilePattern } from "../pattern.ts";
import { PatternTooLarge } from "../pattern/parse.ts";
import {
  INVALID,
  type KeywordDefinition,
  limit,
  NOT_APPLICABLE,
  shareByValue,
  VALID,
} from "./keyword.ts";
import { formats } from "../formats.ts";

/** Formats that are only annotations, with the types of instances that they apply to. */
const ANNOTATION_FORMATS = new Map([
  ["binary", STRING],
  ["password", STRING],
  ["float", ANY_NUMBER],
  ["double", ANY_NUMBER],
]);

/** `format`, as an assertion (JSON Schema Validation, section 7; OpenAPI's format registry). */
export const format: KeywordDefinition = {
  name: "format",
  types: ANY_TYPE,
  shareKey: shareByValue,
  problem: (value) => typeof value === "string" ? undefined : "must be a string",
  typesFor: (value) =>
    formats.get(value as string)?.types ?? ANNOTATION_FORMATS.get(value as string) ?? ANY_TYPE,
  satisfiability: (value) => formats.has(value as string) ? "Normal" : "Positive",
  compile(value, { graph }) {
    const checked = formats.get(value as string);
    const types = checked?.types ?? ANNOTATION_FORMATS.get(value as string) ?? ANY_TYPE;
    if (checked === undefined || graph.formatAnnotates) {
      return (instance) => (jsonType(instance) & types) === 0 ? NOT_APPLICABLE : VALID;
    }
    return (instance) => {
      if ((jsonType(instance) & types) === 0) return NOT_APPLICABLE;
      return checked.test(instance as string | number) ? VALID : INVALID;
    };
  },
};

/** Counts the code points of a string (JSON Schema Validation, section 6.3.1). */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        count--;
        index++;
      }
    }
  }
  return count;
}

/** `maxLength` (JSON Schema Validation, section 6.3.1). */
export const maxLength: KeywordDefinition = limit("maxLength", STRING, (most) => (instance) => {
  if (typeof instance !== "string") return NOT_APPLICABLE;
  return instance.length <= most || codePoints(instance) <= most ? VALID : INVALID;
});

/** `minLength` (JSON Schema Validation, section 6.3.2). */
export const minLength: KeywordDefinition = limit("minLength", STRING, (least) => (instance) => {
  if (typeof instance !== "string") return NOT_APPLICABLE;
  // No code point has more than two units.
  const isLong = instance.length >= 2 * least ||
    instance.length >= least && codePoints(instance) >= least;
  return isLong ? VALID : INVALID;
}, true);

/** Patterns that every string matches (semantics, section 5: exactly these). */
const MATCH_ALL = new Set(["", "^", "$", ".*", "^.*", ".*$", "[\\s\\S]*", "^[\\s\\S]*$"]);

/** `pattern` (JSON Schema Validation, section 6.3.3). */
export const pattern: KeywordDefinition = {
  name: "pattern",
  types: STRING,
  shareKey: shareByValue,
  problem: patternProblem,
  satisfiability: (value) => MATCH_ALL.has(value as string) ? "Positive" : "Normal",
  compile(value) {
    if (MATCH_ALL.has(value as string)) {
      return (instance) => typeof instance === "string" ? VALID : NOT_APPLICABLE;
    }
    const test = compilePattern(value as string);
    return (instance, run) => {
      if (typeof instance !== "string") return NOT_APPLICABLE;
      const matches = test(instance, run.patternBudget);
      if (matches !== undefined) return matches ? VALID : INVALID;
      run.hasUntestedText = true;
      return NOT_APPLICABLE;
    };
  },
};

export function patternProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return "must be a string with a regular expression";
  try {
    compilePattern(value);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) {
      const problem = error instanceof PatternTooLarge
        ? "too large"
        : "not a valid regular expression";
      return `is ${problem} (${syntaxReason(error)})`;
    }
    throw error;
  }
}

/** Returns the reason without the expression, which an engine's message begins with. */
function syntaxReason(error: SyntaxError): string {
  return error.message.slice(error.message.lastIndexOf(": ") + 1).trim().replace(/\.$/, "");
}
