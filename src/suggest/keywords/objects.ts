import { type Demand, readDemand } from "../../schema/keywords/dependencies.ts";
import { heldSchema } from "../../schema/keywords/keyword.ts";
import { isNameList, requiredNames } from "../../schema/keywords/objects.ts";
import { declaredNotSent, isNotSent } from "../../schema/read_only_write_only.ts";
import type { SchemaNode } from "../../schema/schema_node.ts";
import { OBJECT } from "../../values/json_type.ts";
import { match, mismatch } from "../values/facts.ts";
import { applicator } from "./applicator.ts";
import type { Gathering, KeywordMaker } from "./keyword_maker.ts";

const declared = applicator("properties", OBJECT);

/** `properties`, without those that clients don't send because they are `readOnly`. */
export const properties: KeywordMaker = {
  ...declared,
  pass(value, node, gathering) {
    declared.pass(value, node, gathering);
    for (const name of declaredNotSent(node)) gathering.facts.forbidden.add(name);
  },
};

/** `unevaluatedProperties`: broken by a property that no other schema of the place declares. */
export const unevaluatedProperties: KeywordMaker = {
  pass(_value, node, { facts }) {
    const schema = heldSchema("unevaluatedProperties", node);
    if (!isNotSent(schema)) facts.otherProperties.push(match(schema));
  },
  fail(_value, node, { facts }) {
    const schema = heldSchema("unevaluatedProperties", node);
    facts.relevantTypes |= OBJECT;
    const applies = (name: string) => !facts.properties.has(name);
    facts.unnamed.push({ applies, pattern: undefined, demand: mismatch(schema) });
  },
};

export const required: KeywordMaker = {
  pass(value, node, { facts }) {
    for (const name of requiredNames(value, node)) facts.required.add(name);
    facts.relevantTypes |= OBJECT;
  },
  countWays: (value, node) => requiredNames(value, node).length,
  fail(value, node, { facts }, way) {
    facts.relevantTypes |= OBJECT;
    requiredNames(value, node).forEach((name, index) => {
      if (index === way) facts.forbidden.add(name);
      else facts.required.add(name);
    });
  },
};

type Dependency = readonly [name: string, demand: Demand];

function listDependencies(keyword: string, value: unknown, node: SchemaNode): Dependency[] {
  return Object.entries(value as object).flatMap(([name, member]): Dependency[] => {
    const demand = readDemand(keyword, name, member, node);
    return demand === undefined ? [] : [[name, demand]];
  });
}

function demandDependency(
  keyword: string,
  node: SchemaNode,
  [name, demand]: Dependency,
  gathering: Gathering,
): void {
  const { facts } = gathering;
  if (isNameList(demand)) {
    facts.dependencies.set(name, [...facts.dependencies.get(name) ?? [], ...demand]);
    return;
  }
  const first = gathering.isFull ? 0 : 1;
  if (gathering.choose(node, `${keyword} ${name}`, 2, first) === 0) {
    facts.required.add(name);
    gathering.require(demand);
  } else facts.forbidden.add(name);
}

/** `dependentRequired`, `dependentSchemas` and `dependencies`: broken by a property without what it requires. */
export function dependent(keyword: string): KeywordMaker {
  /** Each required name can be missing, and each schema can fail. */
  const listWays = (value: unknown, node: SchemaNode) =>
    listDependencies(keyword, value, node).flatMap(([name, demand]) =>
      (isNameList(demand) ? demand : [demand]).map((missing) => ({ name, missing }))
    );
  return {
    pass(value, node, gathering) {
      for (const dependency of listDependencies(keyword, value, node)) {
        demandDependency(keyword, node, dependency, gathering);
      }
    },
    countWays: (value, node) => listWays(value, node).length,
    fail(value, node, gathering, way) {
      const { facts } = gathering;
      const broken = listWays(value, node)[way];
      if (broken === undefined) return;
      facts.relevantTypes |= OBJECT;
      facts.required.add(broken.name);
      for (const [name, demand] of listDependencies(keyword, value, node)) {
        if (name !== broken.name) demandDependency(keyword, node, [name, demand], gathering);
        else if (!isNameList(demand)) gathering.refuse(demand);
        else {
          for (const needed of demand) {
            if (needed === broken.missing) facts.forbidden.add(needed);
            else facts.required.add(needed);
          }
        }
      }
    },
  };
}
