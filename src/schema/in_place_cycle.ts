import { keywordTable } from "../values/keyword_table.ts";
import { decideComponents } from "./strong_components.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";
import { referenced } from "./scope.ts";
import { usableKeywords } from "./usable_keywords.ts";

/** True if a schema leads back to itself without descending into the instance: `A: { allOf: [{ $ref: A }] }`. */
export function hasInPlaceCycle(start: SchemaNode): boolean {
  decideComponents(start, {
    next: (node) => inPlaceSchemas(node, referenced(node)),
    isDecided: (node) => node.isInPlaceCycle !== undefined,
    decide(members, isCycle) {
      for (const { vertex } of members) vertex.isInPlaceCycle = isCycle;
    },
  });
  return start.isInPlaceCycle === true;
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
