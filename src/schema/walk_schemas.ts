import type { SchemaNode, Subschema } from "./schema_node.ts";

/**
 * Goes from a schema to all others that `visit` adds, to each once. There is no stack of calls that long rows of
 * references could exhaust.
 *
 * @param start Where to begin; booleans lead nowhere.
 * @param visit Looks at a schema and adds those that it leads to; ends the walk by returning true.
 * @returns whether `visit` ended the walk.
 */
export function walkSchemas(
  start: Subschema,
  visit: (node: SchemaNode, add: (schema: Subschema | undefined) => void) => boolean,
): boolean {
  const visited = new Set<SchemaNode>();
  const open: SchemaNode[] = [];
  const add = (schema: Subschema | undefined): void => {
    if (typeof schema !== "object" || visited.has(schema)) return;
    visited.add(schema);
    open.push(schema);
  };
  add(start);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (visit(node, add)) return true;
  }
  return false;
}
