import { referenced, type Scope } from "../scope.ts";
import { ANY_NUMBER, ANY_TYPE, jsonType } from "../../values/json_type.ts";
import type { Json } from "../../values/json.ts";
import { escapeToken } from "../../values/json_pointer.ts";
import { ANY_OF, memberSchemas } from "../in_place_schemas.ts";
import { isJsonObject } from "../keywords/objects.ts";
import { namedTypes } from "../keywords/type.ts";
import { isObject, type SchemaNode, type Subschema } from "../schema_node.ts";
import { usableKeywords } from "../usable_keywords.ts";

/** Returns the index of the intended alternative: by `discriminator`, or the only one that admits the JSON type. */
export function chooseAlternative(
  node: SchemaNode,
  alternatives: readonly Subschema[],
  value: Json,
  scope: Scope,
): number | undefined {
  return discriminated(node, alternatives, value) ?? onlyAdmitting(alternatives, value, scope);
}

export interface Choice {
  readonly schema_path: string;
  readonly alternatives: readonly Subschema[];
}

/** Returns the lists of alternatives among which the `discriminator` of a schema chooses; none in responses. */
export function findChoices(node: SchemaNode): Choice[] {
  if (!isObject(node.schema["discriminator"]) || node.graph.direction === "response") return [];
  return usableKeywords(node)
    .filter(({ definition }) => ANY_OF.includes(definition.name))
    .map(({ definition: { name }, value }) => ({
      schema_path: node.schemaPath(name),
      alternatives: (value as readonly unknown[]).map((item, index) =>
        node.member(name, String(index), item, true) ?? true
      ),
    }));
}

function onlyAdmitting(
  alternatives: readonly Subschema[],
  value: Json,
  scope: Scope,
): number | undefined {
  const type = typeof value === "number" ? ANY_NUMBER : jsonType(value);
  let onlyIndex: number | undefined;
  for (let index = 0; index < alternatives.length; index++) {
    const schema = alternatives[index] as Subschema; // The index is within bounds.
    if ((admittedTypes(schema, scope, new Set()) & type) === 0) continue;
    if (onlyIndex !== undefined) return undefined;
    onlyIndex = index;
  }
  return onlyIndex;
}

/** Returns the types that `type` admits, in the schema, its references and its `allOf`. */
function admittedTypes(schema: Subschema, scope: Scope, visited: Set<SchemaNode>): number {
  if (typeof schema === "boolean") return schema ? ANY_TYPE : 0;
  if (visited.has(schema)) return ANY_TYPE;
  visited.add(schema);
  let types = ANY_TYPE;
  for (const target of referenced(schema, scope)) types &= admittedTypes(target, scope, visited);
  if (schema.isReferenceOnly) return types;
  for (const member of memberSchemas(schema, "allOf")) {
    types &= admittedTypes(member, scope, visited);
  }
  return types & (namedTypes(schema.schema["type"], schema) ?? ANY_TYPE);
}

/** Returns the alternative named by `discriminator` (OpenAPI 3.1.1, section 4.8.25; 3.2.0 adds `defaultMapping`). */
export function discriminated(
  node: SchemaNode,
  alternatives: readonly Subschema[],
  value: Json,
): number | undefined {
  const discriminator = node.schema["discriminator"];
  if (!isObject(discriminator) || !isJsonObject(value)) return undefined;
  const { propertyName, mapping, defaultMapping } = discriminator;
  if (typeof propertyName !== "string") return undefined;
  const name = Object.hasOwn(value, propertyName) ? value[propertyName] : undefined;
  if (typeof name === "string") {
    const isMapped = isObject(mapping) && Object.hasOwn(mapping, name);
    const index = isMapped
      ? findReferenced(node, alternatives, mapping[name])
      : findNamed(alternatives, name);
    if (index !== undefined) return index;
  }
  return findReferenced(node, alternatives, defaultMapping);
}

function findReferenced(
  node: SchemaNode,
  alternatives: readonly Subschema[],
  reference: unknown,
): number | undefined {
  if (typeof reference !== "string") return undefined;
  const target = node.graph.references.resolve(node.place, reference)?.value;
  return findNamed(alternatives, reference) ?? indexWhere(alternatives, (schema) => {
    const { plainTarget } = schema;
    return (typeof plainTarget === "object" ? plainTarget : schema).schema === target;
  });
}

/** Finds a referenced alternative by its name, which comes from traffic: it is compared, never resolved. */
function findNamed(alternatives: readonly Subschema[], name: string): number | undefined {
  const end = `/${escapeToken(name)}`;
  return indexWhere(
    alternatives,
    ({ plainTarget }) => typeof plainTarget === "object" && plainTarget.pointer.endsWith(end),
  );
}

function indexWhere(
  alternatives: readonly Subschema[],
  matches: (schema: SchemaNode) => boolean,
): number | undefined {
  const index = alternatives.findIndex((schema) => typeof schema === "object" && matches(schema));
  return index < 0 ? undefined : index;
}
