import { ANY_TYPE, NULL, typeMask, typeOf } from "../../values/json_type.ts";
import { STRING } from "../../values/json_type.ts";
import type { SchemaNode } from "../schema_node.ts";
import type { KeywordDefinition } from "./keyword.ts";
import { INVALID, VALID } from "./keyword.ts";

/** The types that a `type` keyword admits, as bits of `json_type.ts`; undefined if its value is wrong. */
export function typesNamed(value: unknown, node: SchemaNode): number | undefined {
  let types = 0;
  if (typeof value === "string") {
    types = value === "file" && node.dialect.swaggerParameter ? STRING : typeMask(value);
    if (types === 0) return undefined;
  } else if (Array.isArray(value) && node.dialect.typeLists) {
    for (const name of value) {
      const mask = typeMask(name);
      if (mask === 0) return undefined;
      types |= mask;
    }
  } else return undefined;
  const nullable = node.dialect.keywords.has("nullable") && node.schema["nullable"] === true;
  return nullable ? types | NULL : types;
}

/** `type` (JSON Schema Validation, section 6.1.1). */
export const type: KeywordDefinition = {
  name: "type",
  types: ANY_TYPE,
  shareKey: (value, node) => String(typesNamed(value, node)),
  problem(value, node) {
    if (typesNamed(value, node) !== undefined) return undefined;
    if (Array.isArray(value) && !node.dialect.typeLists) {
      return `is a list, which ${node.dialect.name} does not support`;
    }
    return "must be null, boolean, integer, number, string, array or object";
  },
  satisfiability(value, node, position) {
    const types = typesNamed(value, node) ?? ANY_TYPE;
    if (types === 0) return "Negative";
    return (types & position.types) === position.types ? "Positive" : "Normal";
  },
  compile(value, node) {
    const types = typesNamed(value, node) ?? ANY_TYPE;
    return (instance) => (typeOf(instance) & types) !== 0 ? VALID : INVALID;
  },
};

/** `nullable: true` (OpenAPI 3.0): it shows when `null` is sent. */
export const nullable: KeywordDefinition = {
  name: "nullable",
  types: NULL,
  problem(value) {
    if (value === false) return null;
    return value === true ? undefined : "must be true or false";
  },
  satisfiability: () => "Positive",
  compile: () => () => VALID,
};
