import type { SchemaNode, Subschema } from "./schema_node.ts";
import { usableKeywords } from "./usable_keywords.ts";
import { walkSchemas } from "./walk_schemas.ts";

const answers = new WeakMap<SchemaNode, boolean>();

/**
 * True if what a schema negates leads back to the schema, so that whether it can pass would depend on whether it can't:
 * `A: { not: { $ref: A } }`. No dynamic scope is asked: what it could lead to counts.
 */
export function negatesItself(node: SchemaNode, negated: Subschema): boolean {
  let answer = answers.get(node);
  if (answer === undefined) answers.set(node, answer = leadsTo(negated, node));
  return answer;
}

function leadsTo(start: Subschema, goal: SchemaNode): boolean {
  return walkSchemas(start, (node, add) => {
    if (node === goal) return true;
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
    return false;
  });
}
