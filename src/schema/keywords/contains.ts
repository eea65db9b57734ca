import { holdsReplaced } from "../holds_replaced.ts";
import { ARRAY } from "../../values/json_type.ts";
import { positionsBelow } from "../position.ts";
import type { SchemaNode } from "../schema_node.ts";
import { itemText } from "./arrays.ts";
import type { KeywordDefinition, Outcome } from "./keyword.ts";
import { INVALID, NOT_APPLICABLE, notASchema, VALID } from "./keyword.ts";

/** The value of `minContains` or `maxContains` where the dialect has it and it can be used. */
function limit(node: SchemaNode, name: "minContains" | "maxContains"): number | undefined {
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

/** `contains` (JSON Schema Core, section 10.3.1.3): one item at least, unless `minContains` is 0. */
export const contains: KeywordDefinition = {
  name: "contains",
  types: ARRAY,
  problem: (value, node) =>
    node.child("contains", false) === undefined ? notASchema(value, node) : undefined,
  subschemas: (_value, node, visit) =>
    visit(node.child("contains", false) ?? true, "item", ALL_ITEMS),
  satisfiability(_value, node, position, judge) {
    const least = limit(node, "minContains");
    if (least !== undefined && least <= 0) return "Positive";
    const schema = node.child("contains", false) ?? true;
    const canPass = positionsBelow(position, "item", ALL_ITEMS).some((item) =>
      judge.canPass(schema, item)
    );
    return canPass ? "Normal" : "Negative";
  },
  countsItself: true,
  compile(_value, node, compiler) {
    const branch = compiler.part(node.child("contains", false) ?? true);
    const count = compiler.counter("contains");
    const least = limit(node, "minContains");
    const most = limit(node, "maxContains");
    const countLeast = least === undefined ? undefined : compiler.counter("minContains");
    const countMost = most === undefined ? undefined : compiler.counter("maxContains");
    const marks = node.dialect.containsEvaluates;
    const optional = least !== undefined && least <= 0;
    return (instance, run, base, text, seen): Outcome => {
      if (!Array.isArray(instance)) return NOT_APPLICABLE;
      // Whether such an item fits is not known.
      if (instance.some((item) => typeof item === "string" && holdsReplaced(item, run))) {
        return NOT_APPLICABLE;
      }
      let matches = 0;
      for (let index = 0; index < instance.length; index++) {
        const part = text === undefined ? undefined : itemText(text, index);
        const { evaluate, offset } = branch;
        if (!evaluate(instance[index], run, base + offset, part, undefined, index)) continue;
        matches++;
        if (marks) seen?.addItem(index);
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
