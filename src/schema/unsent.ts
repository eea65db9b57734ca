import { ALL_OF } from "./in_place_schemas.ts";
import { isObject } from "./schema_node.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";
import { walkSchemas } from "./walk_schemas.ts";

const NONE: ReadonlySet<string> = new Set();

/** The maximum number of schemas for the same instance to look at. */
const MAX_NESTED = 500;

/**
 * True if values of a schema are not sent in the direction of its graph: it has `readOnly: true` (in responses
 * `writeOnly: true`) itself, through references or in an `allOf`.
 */
export function isUnsent(schema: Subschema): boolean {
  return typeof schema !== "boolean" && saysUnsent(schema, undefined);
}

function saysUnsent(node: SchemaNode, visited: Set<SchemaNode> | undefined): boolean {
  const schema = node.schema;
  if (schema[node.graph.unsentKeyword] === true && !node.isReferenceOnly) return true;
  const composed = !node.isReferenceOnly &&
    ALL_OF.some((keyword) => Array.isArray(schema[keyword]));
  if (!composed && schema["$ref"] === undefined) return false;
  if (visited !== undefined && (visited.has(node) || visited.size > MAX_NESTED)) return false;
  const seen = (visited ?? new Set()).add(node);
  return partsOf(node).some((part) => saysUnsent(part, seen));
}

/** The schemas that apply to every instance of a schema: the target of its reference, the members of its `allOf`. */
function partsOf(node: SchemaNode): SchemaNode[] {
  const parts: SchemaNode[] = [];
  const target = node.plainTarget;
  if (typeof target === "object") parts.push(target);
  if (node.isReferenceOnly) return parts;
  for (const keyword of ALL_OF) {
    const members = node.schema[keyword];
    if (!Array.isArray(members)) continue;
    for (let index = 0; index < members.length; index++) {
      const part = node.member(keyword, String(index), members[index], true);
      if (typeof part === "object") parts.push(part);
    }
  }
  return parts;
}

/** A set of names. */
export interface Names {
  /** The number of names. */
  readonly size: number;
  /** True if it is one of them. */
  has(name: string): boolean;
}

/**
 * The names of the properties of a schema's instances that are not sent: declared by the schema itself, by the schemas that it
 * is composed of, or by a schema around it that applies to the same instance.
 */
export function unsentNames(node: SchemaNode): Names {
  const sets: ReadonlySet<string>[] = [];
  for (let around: SchemaNode | undefined = node; around !== undefined;) {
    const names = declaredUnsent(around);
    if (names.size > 0) sets.push(names);
    around = around.inPlace ? around.parent : undefined;
  }
  const [only] = sets;
  if (only === undefined) return NONE;
  if (sets.length === 1) return only;
  return { size: only.size, has: (name) => sets.some((names) => names.has(name)) };
}

const known = new WeakMap<SchemaNode, ReadonlySet<string>>();

/** The names of the properties that a schema, or one that it is composed of, declares as not sent. */
function declaredUnsent(start: SchemaNode): ReadonlySet<string> {
  let names = known.get(start);
  if (names === undefined) known.set(start, names = findUnsent(start));
  return names;
}

function findUnsent(start: SchemaNode): ReadonlySet<string> {
  const names = new Set<string>();
  const visited: SchemaNode[] = [];
  walkSchemas(start, (node, add) => {
    visited.push(node);
    const declared = node.schema["properties"];
    if (!node.isReferenceOnly && isObject(declared)) {
      for (const name in declared) {
        const schema = node.member("properties", name, declared[name], false);
        if (schema !== undefined && isUnsent(schema)) names.add(name);
      }
    }
    for (const part of partsOf(node)) add(part);
    return false;
  });
  if (names.size > 0) return names;
  // None of them then has any, so that a long chain is walked once.
  for (const node of visited) known.set(node, NONE);
  return NONE;
}
