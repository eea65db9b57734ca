import { usableKeywords } from "./usable_keywords.ts";
import type { SchemaNode } from "./schema_node.ts";

/** True if a schema comes back to itself without descending into the instance: `A: { allOf: [{ $ref: A }] }`. */
export function hasInPlaceCycle(start: SchemaNode): boolean {
  return start.comesBackInPlace ??= leadsBack(start);
}

function leadsBack(start: SchemaNode): boolean {
  const visited = new Set<SchemaNode>();
  const open = inPlaceParts(start);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === start) return true;
    if (visited.has(node)) continue;
    visited.add(node);
    open.push(...inPlaceParts(node));
  }
  return false;
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
