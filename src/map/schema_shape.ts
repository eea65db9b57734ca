import type { Shape } from "../http/shape.ts";
import { compilePattern } from "../schema/pattern.ts";
import { namesMatching, UNDECLARED } from "../schema/position.ts";
import { isObject } from "../schema/schema_node.ts";
import type { SchemaNode, Subschema } from "../schema/schema_node.ts";
import { typesOfSchema } from "../schema/types_of_schema.ts";

/** The shape of anything: no type is named, everything may be part of it. */
export const ANY_SHAPE: Shape = {
  types: 0,
  propertyNames: new Set(),
  open: true,
  property: () => ANY_SHAPE,
  item: () => ANY_SHAPE,
};

/** Keywords whose subschemas apply to the same instance and say what it looks like. */
const COMPOSING = ["allOf", "anyOf", "oneOf"];
const BRANCHES = ["if", "then", "else"];

/** Keywords that lead to other schemas: where a schema has none of them, its shape is in its types. */
const LEADING = new Set([
  "$ref",
  ...COMPOSING,
  ...BRANCHES,
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "additionalItems",
]);

/** Builds the shapes of schemas, one for each set of schemas that describes the same values. */
export class SchemaShapes {
  readonly #single = new Map<SchemaNode, Shape>();
  /** Of schemas that lead to no others, by their types: most schemas are of this kind, and say one of few things. */
  readonly #leaves: Shape[] = [];
  readonly #several = new Map<string, Shape>();
  readonly #ids = new Map<SchemaNode, number>();

  /** The shape of a schema. */
  of(schema: Subschema | undefined): Shape {
    if (typeof schema !== "object") return ANY_SHAPE;
    let shape = this.#single.get(schema);
    if (shape === undefined) {
      shape = isLeaf(schema)
        ? this.#leaves[typesOfSchema(schema)] ??= new SchemaShape([schema], this)
        : new SchemaShape([schema], this);
      this.#single.set(schema, shape);
    }
    return shape;
  }

  /** The shape of values that several schemas describe together. */
  ofAll(schemas: readonly Subschema[]): Shape {
    if (schemas.length <= 1) return this.of(schemas[0]);
    const nodes = [...new Set(schemas.filter((schema) => typeof schema === "object"))];
    if (nodes.length <= 1) return this.of(nodes[0]);
    const key = nodes.map((node) => this.#id(node)).join(" ");
    let shape = this.#several.get(key);
    if (shape === undefined) this.#several.set(key, shape = new SchemaShape(nodes, this));
    return shape;
  }

  #id(node: SchemaNode): number {
    let id = this.#ids.get(node);
    if (id === undefined) this.#ids.set(node, id = this.#ids.size);
    return id;
  }
}

/** Whether a schema leads to no others. */
function isLeaf({ schema }: SchemaNode): boolean {
  for (const keyword in schema) if (LEADING.has(keyword)) return false;
  return true;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** How many properties of a shape are remembered. */
const PROPERTIES_KEPT = 2000;

/** So many parts are asked one by one which properties they declare; of more, a table tells. */
const FEW_PARTS = 8;
const NO_PARTS: readonly SchemaNode[] = [];

function declaringParts(parts: readonly SchemaNode[]): Map<string, SchemaNode[]> {
  const declaring = new Map<string, SchemaNode[]>();
  for (const part of parts) {
    for (const name in namedSchemas(part, "properties")) {
      const others = declaring.get(name);
      if (others === undefined) declaring.set(name, [part]);
      else others.push(part);
    }
  }
  return declaring;
}

class SchemaShape implements Shape {
  readonly types: number;
  readonly propertyNames: ReadonlySet<string>;
  readonly open: boolean;
  readonly #parts: readonly SchemaNode[];
  readonly #shapes: SchemaShapes;
  #properties: Map<string, Shape> | undefined;
  #declaring: ReadonlyMap<string, readonly SchemaNode[]> | undefined;
  #items: Shape[] | undefined;
  readonly #positions: number;

  constructor(schemas: readonly SchemaNode[], shapes: SchemaShapes) {
    this.#shapes = shapes;
    const parts = new Set<SchemaNode>();
    for (const schema of schemas) collectParts(schema, parts);
    this.#parts = [...parts];
    let types = 0;
    for (const schema of schemas) types |= typesOfSchema(schema);
    this.types = types;
    const names = new Set<string>();
    for (const part of this.#parts) {
      for (const name in namedSchemas(part, "properties")) names.add(name);
    }
    this.propertyNames = names.size === 0 ? NO_NAMES : names;
    this.#positions = Math.max(0, ...this.#parts.map(positionsOf));
    this.open = schemas.every((schema) => isOpen(schema, new Set()));
  }

  property(name: string): Shape {
    let shape = this.#properties?.get(name);
    if (shape === undefined) {
      shape = this.#shapes.ofAll(this.#schemasOf(name));
      // Undeclared names are the sender's, who may make up any number.
      this.#properties ??= new Map();
      if (this.#properties.size < PROPERTIES_KEPT) this.#properties.set(name, shape);
    }
    return shape;
  }

  #schemasOf(name: string): Subschema[] {
    const found: Subschema[] = [];
    for (const part of this.#partsDeclaring(name)) {
      const declared = namedSchemas(part, "properties");
      if (!Object.hasOwn(declared, name)) continue;
      const schema = part.member("properties", name, declared[name], false);
      if (schema !== undefined) found.push(schema);
    }
    if (found.length > 0) return found;
    const isPattern = name.length > UNDECLARED.length && name.startsWith(UNDECLARED);
    for (const part of this.#parts) {
      const patterns = namedSchemas(part, "patternProperties");
      for (const source in patterns) {
        if (isPattern ? name !== namesMatching(source) : !matches(source, name)) continue;
        const schema = part.member("patternProperties", source, patterns[source], false);
        if (schema !== undefined) found.push(schema);
      }
    }
    if (found.length > 0) return found;
    for (const part of this.#parts) {
      for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
        if (!part.dialect.keywords.has(keyword)) continue;
        const schema = part.child(keyword, false);
        if (schema !== undefined) found.push(schema);
      }
    }
    return found;
  }

  /** The parts that may declare a property: of few parts all, of many those that do. */
  #partsDeclaring(name: string): readonly SchemaNode[] {
    if (this.#parts.length <= FEW_PARTS) return this.#parts;
    this.#declaring ??= declaringParts(this.#parts);
    return this.#declaring.get(name) ?? NO_PARTS;
  }

  item(index: number): Shape {
    const position = Math.min(index, this.#positions); // behind them, all are alike
    this.#items ??= [];
    return this.#items[position] ??= this.#itemAt(position);
  }

  #itemAt(index: number): Shape {
    const found: Subschema[] = [];
    for (const part of this.#parts) {
      const schema = itemSchema(part, index);
      if (schema !== undefined) found.push(schema);
    }
    return this.#shapes.ofAll(found);
  }
}

