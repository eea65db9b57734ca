import { ARRAY, OBJECT } from "../../values/json_type.ts";
import { evaluateItem, itemsAfterPositional } from "./arrays.ts";
import {
  heldSchema,
  INVALID,
  type KeywordDefinition,
  NOT_APPLICABLE,
  type Outcome,
  singleSchema,
  VALID,
} from "./keyword.ts";
import { isNotSent } from "../read_only_write_only.ts";
import { evaluateProperty, isJsonObject, NOT_SENT, undeclaredProperties } from "./objects.ts";

/** `unevaluatedProperties` (JSON Schema Core, section 11.3). */
export const unevaluatedProperties: KeywordDefinition = {
  ...singleSchema("unevaluatedProperties", "property", undeclaredProperties),
  types: OBJECT,
  failure: "schemas",
  phase: 1,
  compile(value, node, compiler) {
    const schema = heldSchema("unevaluatedProperties", node);
    const branch = isNotSent(schema) ? NOT_SENT : compiler.part(schema);
    const isClosed = value === false;
    return (instance, run, base, text, evaluated): Outcome => {
      if (!isJsonObject(instance)) return NOT_APPLICABLE;
      let outcome: Outcome = isClosed ? VALID : NOT_APPLICABLE;
      for (const name in instance) {
        if (evaluated?.hasProperty(name)) continue;
        if (outcome === NOT_APPLICABLE && branch !== NOT_SENT) outcome = VALID;
        if (!evaluateProperty(branch, instance, name, run, base, text)) outcome = INVALID;
        evaluated?.addProperty(name);
      }
      return outcome;
    };
  },
};

/** `unevaluatedItems` (JSON Schema Core, section 11.2). */
export const unevaluatedItems: KeywordDefinition = {
  ...singleSchema("unevaluatedItems", "item", itemsAfterPositional),
  types: ARRAY,
  failure: "schemas",
  phase: 1,
  compile(value, node, compiler) {
    const branch = compiler.part(heldSchema("unevaluatedItems", node));
    const isClosed = value === false;
    return (instance, run, base, text, evaluated): Outcome => {
      if (!Array.isArray(instance)) return NOT_APPLICABLE;
      let outcome: Outcome = isClosed ? VALID : NOT_APPLICABLE;
      for (let index = 0; index < instance.length; index++) {
        if (evaluated?.hasItem(index)) continue;
        if (outcome === NOT_APPLICABLE) outcome = VALID;
        if (!evaluateItem(branch, instance, index, run, base, text)) outcome = INVALID;
      }
      if (evaluated !== undefined) evaluated.allItems = true;
      return outcome;
    };
  },
};
