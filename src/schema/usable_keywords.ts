import { keywordDefinitions } from "./keywords/keyword_definitions.ts";
import type { KeywordDefinition } from "./keywords/keyword.ts";
import type { PartSelector } from "./part_positions.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";
import { keywordTable, type Relation } from "../values/keyword_table.ts";

export interface UsableKeyword {
  readonly definition: KeywordDefinition;
  readonly value: unknown;
}

/** Returns the usable tracked keywords, in document order; none beside a `$ref` that hides them. */
export function usableKeywords(
  node: SchemaNode,
  report?: (keyword: string, problem: string, invalidItem: string | undefined) => void,
): UsableKeyword[] {
  const usable: UsableKeyword[] = [];
  if (node.isReferenceOnly) return usable;
  const schema = node.schema;
  for (const keyword in schema) {
    const definition = keywordDefinitions.get(keyword);
    if (definition === undefined || !node.dialect.keywords.has(keyword)) continue;
    const value = schema[keyword];
    const problem = definition.problem(value, node);
    if (problem === undefined) usable.push({ definition, value });
    else if (problem !== null) {
      report?.(keyword, problem, definition.invalidItem?.(value, node));
    }
  }
  return usable;
}

export interface AppliedPart {
  readonly schema: Subschema;
  readonly keyword: string;
  readonly relation: Relation;
  readonly part: PartSelector;
}

export function listSubschemas(node: SchemaNode): AppliedPart[] {
  const parts: AppliedPart[] = [];
  for (const { definition: { name: keyword, subschemas }, value } of usableKeywords(node)) {
    subschemas?.(value, node, (schema, relation, part) => {
      parts.push({ schema, keyword, relation, part });
    });
  }
  return parts;
}

/** Returns the schemas that can apply to the same instance: the targets of references, and subschemas of keywords. */
export function inPlaceSchemas(
  node: SchemaNode,
  targets: readonly (Subschema | undefined)[],
): SchemaNode[] {
  const parts = targets.filter((target) => typeof target === "object");
  for (const { definition: { name, subschemas }, value } of usableKeywords(node)) {
    if (keywordTable.get(name)?.relation !== "in_place") continue;
    subschemas?.(value, node, (child) => {
      if (typeof child === "object") parts.push(child);
    });
  }
  return parts;
}
