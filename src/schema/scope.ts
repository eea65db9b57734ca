import type { Resource } from "./references.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";

/** A dynamic scope (JSON Schema Core 2020-12, section 7.1): the schema resources entered, outermost first. */
export type Scope = readonly Resource[];

export function enterScope(scope: Scope, resource: Resource): Scope {
  return scope.includes(resource) ? scope : [...scope, resource];
}

export function scopeKey(scope: Scope): string {
  return scope.map((resource) => resource.uri).join(" ");
}

export function referenced(node: SchemaNode, scope: Scope = []): Subschema[] {
  const found: Subschema[] = [];
  const target = node.target;
  if (target !== undefined) found.push(target);
  const dynamic = node.dialect.dynamicReference;
  if (dynamic !== undefined && typeof node.schema[dynamic] === "string") {
    found.push(node.graph.dynamicTarget(node, scope));
  }
  return found;
}
