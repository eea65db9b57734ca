import { IN_PLACE } from "./in_place_schemas.ts";
import { unsentNames } from "./unsent.ts";
import { isObject } from "./schema_node.ts";
import type { SchemaNode } from "./schema_node.ts";
import { walkSchemas } from "./walk_schemas.ts";

const NONE: ReadonlySet<string> = new Set();

/**
 * The names that a schema requires though a schema that refers to it declares them as not sent, for the same instance: for
 * `allOf: [{ $ref: Base }, { properties: { id: { readOnly: true } } }]` and a Base that requires it, `id`.
 */
export function waivedNames(target: SchemaNode, from: SchemaNode): ReadonlySet<string> {
  const unsent = unsentNames(from);
  if (unsent.size + from.waived.size === 0) return NONE;
  const required = requiredInPlace(target);
  if (required.size === 0) return NONE;
  const waived = new Set<string>();
  const own = unsentNames(target);
  for (const name of required) {
    if (from.waived.has(name) || (unsent.has(name) && !own.has(name))) waived.add(name);
  }
  return waived;
}

const known = new WeakMap<SchemaNode, ReadonlySet<string>>();

/** The names that a schema requires, and what else it applies to the same instance. */
function requiredInPlace(start: SchemaNode): ReadonlySet<string> {
  let names = known.get(start);
  if (names === undefined) known.set(start, names = findRequired(start));
  return names;
}

function findRequired(start: SchemaNode): ReadonlySet<string> {
  const names = new Set<string>();
  const visited: SchemaNode[] = [];
  walkSchemas(start, (node, add) => {
    visited.push(node);
    add(node.plainTarget);
    if (node.isReferenceOnly) return false;
    const { schema } = node;
    const required = schema["required"];
    if (Array.isArray(required)) { for (const name of required) names.add(name); }
    for (const keyword of IN_PLACE.lists) {
      const members = schema[keyword];
      if (!Array.isArray(members)) continue;
      for (let index = 0; index < members.length; index++) {
        add(node.member(keyword, String(index), members[index], true));
      }
    }
    for (const keyword of IN_PLACE.schemas) {
      if (isObject(schema[keyword])) add(node.child(keyword, true));
    }
    for (const keyword of IN_PLACE.maps) {
      const members = schema[keyword];
      if (!isObject(members)) continue;
      for (const name in members) add(node.member(keyword, name, members[name], true));
    }
    return false;
  });
  // None of them then requires any, so that a long chain is walked once.
  if (names.size === 0) { for (const node of visited) known.set(node, NONE); }
  return names;
}
