import { containsLimit } from "../../schema/keywords/arrays.ts";
import { heldSchema } from "../../schema/keywords/keyword.ts";
import type { SchemaNode } from "../../schema/schema_node.ts";
import { ARRAY } from "../../values/json_type.ts";
import { type Facts, match, mismatch } from "../values/facts.ts";
import { MAX_ITEMS } from "../values/make_number.ts";
import type { KeywordMaker } from "./keyword_maker.ts";

export const uniqueItems: KeywordMaker = {
  pass(value, _node, { facts }) {
    facts.isUnique ||= value === true;
    facts.relevantTypes |= ARRAY;
  },
  fail(_value, _node, { facts }) {
    facts.relevantTypes |= ARRAY;
    facts.repeatsItem = true;
    facts.limitSize("Items", 2, Infinity);
  },
};

/** Demands at least `count` items that match `contains`; exactly as many if `isExact`. */
function demandMatches(facts: Facts, node: SchemaNode, count: number, isExact: boolean): void {
  const schema = heldSchema("contains", node);
  // An array of more items is never made, so only the size is demanded.
  facts.limitSize("Items", count, Infinity);
  for (let index = 0; index < Math.min(count, MAX_ITEMS); index++) {
    facts.addItem(index, match(schema));
  }
  if (!isExact) return;
  facts.itemRules.push({ applies: (index) => index >= count, demand: mismatch(schema) });
  facts.relevantTypes |= ARRAY;
}

/** `contains`: broken by an array without a matching item; its limits by one such item too few or too many. */
export const contains: KeywordMaker = {
  pass(_value, node, gathering) {
    const { facts } = gathering;
    const min = Math.max(0, Math.ceil(containsLimit(node, "minContains") ?? 1));
    const max = containsLimit(node, "maxContains");
    if (gathering.breaks(node, "minContains")) demandMatches(facts, node, min - 1, true);
    else if (max === undefined) demandMatches(facts, node, min, false);
    else if (gathering.breaks(node, "maxContains")) {
      demandMatches(facts, node, Math.floor(max) + 1, false);
    } else demandMatches(facts, node, min, true);
  },
  fail: (_value, node, { facts }) => demandMatches(facts, node, 0, true),
};

/** `minContains` and `maxContains`: handled by `contains`. */
export const containsCount: KeywordMaker = { pass: () => {}, fail: () => {} };
