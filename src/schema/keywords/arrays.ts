import type { Json, RawText } from "../../values/json.ts";
import { ARRAY } from "../../values/json_type.ts";
import { canonicalText, equal } from "../equal.ts";
import { containsReplaced, type EvaluationContext } from "../evaluation_context.ts";
import { isObject, type SchemaNode, type Subschema } from "../schema_node.ts";
import {
  type Branch,
  type Check,
  type Compiler,
  firstNonSchema,
  heldSchema,
  INVALID,
  type KeywordDefinition,
  limit,
  listSchemas,
  NOT_APPLICABLE,
  notASchema,
  type Outcome,
  singleSchema,
  VALID,
} from "./keyword.ts";
import { type ItemRange, positionsBelow } from "../part_positions.ts";

/** Returns the value of `minContains` or `maxContains`; undefined if the dialect lacks it, or it is unusable. */
export function containsLimit(
  node: SchemaNode,
  name: "minContains" | "maxContains",
): number | undefined {
  const value = node.schema[name];
  return node.dialect.keywords.has(name) && typeof value === "number" ? value : undefined;
}

function countLimit(name: "minContains" | "maxContains"): KeywordDefinition {
  return {
    name,
    types: ARRAY,
    problem(value, node) {
      if (node.child("contains", false) === undefined) return null;
      return typeof value === "number" ? undefined : "must be a number";
    },
    satisfiability: (value) =>
      name === "minContains" && (value as number) <= 0 ? "Positive" : "Normal",
    compile: () => undefined,
  };
}

const ALL_ITEMS = { from: 0 };

/** `minContains` (JSON Schema Validation, section 6.4.5); counted by the check of `contains`. */
export const minContains: KeywordDefinition = countLimit("minContains");
/** `maxContains` (JSON Schema Validation, section 6.4.4); counted by the check of `contains`. */
export const maxContains: KeywordDefinition = countLimit("maxContains");

/** `contains` (JSON Schema Core, section 10.3.1.3): at least one item, unless `minContains` is 0. */
export const contains: KeywordDefinition = {
  ...singleSchema("contains", "item", () => ALL_ITEMS),
  types: ARRAY,
  satisfiability(_value, node, position, judge) {
    const least = containsLimit(node, "minContains");
    if (least !== undefined && least <= 0) return "Positive";
    const schema = heldSchema("contains", node);
    const canPass = positionsBelow(position, "item", ALL_ITEMS).some((item) =>
      judge.canPass(schema, item)
    );
    return canPass ? "Normal" : "Negative";
  },
  countsItself: true,
  compile(_value, node, compiler) {
    const branch = compiler.part(heldSchema("contains", node));
    const count = compiler.counter("contains");
    const least = containsLimit(node, "minContains");
    const most = containsLimit(node, "maxContains");
    const countLeast = least === undefined ? undefined : compiler.counter("minContains");
    const countMost = most === undefined ? undefined : compiler.counter("maxContains");
    const marksItems = node.dialect.containsEvaluates;
    const optional = least !== undefined && least <= 0;
    return (instance, run, base, text, evaluated): Outcome => {
      if (!Array.isArray(instance)) return NOT_APPLICABLE;
      // It is unknown whether the original item would match.
      if (instance.some((item) => typeof item === "string" && containsReplaced(item, run))) {
        return NOT_APPLICABLE;
      }
      let matches = 0;
      for (let index = 0; index < instance.length; index++) {
        if (!evaluateItem(branch, instance, index, run, base, text)) continue;
        matches++;
        if (marksItems) evaluated?.addItem(index);
      }
      let valid = optional || matches > 0;
      count(run, base, valid);
      if (least !== undefined) {
        const enough = matches >= least;
        countLeast?.(run, base, enough);
        valid &&= enough;
      }
      if (most !== undefined) {
        const few = matches <= most;
        countMost?.(run, base, few);
        valid &&= few;
      }
      return valid ? VALID : INVALID;
    };
  },
};

function onArrays(test: (instance: readonly Json[]) => boolean): Check {
  return (instance): Outcome =>
    Array.isArray(instance) ? (test(instance) ? VALID : INVALID) : NOT_APPLICABLE;
}

/** `maxItems` (JSON Schema Validation, section 6.4.1). */
export const maxItems: KeywordDefinition = limit(
  "maxItems",
  ARRAY,
  (most) => onArrays((instance) => instance.length <= most),
);

/** `minItems` (JSON Schema Validation, section 6.4.2). */
export const minItems: KeywordDefinition = limit(
  "minItems",
  ARRAY,
  (least) => onArrays((instance) => instance.length >= least),
  true,
);

/** `uniqueItems` (JSON Schema Validation, section 6.4.3). */
export const uniqueItems: KeywordDefinition = {
  name: "uniqueItems",
  types: ARRAY,
  problem: (value) => typeof value === "boolean" ? undefined : "must be true or false",
  satisfiability: (value) => value === false ? "Positive" : "Normal",
  compile: (value) =>
    value === false ? onArrays(() => true) : (instance, run) => {
      if (!Array.isArray(instance)) return NOT_APPLICABLE;
      if (areUnique(instance)) return VALID;
      return containsReplaced(instance, run) ? NOT_APPLICABLE : INVALID;
    },
};

function areUnique(items: readonly Json[]): boolean {
  if (items.length <= 8) {
    for (let left = 0; left < items.length; left++) {
      for (let right = left + 1; right < items.length; right++) {
        if (equal(items[left] as Json, items[right] as Json)) return false;
      }
    }
    return true;
  }
  const texts = new Set<string>();
  for (const item of items) texts.add(canonicalText(item));
  return texts.size === items.length;
}

