import { containsLimit, positionalCount } from "../../schema/keywords/arrays.ts";
import { heldSchema, listSchemas } from "../../schema/keywords/keyword.ts";
import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";
import { ARRAY } from "../../values/json_type.ts";
import { type Facts, match, mismatch } from "../values/facts.ts";
import type { KeywordMaker } from "./keyword_maker.ts";

function positional(keyword: string, value: unknown, node: SchemaNode): readonly Subschema[] {
  return listSchemas(keyword, value, node, false) ?? [];
}

function holdFrom(facts: Facts, from: number, schema: Subschema, except?: number): void {
  facts.itemRules.push({
    applies: (index) => index >= from && index !== except,
    demand: match(schema),
  });
}

/** Schemas by position: broken by an item that fails its own. */
function tuple(keyword: "items" | "prefixItems"): KeywordMaker {
  return {
    hold(value, node, { facts }) {
      facts.aims |= ARRAY;
      positional(keyword, value, node).forEach((schema, at) =>
        facts.itemRules.push({ applies: (index) => index === at, demand: match(schema) })
      );
    },
    ways: (value, node) => positional(keyword, value, node).length,
    fail(value, node, { facts }, way) {
      positional(keyword, value, node).forEach((schema, at) => {
        if (at === way) facts.item(at, mismatch(schema));
        else facts.itemRules.push({ applies: (index) => index === at, demand: match(schema) });
      });
    },
  };
}

/** A schema for the items from an index on: broken by one that fails it, or by one item more where none is allowed. */
function rest(keyword: "items" | "additionalItems" | "unevaluatedItems"): KeywordMaker {
  return {
    hold(_value, node, { facts }) {
      facts.aims |= ARRAY;
      holdFrom(facts, positionalCount(node), heldSchema(keyword, node));
    },
    fail(_value, node, { facts }) {
      const from = positionalCount(node);
      const schema = heldSchema(keyword, node);
      holdFrom(facts, from, schema, from);
      facts.item(from, mismatch(schema));
    },
  };
}

export const prefixItems: KeywordMaker = tuple("prefixItems");
export const additionalItems: KeywordMaker = rest("additionalItems");
export const unevaluatedItems: KeywordMaker = rest("unevaluatedItems");

const listItems = tuple("items");
const allItems = rest("items");

/** `items`: one schema for all, or before 2020-12 a list of them. */
export const items: KeywordMaker = {
  hold: (value, node, gathering) =>
    (Array.isArray(value) ? listItems : allItems).hold(value, node, gathering),
  ways: (value, node) => (Array.isArray(value) ? listItems : allItems).ways?.(value, node) ?? 1,
  fail: (value, node, gathering, way) =>
    (Array.isArray(value) ? listItems : allItems).fail(value, node, gathering, way),
};

/** `uniqueItems`: broken by the same item twice. */
export const uniqueItems: KeywordMaker = {
  hold(value, _node, { facts }) {
    facts.isUnique ||= value === true;
    facts.aims |= ARRAY;
  },
  fail(_value, _node, { facts }) {
    facts.aims |= ARRAY;
    facts.repeatsItem = true;
    facts.minItems = Math.max(facts.minItems, 2);
  },
};

/** Demands exactly so many matching items, as far as `allItems` says what the others are. */
function wantMatches(facts: Facts, node: SchemaNode, count: number, isExact: boolean): void {
  const schema = heldSchema("contains", node);
  for (let index = 0; index < count; index++) facts.item(index, match(schema));
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

/** `minContains` and `maxContains`: `contains` sees to them. */
export const containsCount: KeywordMaker = { hold: () => {}, fail: () => {} };
