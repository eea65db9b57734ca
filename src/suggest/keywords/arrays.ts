import { containsLimit } from "../../schema/keywords/arrays.ts";
import { heldSchema } from "../../schema/keywords/keyword.ts";
import type { SchemaNode } from "../../schema/schema_node.ts";
import { ARRAY } from "../../values/json_type.ts";
import { type Facts, match, mismatch } from "../values/facts.ts";
import { MAX_ITEMS } from "../values/make_number.ts";
import type { KeywordMaker } from "./keyword_maker.ts";

export const uniqueItems: KeywordMaker = {
  hold(value, _node, { facts }) {
    facts.isUnique ||= value === true;
    facts.aims |= ARRAY;
  },
  fail(_value, _node, { facts }) {
    facts.aims |= ARRAY;
    facts.repeatsItem = true;
    facts.size("Items", 2, Infinity);
  },
};

/** Demands at least `count` items that match `contains`; exactly as many if `isExact`. */
function wantMatches(facts: Facts, node: SchemaNode, count: number, isExact: boolean): void {
  const schema = heldSchema("contains", node);
  // An array of more items is never made, so only the size is demanded.
  facts.size("Items", count, Infinity);
  for (let index = 0; index < Math.min(count, MAX_ITEMS); index++) {
    facts.item(index, match(schema));
  }
  if (!isExact) return;
  facts.itemRules.push({ applies: (index) => index >= count, demand: mismatch(schema) });
  facts.aims |= ARRAY;
}

/** `contains`: broken by an array without a matching item; its limits by one such item too few or too many. */
export const contains: KeywordMaker = {
  hold(_value, node, gathering) {
    const { facts } = gathering;
    const least = Math.max(0, Math.ceil(containsLimit(node, "minContains") ?? 1));
    const most = containsLimit(node, "maxContains");
    if (gathering.breaks(node, "minContains")) wantMatches(facts, node, least - 1, true);
    else if (most === undefined) wantMatches(facts, node, least, false);
    else if (gathering.breaks(node, "maxContains")) {
      wantMatches(facts, node, Math.floor(most) + 1, false);
    } else wantMatches(facts, node, least, true);
  },
  fail: (_value, node, { facts }) => wantMatches(facts, node, 0, true),
};

/** `minContains` and `maxContains`: handled by `contains`. */
export const containsCount: KeywordMaker = { hold: () => {}, fail: () => {} };