export function evaluateItem(
  { evaluate, offset }: Branch,
  items: readonly Json[],
  index: number,
  run: EvaluationContext,
  base: number,
  text: RawText | undefined,
): boolean {
  const part = (text?.parts as readonly RawText[] | undefined)?.[index];
  const { fault } = run;
  const valid = evaluate(items[index] as Json, run, base + offset, part, undefined, index);
  if (!valid) run.addFaultStep(String(index), fault);
  return valid;
}

export function itemsAfterPositional(node: SchemaNode): ItemRange {
  return { from: positionalCount(node) };
}

/** Returns the index from which `items` or `additionalItems` applies: after the positional schemas. */
export function positionalCount(node: SchemaNode): number {
  const positional = node.schema[node.dialect.itemLists ? "items" : "prefixItems"];
  const isSupported = node.dialect.itemLists || node.dialect.keywords.has("prefixItems");
  return isSupported && Array.isArray(positional) ? positional.length : 0;
}

function compilePositional(schemas: readonly Subschema[] = [], compiler: Compiler): Check {
  const branches = schemas.map((schema) => compiler.part(schema));
  return (instance, run, base, text, evaluated): Outcome => {
    if (!Array.isArray(instance)) return NOT_APPLICABLE;
    const length = Math.min(instance.length, branches.length);
    if (length === 0) return NOT_APPLICABLE;
    let valid = true;
    for (let index = 0; index < length; index++) {
      const branch = branches[index] as Branch; // The index is within bounds.
      if (!evaluateItem(branch, instance, index, run, base, text)) valid = false;
    }
    if (evaluated !== undefined) evaluated.itemsBefore = Math.max(evaluated.itemsBefore, length);
    return valid ? VALID : INVALID;
  };
}

function compileItemsFrom(from: number, isClosed: boolean, branch: Branch): Check {
  return (instance, run, base, text, evaluated): Outcome => {
    if (!Array.isArray(instance)) return NOT_APPLICABLE;
    if (isClosed) {
      if (evaluated !== undefined) evaluated.allItems = true;
      return instance.length <= from ? VALID : INVALID;
    }
    if (instance.length <= from) return NOT_APPLICABLE;
    let valid = true;
    for (let index = from; index < instance.length; index++) {
      if (!evaluateItem(branch, instance, index, run, base, text)) valid = false;
    }
    if (evaluated !== undefined) evaluated.allItems = true;
    return valid ? VALID : INVALID;
  };
}

/** `prefixItems` (JSON Schema Core 2020-12, section 10.3.1.1). */
export const prefixItems: KeywordDefinition = {
  name: "prefixItems",
  types: ARRAY,
  failure: "schemas",
  hasDisjointParts: true,
  problem: (value, node) =>
    listSchemas("prefixItems", value, node, false) === undefined
      ? "must be a list of schemas"
      : undefined,
  invalidItem: (value, node) => firstNonSchema("prefixItems", value, node, false),
  subschemas(value, node, visit) {
    listSchemas("prefixItems", value, node, false)?.forEach((schema, index) =>
      visit(schema, "item", index)
    );
  },
  compile: (value, node, compiler) =>
    compilePositional(listSchemas("prefixItems", value, node, false), compiler),
};

/** `items` (JSON Schema Core, section 10.3.1.2; before 2020-12 also a list of schemas by position). */
export const items: KeywordDefinition = {
  name: "items",
  types: ARRAY,
  failure: "schemas",
  hasDisjointParts: true,
  assumedTypes: (value, { dialect: { booleanSchemas, itemLists } }) =>
    isObject(value) || (typeof value === "boolean" && booleanSchemas) ||
      (Array.isArray(value) && itemLists)
      ? ARRAY
      : 0,
  problem(value, node) {
    if (Array.isArray(value)) {
      if (!node.dialect.itemLists) return `is a list, which ${node.dialect.name} does not support`;
      return listSchemas("items", value, node, false) === undefined
        ? "must be a schema or a list of schemas"
        : undefined;
    }
    return node.child("items", false) === undefined ? notASchema(value, node) : undefined;
  },
  invalidItem: (value, node) =>
    node.dialect.itemLists ? firstNonSchema("items", value, node, false) : undefined,
  subschemas(value, node, visit) {
    if (Array.isArray(value)) {
      listSchemas("items", value, node, false)?.forEach((schema, index) =>
        visit(schema, "item", index)
      );
    } else {
      visit(heldSchema("items", node), "item", itemsAfterPositional(node));
    }
  },
  compile(value, node, compiler) {
    if (Array.isArray(value)) {
      return compilePositional(listSchemas("items", value, node, false), compiler);
    }
    const branch = compiler.part(heldSchema("items", node));
    return compileItemsFrom(positionalCount(node), value === false, branch);
  },
};

const ADDITIONAL_ITEMS = singleSchema("additionalItems", "item", itemsAfterPositional);

/** `additionalItems` (JSON Schema Core 2019-09, section 9.3.1.2), which only applies if `items` is a list. */
export const additionalItems: KeywordDefinition = {
  ...ADDITIONAL_ITEMS,
  types: ARRAY,
  failure: "schemas",
  hasDisjointParts: true,
  problem: (value, node) =>
    Array.isArray(node.schema["items"]) ? ADDITIONAL_ITEMS.problem(value, node) : null,
  compile: (value, node, compiler) =>
    compileItemsFrom(
      positionalCount(node),
      value === false,
      compiler.part(heldSchema("additionalItems", node)),
    ),
};
