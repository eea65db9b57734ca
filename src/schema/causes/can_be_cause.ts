import { keywordDefinitions } from "../keywords/keyword_definitions.ts";
import type { SchemaNode } from "../schema_node.ts";
import type { UsedKeyword } from "../usable_keywords.ts";

/**
 * True if a keyword can be the cause of a failure: assertions, alternatives, and applicators that hold a schema `false`
 * or a list of names.
 *
 * @param holdsFalse True if one of its schemas is `false`.
 */
export function canBeCause({ definition, value }: UsedKeyword, holdsFalse: boolean): boolean {
  const { failure, failsItself } = definition;
  if (failure === undefined || failure === "alternatives") return true;
  if (failure === "none") return false;
  if (holdsFalse || value === false) return true;
  if (failsItself === undefined) return false;
  return Object.values(value as object).some((demand) =>
    Array.isArray(demand) && demand.length > 0
  );
}

/** As {@linkcode canBeCause}, for a keyword of a schema by its name. */
export function keywordCanBeCause(node: SchemaNode, keyword: string): boolean {
  const definition = keywordDefinitions.get(keyword);
  if (definition === undefined) return false;
  const value = node.schema[keyword];
  let holdsFalse = false;
  if (definition.failure === "schemas") {
    definition.subschemas?.(value, node, (schema) => holdsFalse ||= schema === false);
  }
  return canBeCause({ definition, value }, holdsFalse);
}
