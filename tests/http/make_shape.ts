import type { Shape, XmlHints } from "../../src/http/shape.ts";
import { NULL, typeMask } from "../../src/values/json_type.ts";

/** The part of JSON Schema that tests use to describe shapes. */
export interface SimpleSchema {
  readonly type?: string | readonly string[];
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, SimpleSchema>>;
  readonly additionalProperties?: false | SimpleSchema;
  readonly items?: SimpleSchema;
  readonly xml?: Partial<XmlHints>;
}

/** Hints of a schema without `xml`. */
export const NO_HINTS: XmlHints = {
  name: undefined,
  referredName: undefined,
  component: undefined,
  node: "element",
  wrapped: undefined,
  namespace: undefined,
  prefix: undefined,
};

export function makeShape(schema: SimpleSchema): Shape {
  const { type = [], properties = {}, additionalProperties: additional, items = {} } = schema;
  const names = typeof type === "string" ? [type] : type;
  const shapes = new Map<SimpleSchema, Shape>();
  const below = (child: SimpleSchema): Shape => {
    let shape = shapes.get(child);
    if (shape === undefined) shapes.set(child, shape = makeShape(child));
    return shape;
  };
  const rest = additional === undefined || additional === false ? {} : additional;
  return {
    xml: schema.xml && { ...NO_HINTS, ...schema.xml },
    types: names.reduce((mask, name) => mask | typeMask(name), schema.nullable ? NULL : 0),
    propertyNames: new Set(Object.keys(properties)),
    patterns: [],
    open: additional !== false,
    describesUndeclared: additional !== undefined,
    tupleLength: 0,
    property: (name) => below(Object.hasOwn(properties, name) ? properties[name] ?? {} : rest),
    undeclared: () => below(rest),
    item: () => below(items),
  };
}
