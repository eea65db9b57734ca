import type { Json } from "../../values/json.ts";
import { ARRAY, OBJECT } from "../../values/json_type.ts";
import { itemText, positionalCount } from "./arrays.ts";
import type { KeywordDefinition, Outcome } from "./keyword.ts";
import { INVALID, NOT_APPLICABLE, notASchema, satisfiabilityOfAll, VALID } from "./keyword.ts";
import { isUnsent } from "../read_only_write_only.ts";
import { isJsonObject, leftOver, propertyText, UNJUDGED } from "./objects.ts";

/** `unevaluatedProperties` (JSON Schema Core, section 11.3). */
export const unevaluatedProperties: KeywordDefinition = {
  name: "unevaluatedProperties",
  types: OBJECT,
  failure: "schemas",
  phase: 1,
  problem: (value, node) =>
    node.child("unevaluatedProperties", false) === undefined ? notASchema(value, node) : undefined,
  subschemas(_value, node, visit) {
    const schema = node.child("unevaluatedProperties", false) ?? true;
    if (!isUnsent(schema)) visit(schema, "property", leftOver(node));
  },
  satisfiability: (value, node, position, judge) =>
    satisfiabilityOfAll(unevaluatedProperties, value, node, position, judge),
  compile(value, node, compiler) {
    const schema = node.child("unevaluatedProperties", false) ?? true;
    const branch = isUnsent(schema) ? UNJUDGED : compiler.part(schema);
    const closing = value === false;
    return (instance, run, base, text, seen): Outcome => {
      if (!isJsonObject(instance)) return NOT_APPLICABLE;
      let outcome: Outcome = closing ? VALID : NOT_APPLICABLE;
      for (const name in instance) {
        if (seen?.hasProperty(name)) continue;
        if (outcome === NOT_APPLICABLE) outcome = VALID;
        const part = propertyText(text, name);
        if (
          !branch.evaluate(instance[name] as Json, run, base + branch.offset, part, undefined, name)
        ) {
          outcome = INVALID;
        }
        seen?.addProperty(name);
      }
      return outcome;
    };
  },
};

/** `unevaluatedItems` (JSON Schema Core, section 11.2). */
export const unevaluatedItems: KeywordDefinition = {
  name: "unevaluatedItems",
  types: ARRAY,
  failure: "schemas",
  phase: 1,
  problem: (value, node) =>
    node.child("unevaluatedItems", false) === undefined ? notASchema(value, node) : undefined,
  subschemas: (_value, node, visit) =>
    visit(node.child("unevaluatedItems", false) ?? true, "item", { from: positionalCount(node) }),
  satisfiability: (value, node, position, judge) =>
    satisfiabilityOfAll(unevaluatedItems, value, node, position, judge),
  compile(value, node, compiler) {
    const branch = compiler.part(node.child("unevaluatedItems", false) ?? true);
    const closing = value === false;
    return (instance, run, base, text, seen): Outcome => {
      if (!Array.isArray(instance)) return NOT_APPLICABLE;
      let outcome: Outcome = closing ? VALID : NOT_APPLICABLE;
      for (let index = 0; index < instance.length; index++) {
        if (seen?.hasItem(index)) continue;
        if (outcome === NOT_APPLICABLE) outcome = VALID;
        if (
          !branch.evaluate(
            instance[index],
            run,
            base + branch.offset,
            itemText(text, index),
            undefined,
            index,
          )
        ) {
          outcome = INVALID;
        }
      }
      if (seen !== undefined) seen.allItems = true;
      return outcome;
    };
  },
};
