import { ANY_TYPE, jsonType, NULL, STRING, typeMask } from "../../values/json_type.ts";
import type { SchemaNode } from "../schema_node.ts";
import {
  INVALID,
  type KeywordDefinition,
  NOT_APPLICABLE,
  type Outcome,
  shareByValue,
  VALID,
} from "./keyword.ts";
import type { Json } from "../../values/json.ts";
import { canonicalText, equal } from "../equal.ts";
import { containsReplaced, type EvaluationContext } from "../evaluation_context.ts";

/** Up to this many values are compared in order, because hashing a newly decoded text costs more. */
const MAX_COMPARED_VALUES = 8;

const MAX_SHARED_VALUES = 20;

/** `enum` (JSON Schema Validation, section 6.1.2). */
export const enumKeyword: KeywordDefinition = {
  name: "enum",
  types: ANY_TYPE,
  admitted: (value) => value as readonly unknown[],
  shareKey: (value) =>
    (value as readonly unknown[]).length > MAX_SHARED_VALUES ? undefined : shareByValue(value),
  problem: (value) => Array.isArray(value) ? undefined : "must be a list of values",
  satisfiability: (value) => (value as readonly unknown[]).length === 0 ? "Negative" : "Normal",
  compile(value) {
    const scalars = new Set<Json>();
    const composites = new Set<string>();
    for (const member of value as readonly Json[]) {
      if (typeof member === "object" && member !== null) composites.add(canonicalText(member));
      else scalars.add(member);
    }
    const compared = scalars.size <= MAX_COMPARED_VALUES ? [...scalars] : undefined;
    if (compared !== undefined && composites.size === 0) {
      return (instance, run) => compared.includes(instance) ? VALID : unequalOutcome(instance, run);
    }
    return (instance, run) => {
      const found = typeof instance === "object" && instance !== null
        ? composites.size > 0 && composites.has(canonicalText(instance))
        : scalars.has(instance);
      return found ? VALID : unequalOutcome(instance, run);
    };
  },
};

/** `const` (JSON Schema Validation, section 6.1.3). */
export const constKeyword: KeywordDefinition = {
  name: "const",
  types: ANY_TYPE,
  admitted: (value) => [value],
  problem: () => undefined,
  compile: (value) => (instance, run) =>
    equal(instance, value as Json) ? VALID : unequalOutcome(instance, run),
};

/** Returns the outcome for a value that isn't equal; unknown if a recorder replaced a part of it. */
function unequalOutcome(instance: Json, run: EvaluationContext): Outcome {
  return typeof instance === "object" && containsReplaced(instance, run) ? NOT_APPLICABLE : INVALID;
}

/** Returns the types that a `type` keyword admits, as bits of `json_type.ts`; undefined if its value is invalid. */
export function namedTypes(value: unknown, node: SchemaNode): number | undefined {
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
  shareKey: (value, node) => String(namedTypes(value, node)),
  problem(value, node) {
    if (namedTypes(value, node) !== undefined) return undefined;
    if (Array.isArray(value) && !node.dialect.typeLists) {
      return `is a list, which ${node.dialect.name} does not support`;
    }
    return "must be null, boolean, integer, number, string, array or object";
  },
  satisfiability(value, node, position) {
    const types = namedTypes(value, node) ?? ANY_TYPE;
    if ((types & position.types) === 0) return "Negative";
    return (types & position.types) === position.types ? "Positive" : "Normal";
  },
  compile(value, node) {
    const types = namedTypes(value, node) ?? ANY_TYPE;
    return (instance) => (jsonType(instance) & types) !== 0 ? VALID : INVALID;
  },
};

/** `nullable: true` (OpenAPI 3.0): passes when `null` is sent, and never fails. */
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
