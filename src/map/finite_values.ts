import type { Json } from "../values/json.ts";
import { membersOf } from "../schema/in_place_schemas.ts";
import type { SchemaNode, Subschema } from "../schema/schema_node.ts";

/** A value of an `enum`, `const` or another schema that can list all its values. */
export type ScalarValue = string | number | boolean | null;

/** References in a row beyond which nothing is looked up. */
const MOST_STEPS = 50;
const NONE: readonly ScalarValue[] = [];
const BOOLEANS: readonly ScalarValue[] = [true, false];

/**
 * The values that a schema names: those of `enum` or `const`, or `true` and `false` for booleans, also through `$ref` and
 * an `allOf` of one schema. None if the values are not all known, or are lists and objects.
 */
export function finiteValues(schema: Subschema | undefined): readonly ScalarValue[] {
  let node = schema;
  for (let step = 0; step < MOST_STEPS && typeof node === "object"; step++) {
    const own = node.isReferenceOnly ? undefined : ownValues(node);
    if (own !== undefined) return own;
    const members = node.isReferenceOnly ? [] : membersOf(node, "allOf");
    node = node.target ?? (members.length === 1 ? members[0] : undefined);
  }
  return NONE;
}

function ownValues({ schema, dialect }: SchemaNode): readonly ScalarValue[] | undefined {
  const { enum: listed, const: only, type } = schema;
  if (Array.isArray(listed)) return listed.every(isScalar) ? [...new Set(listed)] : NONE;
  if (only !== undefined && dialect.keywords.has("const")) {
    return isScalar(only as Json) ? [only as ScalarValue] : NONE;
  }
  const types = Array.isArray(type) ? type.filter((name) => name !== "null") : [type];
  return types.length === 1 && types[0] === "boolean" ? BOOLEANS : undefined;
}

function isScalar(value: Json): value is ScalarValue {
  return typeof value !== "object" || value === null;
}
