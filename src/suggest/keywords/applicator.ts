import type { VisitSubschema } from "../../schema/keywords/keyword.ts";
import { keywordDefinitions } from "../../schema/keywords/keyword_definitions.ts";
import type { SchemaNode } from "../../schema/schema_node.ts";
import { OBJECT } from "../../values/json_type.ts";
import { match, mismatch } from "../values/facts.ts";
import type { Gathering, KeywordMaker } from "./keyword_maker.ts";

/**
 * A keyword whose subschemas all have to hold: broken by a value, or a part of it, that fails one of them.
 *
 * @param types The types, as bits, that the keyword applies to, whatever its subschemas are.
 */
export function applicator(keyword: string, types = 0): KeywordMaker {
  const visitSubschemas = (value: unknown, node: SchemaNode, visit: VisitSubschema): void =>
    keywordDefinitions.get(keyword)?.subschemas?.(value, node, visit);
  return {
    pass(value, node, gathering) {
      gathering.facts.relevantTypes |= types;
      visitSubschemas(value, node, (...part) => passPart(gathering, ...part));
    },
    countWays(value, node) {
      let count = 0;
      visitSubschemas(value, node, () => void count++);
      return count;
    },
    fail(value, node, gathering, way) {
      let index = 0;
      visitSubschemas(value, node, (...part) => {
        const add = index++ === way ? failPart : passPart;
        add(gathering, ...part);
      });
    },
  };
}

type VisitedPart = Parameters<VisitSubschema>;

function passPart(gathering: Gathering, ...[schema, relation, where]: VisitedPart): void {
  const { facts } = gathering;
  const demand = match(schema);
  if (relation === "in_place") gathering.require(schema);
  else if (relation === "name") facts.nameDemands.push(demand);
  else if (typeof where === "string") facts.addProperty(where, demand);
  else if (typeof where === "number") {
    facts.itemRules.push({ applies: (index) => index === where, demand });
  } else if ("from" in where) {
    facts.itemRules.push({ applies: (index) => index >= where.from, demand });
  } else {
    facts.propertyRules.push({ applies: where.has, demand });
    if (where.pattern === undefined && typeof schema === "object") facts.relevantTypes |= OBJECT;
  }
}

function failPart(gathering: Gathering, ...[schema, relation, where]: VisitedPart): void {
  const { facts } = gathering;
  const demand = mismatch(schema);
  if (relation === "in_place") gathering.refuse(schema);
  else if (relation === "name") {
    facts.relevantTypes |= OBJECT;
    facts.nameDemands.push(demand);
    facts.limitSize("Properties", 1, Infinity);
  } else if (typeof where === "string") {
    facts.addProperty(where, demand);
    facts.required.add(where);
  } else if (typeof where === "number") facts.addItem(where, demand);
  else if ("from" in where) {
    const { from } = where;
    facts.itemRules.push({ applies: (index) => index > from, demand: match(schema) });
    facts.addItem(from, demand);
  } else {
    facts.relevantTypes |= OBJECT;
    facts.unnamed.push({ applies: where.has, pattern: where.pattern, demand });
  }
}
