import { keywordDefinitions } from "../../schema/keywords/keyword_definitions.ts";
import type { SchemaNode } from "../../schema/schema_node.ts";
import type { AppliedPart } from "../../schema/usable_keywords.ts";
import { OBJECT } from "../../values/json_type.ts";
import { match, mismatch } from "../values/facts.ts";
import type { Gathering, KeywordMaker } from "./keyword_maker.ts";

type Part = Omit<AppliedPart, "keyword">;

/** The schemas in a keyword with what they apply to, as its definition lists them. */
function listParts(keyword: string, value: unknown, node: SchemaNode): readonly Part[] {
  const parts: Part[] = [];
  keywordDefinitions.get(keyword)?.subschemas?.(value, node, (schema, relation, where) => {
    parts.push({ schema, relation, where });
  });
  return parts;
}

/**
 * A keyword whose schemas all have to hold for what they apply to: broken by a value or a part that fails one of them.
 *
 * @param aims The types of values that it speaks of, whatever is in its schemas.
 */
export function applicator(keyword: string, aims = 0): KeywordMaker {
  return {
    hold(value, node, gathering) {
      gathering.facts.aims |= aims;
      for (const part of listParts(keyword, value, node)) holdPart(part, gathering);
    },
    ways: (value, node) => listParts(keyword, value, node).length,
    fail(value, node, gathering, way) {
      listParts(keyword, value, node).forEach((part, index) =>
        index === way ? failPart(part, gathering) : holdPart(part, gathering)
      );
    },
  };
}

function holdPart({ schema, relation, where }: Part, gathering: Gathering): void {
  const { facts } = gathering;
  const demand = match(schema);
  if (relation === "in_place") gathering.hold(schema);
  else if (relation === "name") facts.names.push(demand);
  else if (typeof where === "string") facts.property(where, demand);
  else if (typeof where === "number") {
    facts.itemRules.push({ applies: (index) => index === where, demand });
  } else if ("from" in where) {
    facts.itemRules.push({ applies: (index) => index >= where.from, demand });
  } else {
    facts.propertyRules.push({ applies: where.has, demand });
    if (where.pattern === undefined && typeof schema === "object") facts.aims |= OBJECT;
  }
}

function failPart({ schema, relation, where }: Part, gathering: Gathering): void {
  const { facts } = gathering;
  const demand = mismatch(schema);
  if (relation === "in_place") gathering.refuse(schema);
  else if (relation === "name") {
    facts.aims |= OBJECT;
    facts.names.push(demand);
    facts.size("Properties", 1, Infinity);
  } else if (typeof where === "string") {
    facts.property(where, demand);
    facts.required.add(where);
  } else if (typeof where === "number") facts.item(where, demand);
  else if ("from" in where) {
    const { from } = where;
    facts.itemRules.push({ applies: (index) => index > from, demand: match(schema) });
    facts.item(from, demand);
  } else {
    facts.aims |= OBJECT;
    facts.wanted.push({ applies: where.has, pattern: where.pattern, demand });
  }
}
