import { type DecidableGraph, decideComponents, ReachableNames } from "./components.ts";
import { ALL_OF, memberSchemas } from "./in_place_schemas.ts";
import { isObject, type SchemaNode, type Subschema } from "./schema_node.ts";

const NONE: ReadonlySet<string> = new Set();

/** True if a schema has `readOnly: true` (in responses `writeOnly`) itself, by reference or in an `allOf`. */
export function isUnsent(schema: Subschema): boolean {
  if (typeof schema === "boolean") return false;
  const answer = knownAnswer(schema);
  if (answer !== undefined) return answer;
  decideComponents(schema, COMPOSITION);
  return knownAnswer(schema) === true;
}

const answers = new WeakMap<SchemaNode, boolean>();

const COMPOSITION: DecidableGraph<SchemaNode> = {
  next: unconditionalSchemas,
  isDecided: (node) => knownAnswer(node) !== undefined,
  decide(members) {
    const isOne = members.some(({ next }) => next.some((part) => knownAnswer(part) === true));
    for (const { vertex } of members) answers.set(vertex, isOne);
  },
};

/** Returns whether a schema is unsent; undefined until the schemas that it depends on are decided. */
function knownAnswer(node: SchemaNode): boolean | undefined {
  const { schema, isReferenceOnly } = node;
  if (schema[node.graph.unsentKeyword] === true && !isReferenceOnly) return true;
  const isComposed = !isReferenceOnly && ALL_OF.some((keyword) => Array.isArray(schema[keyword]));
  return isComposed || schema["$ref"] !== undefined ? answers.get(node) : false;
}

/** Returns the schemas that apply to every instance of a schema: the target of `$ref`, the members of `allOf`. */
function unconditionalSchemas(node: SchemaNode): SchemaNode[] {
  const target = node.plainTarget;
  const targets = typeof target === "object" ? [target] : [];
  return node.isReferenceOnly
    ? targets
    : [...targets, ...ALL_OF.flatMap((keyword) => memberSchemas(node, keyword))];
}

export interface Names {
  readonly size: number;
  has(name: string): boolean;
}

/** Returns the properties that aren't sent, as declared by a schema, its components, or schemas around it in place. */
export function unsentNames(node: SchemaNode): Names {
  const sets: ReadonlySet<string>[] = [];
  for (let around: SchemaNode | undefined = node; around !== undefined;) {
    const names = unsent.of(around);
    if (names.size > 0) sets.push(names);
    around = around.inPlace ? around.parent : undefined;
  }
  const [only] = sets;
  if (only === undefined) return NONE;
  if (sets.length === 1) return only;
  return { size: only.size, has: (name) => sets.some((names) => names.has(name)) };
}

/** Finds the properties that a schema, or one that it is composed of, declares as not sent. */
const unsent = new ReachableNames(declaredUnsent, unconditionalSchemas);

/** Yields the names of the properties that the schema itself declares as not sent. */
export function* declaredUnsent(node: SchemaNode): Generator<string, void> {
  const declared = node.schema["properties"];
  if (node.isReferenceOnly || !isObject(declared)) return;
  for (const name in declared) {
    const schema = node.member("properties", name, declared[name], false);
    if (schema !== undefined && isUnsent(schema)) yield name;
  }
}
