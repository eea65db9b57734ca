import type { Json } from "../../values/json.ts";
import { ANY_TYPE } from "../../values/json_type.ts";
import { canonicalText, equal } from "../equal.ts";
import { holdsReplaced } from "../holds_replaced.ts";
import type { Run } from "../run.ts";
import type { KeywordDefinition, Outcome } from "./keyword.ts";
import { INVALID, NOT_APPLICABLE, shareByValue, VALID } from "./keyword.ts";

/** Up to this many values are compared one by one: hashing a text that was just decoded costs more. */
const FEW = 8;

/** The most values that a shared check may have. */
const SHARED_VALUES = 20;

/** `enum` (JSON Schema Validation, section 6.1.2). */
export const enumKeyword: KeywordDefinition = {
  name: "enum",
  types: ANY_TYPE,
  admitted: (value) => value as readonly unknown[],
  shareKey: (value) =>
    (value as readonly unknown[]).length > SHARED_VALUES ? undefined : shareByValue(value),
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
      return (instance, run) => few.includes(instance) ? VALID : unequal(instance, run);
    }
    return (instance, run) => {
      const found = typeof instance === "object" && instance !== null
        ? others.size > 0 && others.has(canonicalText(instance))
        : scalars.has(instance);
      return found ? VALID : unequal(instance, run);
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
    equal(instance, value as Json) ? VALID : unequal(instance, run),
};

/** Nobody knows what a value equals that a recorder has replaced in part. */
function unequal(instance: Json, run: Run): Outcome {
  return typeof instance === "object" && holdsReplaced(instance, run) ? NOT_APPLICABLE : INVALID;
}
