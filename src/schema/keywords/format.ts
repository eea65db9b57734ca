import { ANY_NUMBER, ANY_TYPE, STRING, typeOf } from "../../values/json_type.ts";
import { formats } from "../formats.ts";
import type { KeywordDefinition } from "./keyword.ts";
import { INVALID, NOT_APPLICABLE, shareByValue, VALID } from "./keyword.ts";

/** Formats that say something about a value and assert nothing. */
const ANNOTATIONS = new Map([
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
  typesOf: (value) =>
    formats.get(value as string)?.types ?? ANNOTATIONS.get(value as string) ?? ANY_TYPE,
  satisfiability: (value) => formats.has(value as string) ? "Normal" : "Positive",
  compile(value, _node, compiler) {
    const known = formats.get(value as string);
    const types = known?.types ?? ANNOTATIONS.get(value as string) ?? ANY_TYPE;
    if (known === undefined || compiler.formatAnnotates) {
      return (instance) => (typeOf(instance) & types) === 0 ? NOT_APPLICABLE : VALID;
    }
    return (instance) => {
      if ((typeOf(instance) & types) === 0) return NOT_APPLICABLE;
      return known.test(instance as string | number) ? VALID : INVALID;
    };
  },
};
