import { ARRAY, OBJECT } from "../../values/json_type.ts";
import { evaluateItem, itemsLeftOver } from "./arrays.ts";
import {
  heldSchema,
  holdsSchema,
  INVALID,
  type KeywordDefinition,
  NOT_APPLICABLE,
  type Outcome,
  VALID,
} from "./keyword.ts";
import { isNotSent } from "../read_only_write_only.ts";
import { evaluateProperty, isJsonObject, leftOver, UNJUDGED } from "./objects.ts";

/** `unevaluatedProperties` (JSON Schema Core, section 11.3). */
export const unevaluatedProperties: KeywordDefinition = {
  ...holdsSchema("unevaluatedProperties", "property", leftOver),
  types: OBJECT,
  failure: "schemas",
  phase: 1,
  compile(value, node, compiler) {
    const schema = heldSchema("unevaluatedProperties", node);
    const branch = isNotSent(schema) ? UNJUDGED : compiler.part(schema);
    const closing = value === false;
    return (instance, run, base, text, seen): Outcome => {
      if (!isJsonObject(instance)) return NOT_APPLICABLE;
      let outcome: Outcome = closing ? VALID : NOT_APPLICABLE;
      for (const name in instance) {
        if (seen?.hasProperty(name)) continue;
        if (outcome === NOT_APPLICABLE && branch !== UNJUDGED) outcome = VALID;
        if (!evaluateProperty(branch, instance, name, run, base, text)) outcome = INVALID;
        seen?.addProperty(name);
      }
      return outcome;
    };
  },
};

/** `unevaluatedItems` (JSON Schema Core, section 11.2). */
export const unevaluatedItems: KeywordDefinition = {
  ...holdsSchema("unevaluatedItems", "item", itemsLeftOver),
  types: ARRAY,
  failure: "schemas",
  phase: 1,
  compile(value, node, compiler) {
    const branch = compiler.part(heldSchema("unevaluatedItems", node));
    const closing = value === false;
    return (instance, run, base, text, seen): Outcome => {
      if (!Array.isArray(instance)) return NOT_APPLICABLE;
      let outcome: Outcome = closing ? VALID : NOT_APPLICABLE;
      for (let index = 0; index < instance.length; index++) {
        if (seen?.hasItem(index)) continue;
        if (outcome === NOT_APPLICABLE) outcome = VALID;
        if (!evaluateItem(branch, instance, index, run, base, text)) outcome = INVALID;
      }
      if (seen !== undefined) seen.allItems = true;
      return outcome;
    };
  },
};