/** The schema of an item: by position, else that of all others. */
function itemSchema(part: SchemaNode, index: number): Subschema | undefined {
  const keyword = part.dialect.itemLists ? "items" : "prefixItems";
  const positional = part.schema[keyword];
  if (Array.isArray(positional) && (keyword === "items" || part.dialect.keywords.has(keyword))) {
    if (index < positional.length) {
      return part.member(keyword, String(index), positional[index], false);
    }
    return part.child(keyword === "items" ? "additionalItems" : "items", false);
  }
  return part.child("items", false);
}

/** How many items of a schema have schemas by their position. */
function positionsOf(part: SchemaNode): number {
  const positional = part.schema[part.dialect.itemLists ? "items" : "prefixItems"];
  return Array.isArray(positional) ? positional.length : 0;
}

function matches(source: string, name: string): boolean {
  try {
    return compilePattern(source)(name) === true;
  } catch (error) {
    if (error instanceof SyntaxError) return false; // a diagnostic says so
    throw error;
  }
}

function namedSchemas(part: SchemaNode, keyword: string): Readonly<Record<string, unknown>> {
  const value = part.schema[keyword];
  return part.dialect.keywords.has(keyword) && isObject(value) ? value : {};
}

function listed(node: SchemaNode, keyword: string): SchemaNode[] {
  const value = node.schema[keyword];
  if (!node.dialect.keywords.has(keyword) || !Array.isArray(value)) return [];
  return value.map((member, index) => node.member(keyword, String(index), member, true))
    .filter((member) => typeof member === "object");
}

function collectParts(start: SchemaNode, parts: Set<SchemaNode>): void {
  const visited = new Set(parts);
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (visited.has(node)) continue;
    visited.add(node);
    if (!node.isReferenceOnly) parts.add(node); // what stands beside such a reference is ignored
    open.push(...composedOf(node).reverse()); // the first is looked at first
  }
}

/** The schemas that describe the same instance as a schema does. */
function composedOf(node: SchemaNode): SchemaNode[] {
  const target = node.target;
  const found = typeof target === "object" ? [target] : [];
  if (node.isReferenceOnly) return found;
  for (const keyword of COMPOSING) found.push(...listed(node, keyword));
  if (node.schema["if"] === undefined) return found; // without it, the branches mean nothing
  for (const keyword of BRANCHES) {
    if (!node.dialect.keywords.has(keyword)) continue;
    const child = node.child(keyword, true);
    if (typeof child === "object") found.push(child);
  }
  return found;
}

/** How many schemas are asked whether they close another one. */
const MAX_NESTED = 500;

/** Whether an object may have properties that the schema does not declare. */
function isOpen(node: SchemaNode, open: Set<SchemaNode>): boolean {
  if (open.has(node) || open.size > MAX_NESTED) return true;
  open.add(node);
  const target = node.target;
  if (typeof target === "object" && !isOpen(target, open)) return false;
  if (node.isReferenceOnly) return true;
  for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
    if (node.dialect.keywords.has(keyword) && node.schema[keyword] === false) return false;
  }
  if (!listed(node, "allOf").every((member) => isOpen(member, open))) return false;
  for (const keyword of ["anyOf", "oneOf"]) {
    const members = listed(node, keyword);
    if (members.length > 0 && !members.some((member) => isOpen(member, open))) return false;
  }
  return true;
}
