import { inPlaceSchemas } from "./usable_keywords.ts";
import { notSentNames } from "./read_only_write_only.ts";
import { ReachableNames } from "./strong_components.ts";
import type { SchemaNode } from "./schema_node.ts";

const NONE: ReadonlySet<string> = new Set();

/** Returns the names that the target requires, but `from` declares as not sent (`readOnly` beside `$ref`). */
export function optionalOverrides(target: SchemaNode, from: SchemaNode): ReadonlySet<string> {
  const notSent = notSentNames(from);
  if (notSent.size + from.optional.size === 0) return NONE;
  const required = requiredNames.find(target);
  if (required.size === 0) return NONE;
  const optional = new Set<string>();
  const own = notSentNames(target);
  for (const name of required) {
    if (from.optional.has(name) || (notSent.has(name) && !own.has(name))) optional.add(name);
  }
  return optional;
}

/** The names that a schema requires, including those of schemas that it applies to the same instance. */
const requiredNames = new ReachableNames(
  directlyRequired,
  (node) => inPlaceSchemas(node, [node.plainTarget]),
);

function directlyRequired(node: SchemaNode): readonly string[] {
  const names = node.schema["required"];
  return !node.isReferenceOnly && Array.isArray(names) ? names : [];
}
