import { type DecidableGraph, decideComponents, ReachableNames } from "./strong_components.ts";
import { ALL_OF, memberSchemas } from "./in_place_schemas.ts";
import { isObject, type SchemaNode, type Subschema } from "./schema_node.ts";

const NONE: ReadonlySet<string> = new Set();

/** True if a schema has `readOnly: true` (in responses `writeOnly`) itself, by reference or in an `allOf`. */
export function isNotSent(schema: Subschema): boolean {
  if (typeof schema === "boolean") return false;
  const known = knownNotSent(schema);
  if (known !== undefined) return known;
  decideComponents(schema, COMPOSITION);
  return knownNotSent(schema) === true;
}

const decisions = new WeakMap<SchemaNode, boolean>();

const COMPOSITION: DecidableGraph<SchemaNode> = {
  next: unconditionalSchemas,
  isDecided: (node) => knownNotSent(node) !== undefined,
  decide(members) {
    const isNotSent = members.some(({ next }) => next.some((part) => knownNotSent(part) === true));
    for (const { vertex } of members) decisions.set(vertex, isNotSent);
  },
};

/** Returns whether a schema is not sent; undefined until the schemas that it depends on are decided. */
function knownNotSent(node: SchemaNode): boolean | undefined {
  const { schema, isReferenceOnly } = node;
  if (schema[node.graph.notSentKeyword] === true && !isReferenceOnly) return true;
  const isComposed = !isReferenceOnly && ALL_OF.some((keyword) => Array.isArray(schema[keyword]));
  return isComposed || schema["$ref"] !== undefined ? decisions.get(node) : false;
}

/** Returns the schemas that apply to every instance of a schema: the target of `$ref`, the members of `allOf`. */
function unconditionalSchemas(node: SchemaNode): SchemaNode[] {
  const target = node.plainTarget;
  const targets = typeof target === "object" ? [target] : [];
  return node.isReferenceOnly
    ? targets
    : [...targets, ...ALL_OF.flatMap((keyword) => memberSchemas(node, keyword))];
}

export interface NameLookup {
  readonly size: number;
  has(name: string): boolean;
}

/** Returns the properties that aren't sent, as declared by a schema, its components, or schemas around it in place. */
export function notSentNames(node: SchemaNode): NameLookup {
  const sets: ReadonlySet<string>[] = [];
  for (let enclosing: SchemaNode | undefined = node; enclosing !== undefined;) {
    const names = notSentProperties.find(enclosing);
    if (names.size > 0) sets.push(names);
    enclosing = enclosing.inPlace ? enclosing.parent : undefined;
  }
  const [only] = sets;
  if (only === undefined) return NONE;
  if (sets.length === 1) return only;
  return { size: only.size, has: (name) => sets.some((names) => names.has(name)) };
}

const notSentProperties = new ReachableNames(declaredNotSent, unconditionalSchemas);

export function* declaredNotSent(node: SchemaNode): Generator<string, void> {
  const declared = node.schema["properties"];
  if (node.isReferenceOnly || !isObject(declared)) return;
  for (const name in declared) {
    const schema = node.member("properties", name, declared[name], false);
    if (schema !== undefined && isNotSent(schema)) yield name;
  }
}
