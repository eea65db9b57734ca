import { isObject } from "./schema_node.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";
import { walkSchemas } from "./walk_schemas.ts";

const NONE: ReadonlySet<string> = new Set();

/** The number of schemas to ask that apply to the same instance. */
const MAX_NESTED = 500;

/** True if a schema says `readOnly: true`, itself, through references or as part of an `allOf`. */
export function isReadOnly(schema: Subschema): boolean {
  return typeof schema !== "boolean" && saysReadOnly(schema, undefined);
}

function saysReadOnly(node: SchemaNode, visited: Set<SchemaNode> | undefined): boolean {
  const schema = node.schema;
  if (schema["readOnly"] === true && !node.isReferenceOnly) return true;
  const composed = !node.isReferenceOnly && Array.isArray(schema["allOf"]);
  if (!composed && schema["$ref"] === undefined) return false;
  if (visited !== undefined && (visited.has(node) || visited.size > MAX_NESTED)) return false;
  const seen = (visited ?? new Set()).add(node);
  return partsOf(node).some((part) => saysReadOnly(part, seen));
}

/** The schemas that apply to every instance of a schema: the target of its reference, the members of its `allOf`. */
function partsOf(node: SchemaNode): SchemaNode[] {
  const parts: SchemaNode[] = [];
  const target = node.plainTarget;
  if (typeof target === "object") parts.push(target);
  const members = node.schema["allOf"];
  if (!node.isReferenceOnly && Array.isArray(members)) {
    for (let index = 0; index < members.length; index++) {
      const part = node.member("allOf", String(index), members[index], true);
      if (typeof part === "object") parts.push(part);
    }
  }
  return parts;
}

/** Names that can be asked for one by one. */
export interface Names {
  /** Zero where there is none. */
  readonly size: number;
  /** True if it is one of them. */
  has(name: string): boolean;
}

/**
 * The names of the readOnly properties of the instances that a schema applies to: declared by the schema itself, by
 * what it is composed of, or by a schema around it that applies to the same instance.
 */
export function readOnlyNames(node: SchemaNode): Names {
  const sets: ReadonlySet<string>[] = [];
  for (let around: SchemaNode | undefined = node; around !== undefined;) {
    const names = declaredReadOnly(around);
    if (names.size > 0) sets.push(names);
    around = around.inPlace ? around.parent : undefined;
  }
  const [only] = sets;
  if (only === undefined) return NONE;
  if (sets.length === 1) return only;
  return { size: only.size, has: (name) => sets.some((names) => names.has(name)) };
}

const known = new WeakMap<SchemaNode, ReadonlySet<string>>();

/** The names that a schema, or a part that it is composed of, declares readOnly. */
function declaredReadOnly(start: SchemaNode): ReadonlySet<string> {
  let names = known.get(start);
  if (names === undefined) known.set(start, names = findReadOnly(start));
  return names;
}

function findReadOnly(start: SchemaNode): ReadonlySet<string> {
  const names = new Set<string>();
  walkSchemas(start, (node, add) => {
    const declared = node.schema["properties"];
    if (!node.isReferenceOnly && isObject(declared)) {
      for (const name in declared) {
        const schema = node.member("properties", name, declared[name], false);
        if (schema !== undefined && isReadOnly(schema)) names.add(name);
      }
    }
    for (const part of partsOf(node)) add(part);
    return false;
  });
  return names.size === 0 ? NONE : names;
}
