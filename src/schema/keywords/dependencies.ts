import type { Json } from "../../values/json.ts";
import { OBJECT } from "../../values/json_type.ts";
import { EvaluatedParts } from "../evaluated_parts.ts";
import { isObject, type SchemaNode, type SchemaObject, type Subschema } from "../schema_node.ts";
import type { KeywordDefinition, Outcome, VisitSubschema } from "./keyword.ts";
import { INVALID, NOT_APPLICABLE, notASchema, VALID } from "./keyword.ts";
import { isJsonObject, isNameList } from "./objects.ts";

/** The requirement of a property on the object that has it: other properties, or a schema. */
export type Demand = readonly string[] | Subschema;

/** Returns the requirement under a name in one of the keywords; undefined if it is invalid. */
export function readDemand(
  keyword: string,
  name: string,
  value: unknown,
  node: SchemaNode,
): Demand | undefined {
  if (keyword !== "dependentSchemas" && isNameList(value)) return value;
  return keyword === "dependentRequired" ? undefined : node.member(keyword, name, value, true);
}

const CONTENTS: Readonly<Record<string, string>> = {
  dependentRequired: "list of names",
  dependentSchemas: "schema",
  dependencies: "schema or list of names",
};

function demandProblem(keyword: string, value: unknown, node: SchemaNode): string {
  return typeof value === "boolean" && keyword !== "dependentRequired"
    ? notASchema(value, node)
    : `must be a ${CONTENTS[keyword]}`;
}

function dependent(keyword: string): KeywordDefinition {
  function listDemands(value: unknown, node: SchemaNode): [name: string, demand: Demand][] {
    return Object.entries(value as SchemaObject).flatMap(([name, member]) => {
      const demand = readDemand(keyword, name, member, node);
      return demand === undefined ? [] : [[name, demand]];
    });
  }
  function subschemas(value: unknown, node: SchemaNode, visit: VisitSubschema): void {
    for (const [name, demand] of listDemands(value, node)) {
      if (!isNameList(demand)) visit(demand as Subschema, "in_place", name);
    }
  }
  /** True if a list of names fails, which the keyword requires in addition to schemas. */
  function failsItself(value: unknown, node: SchemaNode, instance: Json): boolean {
    if (!isJsonObject(instance)) return false;
    return listDemands(value, node).some(([name, demand]) =>
      Object.hasOwn(instance, name) && isNameList(demand) &&
      demand.some((needed) => !Object.hasOwn(instance, needed))
    );
  }
  return {
    name: keyword,
    types: OBJECT,
    ...(keyword !== "dependentRequired" && { failure: "schemas" as const, failsItself }),
    problem: (value) =>
      isObject(value) ? undefined : `must map property names to a ${CONTENTS[keyword]} each`,
    flaws: (value, node) =>
      Object.entries(value as SchemaObject)
        .filter(([name, demand]) => readDemand(keyword, name, demand, node) === undefined)
        .map(([name, demand]) => ({ name, problem: demandProblem(keyword, demand, node) })),
    ...(keyword !== "dependentRequired" && { subschemas }),
    satisfiability(value, node, position, judge) {
      const canFail = listDemands(value, node).some(([, demand]) =>
        isNameList(demand) ? demand.length > 0 : judge.canFail(demand as Subschema, position)
      );
      return canFail ? "Normal" : "Positive";
    },
    compile(value, node, compiler) {
      const demands = listDemands(value, node).map(([name, demand]) =>
        isNameList(demand)
          ? [name, demand, undefined] as const
          : [name, [], compiler.subschema(demand as Subschema)] as const
      );
      return (instance, run, base, text, evaluated): Outcome => {
        if (!isJsonObject(instance)) return NOT_APPLICABLE;
        let outcome: Outcome = NOT_APPLICABLE;
        for (const [name, names, branch] of demands) {
          if (!Object.hasOwn(instance, name)) continue;
          if (outcome === NOT_APPLICABLE) outcome = VALID;
          for (const needed of names) if (!Object.hasOwn(instance, needed)) outcome = INVALID;
          if (branch === undefined) continue;
          const parts = evaluated === undefined ? undefined : new EvaluatedParts();
          if (!branch.evaluate(instance, run, base + branch.offset, text, parts)) outcome = INVALID;
          else if (parts !== undefined) evaluated!.merge(parts); // `parts` is only defined if `evaluated` is.
        }
        return outcome;
      };
    },
  };
}

/** `dependentRequired` (JSON Schema Validation, section 6.5.4). */
export const dependentRequired: KeywordDefinition = dependent("dependentRequired");
/** `dependentSchemas` (JSON Schema Core, section 10.2.2.4). */
export const dependentSchemas: KeywordDefinition = dependent("dependentSchemas");
/** `dependencies` (drafts 4 to 7): a list of names, or a schema, for each property. */
export const dependencies: KeywordDefinition = dependent("dependencies");
