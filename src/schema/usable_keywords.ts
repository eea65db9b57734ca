import { keywordDefinitions } from "./keywords/keyword_definitions.ts";
import type { KeywordDefinition } from "./keywords/keyword.ts";
import type { SchemaNode } from "./schema_node.ts";

export interface UsedKeyword {
  readonly definition: KeywordDefinition;
  readonly value: unknown;
}

/** The tracked keywords that can be used, in document order; none beside a `$ref` that hides them. */
export function usableKeywords(
  node: SchemaNode,
  report?: (keyword: string, problem: string, culprit: string | undefined) => void,
): UsedKeyword[] {
  const used: UsedKeyword[] = [];
  if (node.isReferenceOnly) return used;
  const schema = node.schema;
  for (const keyword in schema) {
    const definition = keywordDefinitions.get(keyword);
    if (definition === undefined || !node.dialect.keywords.has(keyword)) continue;
    const value = schema[keyword];
    const problem = definition.problem(value, node);
    if (problem === undefined) used.push({ definition, value });
    else if (problem !== null) {
      report?.(keyword, problem, definition.culprit?.(value, node));
    }
  }
  return used;
}
