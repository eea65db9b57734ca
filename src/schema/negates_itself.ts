import { decideComponents } from "./components.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";
import { usableKeywords } from "./usable_keywords.ts";

/** An object for each schema, the same one for schemas that all lead to each other. */
const components = new WeakMap<SchemaNode, object>();

/**
 * True if what a schema negates leads back to the schema, so that whether it can pass would depend on whether it can't:
 * `A: { not: { $ref: A } }`. No dynamic scope is asked: what it could lead to counts.
 */
export function negatesItself(node: SchemaNode, negated: Subschema): boolean {
  if (typeof negated === "boolean") return false;
  decideComponents(negated, {
    next: partsOf,
    isDecided: (node) => components.has(node),
    decide(members) {
      const component = {};
      for (const { vertex } of members) components.set(vertex, component);
    },
  });
  // The schema leads to what it negates, so if that leads back, both are in one component.
  return components.get(negated) === components.get(node);
}

/** The schemas that a schema leads to. */
function partsOf(node: SchemaNode): readonly SchemaNode[] {
  const parts: SchemaNode[] = [];
  const add = (schema: Subschema | undefined): void => {
    if (typeof schema === "object") parts.push(schema);
  };
  add(node.target);
  const { graph, dialect: { dynamicReference } } = node;
  if (dynamicReference !== undefined && typeof node.schema[dynamicReference] === "string") {
    add(graph.dynamicTarget(node, []));
    if (graph.references.dynamic) {
      for (const resource of graph.references.resources()) {
        add(graph.dynamicTarget(node, [resource]));
      }
    }
  }
  for (const { definition, value } of usableKeywords(node)) {
    definition.subschemas?.(value, node, add);
  }
  return parts;
}
