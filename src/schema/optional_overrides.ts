import { IN_PLACE } from "./in_place_schemas.ts";
import { unsentNames } from "./read_only_write_only.ts";
import { ReachableNames } from "./components.ts";
import { isObject } from "./schema_node.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";

const NONE: ReadonlySet<string> = new Set();

/** The names that a schema requires and one that refers to it declares as not sent (`readOnly` beside `$ref`). */
export function optionalOverrides(target: SchemaNode, from: SchemaNode): ReadonlySet<string> {
  const unsent = unsentNames(from);
  if (unsent.size + from.waived.size === 0) return NONE;
  const required = requiredNames.of(target);
  if (required.size === 0) return NONE;
  const waived = new Set<string>();
  const own = unsentNames(target);
  for (const name of required) {
    if (from.waived.has(name) || (unsent.has(name) && !own.has(name))) waived.add(name);
  }
  return waived;
}

/** The names that a schema requires, and what else it applies to the same instance. */
const requiredNames = new ReachableNames(ownRequired, inPlaceParts);

function ownRequired(node: SchemaNode): readonly string[] {
  const names = node.schema["required"];
  return !node.isReferenceOnly && Array.isArray(names) ? names : [];
}

function inPlaceParts(node: SchemaNode): SchemaNode[] {
  const parts: SchemaNode[] = [];
  const add = (schema: Subschema | undefined): void => {
    if (typeof schema === "object") parts.push(schema);
  };
  add(node.plainTarget);
  if (node.isReferenceOnly) return parts;
  const { schema } = node;
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
  return parts;
}
