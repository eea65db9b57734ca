import type { SchemaNode } from "./schema_node.ts";
import { decideComponents } from "./components.ts";
import { usableKeywords } from "./usable_keywords.ts";

/** True if a schema comes back to itself without descending into the instance: `A: { allOf: [{ $ref: A }] }`. */
export function hasInPlaceCycle(start: SchemaNode): boolean {
  decideComponents(start, {
    next: inPlaceParts,
    isDecided: (node) => node.comesBackInPlace !== undefined,
    decide(members, isCycle) {
      for (const { vertex } of members) vertex.comesBackInPlace = isCycle;
    },
  });
  return start.comesBackInPlace === true;
}

function inPlaceParts(node: SchemaNode): SchemaNode[] {
  const parts: SchemaNode[] = [];
  const target = node.target;
  if (typeof target === "object") parts.push(target);
  const dynamic = node.dialect.dynamicReference;
  if (dynamic !== undefined && typeof node.schema[dynamic] === "string") {
    const found = node.graph.dynamicTarget(node, []);
    if (typeof found === "object") parts.push(found);
  }
  for (const { definition, value } of usableKeywords(node)) {
    definition.subschemas?.(value, node, (child, relation) => {
      if (relation === "in_place" && typeof child === "object") parts.push(child);
    });
  }
  return parts;
}
