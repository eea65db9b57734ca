import { ANY_TYPE, typeOf } from "../../json_type.ts";
import { canonicalText, equal } from "../equal.ts";
import type { Json } from "../equal.ts";
import type { KeywordDefinition } from "./keyword.ts";
import { INVALID, VALID } from "./keyword.ts";

/** So many values are compared one by one: hashing a text that was just decoded costs more. */
const FEW = 8;

/** `enum` (JSON Schema Validation, section 6.1.2). */
export const enumKeyword: KeywordDefinition = {
  name: "enum",
  types: ANY_TYPE,
  problem: (value) => Array.isArray(value) ? undefined : "must be a list of values",
  satisfiability: (value) => (value as readonly unknown[]).length === 0 ? "Negative" : "Normal",
  compile(value) {
    const scalars = new Set<Json>();
    const others = new Set<string>();
    for (const member of value as readonly Json[]) {
      if (typeof member === "object" && member !== null) others.add(canonicalText(member));
      else scalars.add(member);
    }
    const few = scalars.size <= FEW ? [...scalars] : undefined;
    if (few !== undefined && others.size === 0) {
      return (instance) => few.includes(instance) ? VALID : INVALID;
    }
    return (instance) => {
      const found = typeof instance === "object" && instance !== null
        ? others.size > 0 && others.has(canonicalText(instance))
        : scalars.has(instance);
      return found ? VALID : INVALID;
    };
  },
};

/** `const` (JSON Schema Validation, section 6.1.3). */
export const constKeyword: KeywordDefinition = {
  name: "const",
  types: ANY_TYPE,
  problem: () => undefined,
  compile: (value) => (instance) => equal(instance, value as Json) ? VALID : INVALID,
};

/** The types of the values of an untyped `enum` or `const`, as bits of `json_type.ts`. */
export function typesOfValues(values: readonly unknown[]): number {
  let types = 0;
  for (const value of values) types |= typeOf(value);
  return types;
}
