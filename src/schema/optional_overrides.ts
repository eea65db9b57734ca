import { inPlaceParts } from "./in_place_cycle.ts";
import { unsentNames } from "./read_only_write_only.ts";
import { ReachableNames } from "./components.ts";
import type { SchemaNode } from "./schema_node.ts";

const NONE: ReadonlySet<string> = new Set();

/** Returns the names that the target requires, but `from` declares as not sent (`readOnly` beside `$ref`). */
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

/** The names that a schema requires, including those of schemas that it applies to the same instance. */
const requiredNames = new ReachableNames(
  ownRequired,
  (node) => inPlaceParts(node, [node.plainTarget]),
);

function ownRequired(node: SchemaNode): readonly string[] {
  const names = node.schema["required"];
  return !node.isReferenceOnly && Array.isArray(names) ? names : [];
}
