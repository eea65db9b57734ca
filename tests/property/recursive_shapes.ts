/** A schema with several recursive paths, and a function to nest values. */
export interface RecursiveShape {
  /** The components, the first of which is `N`. */
  readonly schemas: Readonly<Record<string, object>>;
  /** Wraps a value in one more level. */
  readonly wrap: (inner: unknown) => unknown;
}

const N = { $ref: "#/components/schemas/N" };
const C = { properties: { c: N } };

const inProperty = (inner: unknown): unknown => ({ c: inner });
const inItem = (inner: unknown): unknown => [inner];

function shape(
  schema: object,
  wrap = inProperty,
  others: Readonly<Record<string, object>> = {},
): RecursiveShape {
  const type = wrap === inItem ? "array" : "object";
  return { schemas: { N: { type, ...schema }, ...others }, wrap };
}

/** Schemas that lead back to themselves more than once for one part of a value. */
export const RECURSIVE_SHAPES: Readonly<Record<string, RecursiveShape>> = {
  "anyOf of a property": shape({ properties: { c: { anyOf: [N, N] } } }),
  "oneOf of a property": shape({ properties: { c: { oneOf: [N, N] } } }),
  "allOf of a property": shape({ properties: { c: { allOf: [N, N] } } }),
  "anyOf with a property": shape({ anyOf: [C, C] }),
  "oneOf with a property": shape({ oneOf: [C, C] }),
  "allOf with a property": shape({ allOf: [C, C] }),
  "a negation": shape({ properties: { c: { not: N, anyOf: [N] } } }),
  "a condition": shape({ properties: { c: { if: N, then: N, else: N } } }),
  "patternProperties and properties": shape({ ...C, patternProperties: { "^c": N } }),
  "other properties": shape({ allOf: [{ additionalProperties: N }, C] }),
  "dependentSchemas": shape({
    properties: { c: { $ref: N.$ref, dependentSchemas: { c: N } } },
  }),
  "a dynamic reference": shape({
    $id: "https://example.org/n",
    $dynamicAnchor: "n",
    properties: { c: { anyOf: [{ $dynamicRef: "#n" }, { $dynamicRef: "#n" }] } },
  }),
  "unevaluated properties": shape({
    anyOf: [{ required: ["d"], ...C }],
    unevaluatedProperties: { allOf: [N, { $ref: N.$ref, unevaluatedProperties: false }] },
  }),
  "items and contains": shape({ items: N, contains: N }, inItem),
  "unevaluated items": shape(
    { oneOf: [{ prefixItems: [N], minItems: 2 }], unevaluatedItems: { anyOf: [N, N] } },
    inItem,
  ),
  "oneOf with named schemas": shape({ oneOf: ["A", "B"].map(named) }, inProperty, { A: C, B: C }),
};

function named(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}
