import { keywordDefinitions } from "./keywords/keyword_definitions.ts";
import type { KeywordDefinition } from "./keywords/keyword.ts";
import type { SchemaNode } from "./schema_node.ts";

/** A keyword as a schema uses it. */
export interface UsedKeyword {
  /** Its definition. */
  readonly definition: KeywordDefinition;
  /** Its value. */
  readonly value: unknown;
}

/**
 * The tracked keywords of a schema that can be used, in the order of the document.
 * Nothing beside a `$ref` that hides its siblings.
 *
 * @param report Called for each keyword whose value is wrong, with the end of a sentence, and the item of a list that is to
 *   blame.
 */
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
