import type { OperationPlan } from "../map/coverage_plan.ts";
import type { Subschema } from "../schema/schema_node.ts";
import { referenced } from "../schema/scope.ts";
import { findMember } from "../values/json_pointer.ts";
import type { Suggestion } from "./suggestion.ts";

/**
 * Lists the properties that all documented responses with an expected status require. None for invalid requests:
 * a test of one rule says nothing about how the API words its errors.
 */
export function requiredProperties(
  { expects, breaks }: Suggestion,
  plan: OperationPlan | undefined,
): readonly string[] {
  if (breaks !== null) return [];
  const responses = plan?.model.responses ?? [];
  const lists = expects.flatMap((status) => {
    const index = responses.findIndex(({ status_code }) => status_code === status);
    return plan?.response(index)?.mediaTypes.map(({ schema }) => requiredNames(schema)) ?? [[]];
  });
  const [first = [], ...others] = lists;
  return first.filter((name) => others.every((names) => names.includes(name)));
}

/** Lists the required properties of an object schema, except for those that are `writeOnly`. */
function requiredNames(schema: Subschema | undefined): readonly string[] {
  if (typeof schema !== "object") return [];
  const { type, required = [], properties } = schema.plain.schema;
  const direct = type === "object" && Array.isArray(required)
    ? required.map(String).filter((name) =>
      findMember(findMember(properties, name), "writeOnly") !== true
    )
    : [];
  const inherited = Array.from(referenced(schema.plain)).flatMap(requiredNames);
  return [...new Set([...direct, ...inherited])];
}
