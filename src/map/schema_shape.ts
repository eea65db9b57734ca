import { enterScope, referenced, type Scope, scopeKey } from "../schema/scope.ts";
import { appendTo, getOrAdd } from "../values/collections.ts";
import { escapeToken } from "../values/json_pointer.ts";
import type { Shape, XmlHints } from "../http/shape.ts";
import { keywordsWith } from "../values/keyword_table.ts";
import {
  ALL_OF,
  ANY_OF,
  conditionalSchemas,
  IN_PLACE_LISTS,
  memberSchemas,
} from "../schema/in_place_schemas.ts";
import { positionalCount } from "../schema/keywords/arrays.ts";
import { compilePattern } from "../schema/pattern.ts";
import { isObject, type SchemaNode, type Subschema } from "../schema/schema_node.ts";
import { typesOfSchema } from "../schema/types_of_schema.ts";
import { readXmlHints } from "./xml_hints.ts";

const NO_NAMES: ReadonlySet<string> = new Set();
const NO_PATTERNS: readonly string[] = [];

/** The shape of any value: it names no type, and any property or item may occur. */
export const ANY_SHAPE: Shape = {
  types: 0,
  propertyNames: NO_NAMES,
  patterns: NO_PATTERNS,
  open: true,
  describesUndeclared: false,
  tupleLength: 0,
  property: () => ANY_SHAPE,
  undeclared: () => ANY_SHAPE,
  item: () => ANY_SHAPE,
};

/** Keywords that lead to other schemas. Without any of them, the shape of a schema consists of its types. */
const LEADING = new Set(keywordsWith(({ kind }) => kind === "applicator" || kind === "reference"));

/** Keywords for properties that the schema doesn't declare. */
const OTHER_PROPERTIES = keywordsWith(({ isRest, relation }) =>
  isRest === true && relation === "property"
);

interface Part {
  readonly node: SchemaNode;
  /** The schema resources entered on the way; empty if no reference is dynamic, as the way doesn't matter then. */
  readonly scope: Scope;
}

interface ScopedSchema {
  readonly schema: Subschema;
  readonly scope: Scope;
}

const NO_SCOPE: Scope = [];

function reachPart(node: SchemaNode, scope: Scope): Part {
  const { dynamic } = node.graph.references;
  return { node, scope: dynamic ? enterScope(scope, node.resource) : NO_SCOPE };
}

/** The maximum number of cached shapes of sets of schemas. Names that match n patterns make up to 2^n sets. */
const MAX_CACHED_SETS = 10_000;

/** Builds the shapes of schemas: one for each set of schemas that apply to the same values. */
export class SchemaShapes {
  readonly #single = new Map<SchemaNode, Shape>();
  /** Shapes of schemas that lead to no others, by types: most schemas are of this kind, and few types occur. */
  readonly #leaves: Shape[] = [];
  readonly #bySet = new Map<string, Shape>();
  readonly #ids = new Map<SchemaNode, number>();
  readonly #scopes = new Map<string, number>();

  forSchema(schema: Subschema | undefined): Shape {
    if (typeof schema !== "object") return ANY_SHAPE;
    return this.#single.get(schema) ?? this.#forPart(reachPart(schema, NO_SCOPE));
  }

  forSchemas(schemas: readonly ScopedSchema[]): Shape {
    const parts = schemas.flatMap(({ schema, scope }) =>
      typeof schema === "object" ? [reachPart(schema, scope)] : []
    );
    const [first] = parts;
    if (first === undefined) return ANY_SHAPE;
    if (parts.length === 1) return this.#forPart(first);
    const byKey = new Map(parts.map((part) => [this.partKey(part), part]));
    if (byKey.size === 1) return this.#forPart(first);
    const key = [...byKey.keys()].join(" ");
    let shape = this.#bySet.get(key);
    if (shape === undefined) {
      shape = new SchemaShape([...byKey.values()], this);
      this.#cache(key, shape);
    }
    return shape;
  }

  #cache(key: string, shape: Shape): void {
    if (this.#bySet.size < MAX_CACHED_SETS) this.#bySet.set(key, shape);
  }

  #forPart(part: Part): Shape {
    const { node, scope } = part;
    if (isLeaf(node)) return this.#leaves[typesOfSchema(node)] ??= new SchemaShape([part], this);
    let shape = scope.length === 0 ? this.#single.get(node) : this.#bySet.get(this.partKey(part));
    if (shape === undefined) {
      shape = new SchemaShape([part], this);
      if (scope.length === 0) this.#single.set(node, shape);
      else this.#cache(this.partKey(part), shape);
    }
    return shape;
  }

  partKey({ node, scope }: Part): string {
    const id = internNumber(this.#ids, node);
    return scope.length === 0 ? `${id}` : `${id}@${internNumber(this.#scopes, scopeKey(scope))}`;
  }
}

function internNumber<T>(numbers: Map<T, number>, item: T): number {
  return getOrAdd(numbers, item, () => numbers.size);
}

/** True if a schema leads to no other schemas and has no `xml`. */
function isLeaf({ schema }: SchemaNode): boolean {
  for (const keyword in schema) if (keyword === "xml" || LEADING.has(keyword)) return false;
  return true;
}

/** The maximum number of cached properties of a shape, and of cached sets of patterns. */
const MAX_CACHED_PROPERTIES = 2000;

/** Up to this many parts, each is searched for a property; beyond, a table is faster. */
const FEW_PARTS = 8;
const NO_PARTS: readonly Part[] = [];

function declaringParts(parts: readonly Part[]): Map<string, Part[]> {
  const declaring = new Map<string, Part[]>();
  for (const part of parts) {
    for (const name in namedSchemas(part, "properties")) {
      appendTo(declaring, name, part);
    }
  }
  return declaring;
}

class SchemaShape implements Shape {
  readonly types: number;
  readonly propertyNames: ReadonlySet<string>;
  readonly patterns: readonly string[];
  readonly open: boolean;
  readonly describesUndeclared: boolean;
  readonly tupleLength: number;
  readonly #schemas: readonly Part[];
  readonly #parts: readonly Part[];
  readonly #shapes: SchemaShapes;
  /** Null until first needed; undefined if the schemas have no hints. */
  #xml: XmlHints | undefined | null = null;
  #properties: Map<string, Shape> | undefined;
  #undeclared: Map<string, Shape> | undefined;
  #declaring: ReadonlyMap<string, readonly Part[]> | undefined;
  #items: Shape[] | undefined;

  constructor(schemas: readonly Part[], shapes: SchemaShapes) {
    this.#schemas = schemas;
    this.#shapes = shapes;
    const parts = new Map<string, Part>();
    for (const schema of schemas) collectParts(schema, parts, shapes);
    this.#parts = [...parts.values()];
    let types = 0;
    for (const { node, scope } of schemas) types |= typesOfSchema(node, scope);
    this.types = types;
    const names = new Set<string>();
    const patterns = new Set<string>();
    let tupleLength = 0;
    for (const part of this.#parts) {
      for (const name in namedSchemas(part, "properties")) names.add(name);
      for (const source in namedSchemas(part, "patternProperties")) patterns.add(source);
      tupleLength = Math.max(tupleLength, positionalCount(part.node));
    }
    this.propertyNames = names.size === 0 ? NO_NAMES : names;
    this.patterns = patterns.size === 0 ? NO_PATTERNS : [...patterns];
    this.tupleLength = tupleLength;
    this.describesUndeclared = this.#parts.some(({ node: { schema, dialect } }) =>
      OTHER_PROPERTIES.some((keyword) =>
        dialect.keywords.has(keyword) && schema[keyword] !== undefined
      )
    );
    this.open = schemas.every((schema) => isOpen(schema, new Map()));
  }

  get xml(): XmlHints | undefined {
    if (this.#xml === null) this.#xml = readXmlHints(this.#schemas, memberParts, referencedParts);
    return this.#xml;
  }

  property(name: string): Shape {
    let shape = this.#properties?.get(name);
    if (shape === undefined) {
      const declared = this.#declaredSchemas(name);
      shape = declared.length > 0
        ? this.#shapes.forSchemas(declared)
        : this.undeclared(this.patterns.filter((source) => matches(source, name)));
      // Senders can make up any number of undeclared names, so the cache is limited.
      this.#properties ??= new Map();
      if (this.#properties.size < MAX_CACHED_PROPERTIES) this.#properties.set(name, shape);
    }
    return shape;
  }

  undeclared(patterns: readonly string[]): Shape {
    const key = JSON.stringify(patterns);
    this.#undeclared ??= new Map();
    let shape = this.#undeclared.get(key);
    if (shape === undefined) {
      shape = this.#shapes.forSchemas(this.#undeclaredSchemas(patterns));
      if (this.#undeclared.size < MAX_CACHED_PROPERTIES) this.#undeclared.set(key, shape);
    }
    return shape;
  }

  declaredAt(name: string): string | undefined {
    const part = this.#partsDeclaring(name).find((one) =>
      Object.hasOwn(namedSchemas(one, "properties"), name)
    );
    return part && `${part.node.schemaPath("properties")}/${escapeToken(name)}`;
  }

  #declaredSchemas(name: string): ScopedSchema[] {
    const schemas: ScopedSchema[] = [];
    for (const part of this.#partsDeclaring(name)) {
      const declared = namedSchemas(part, "properties");
      if (!Object.hasOwn(declared, name)) continue;
      addMember(schemas, part, "properties", name, declared[name]);
    }
    return schemas;
  }

  #undeclaredSchemas(patterns: readonly string[]): ScopedSchema[] {
    const undeclared: ScopedSchema[] = [];
    if (patterns.length > 0) {
      for (const part of this.#parts) {
        const schemas = namedSchemas(part, "patternProperties");
        for (const source of patterns) {
          if (!Object.hasOwn(schemas, source)) continue;
          addMember(undeclared, part, "patternProperties", source, schemas[source]);
        }
      }
      if (undeclared.length > 0) return undeclared;
    }
    for (const part of this.#parts) {
      for (const keyword of OTHER_PROPERTIES) addChild(undeclared, part, keyword);
    }
    return undeclared;
  }

  /** Returns parts that may declare a property: all if there are few, otherwise only those that do. */
  #partsDeclaring(name: string): readonly Part[] {
    if (this.#parts.length <= FEW_PARTS) return this.#parts;
    this.#declaring ??= declaringParts(this.#parts);
    return this.#declaring.get(name) ?? NO_PARTS;
  }

  item(index: number): Shape {
    const position = Math.min(index, this.tupleLength); // all items after the tuple share one shape
    this.#items ??= [];
    return this.#items[position] ??= this.#itemAt(position);
  }

  #itemAt(index: number): Shape {
    const schemas: ScopedSchema[] = [];
    for (const part of this.#parts) addItem(schemas, part, index);
    if (schemas.length === 0) {
      for (const part of this.#parts) addChild(schemas, part, "unevaluatedItems");
    }
    if (schemas.length === 0) {
      for (const part of this.#parts) addChild(schemas, part, "contains");
    }
    return this.#shapes.forSchemas(schemas);
  }
}

function addMember(
  schemas: ScopedSchema[],
  { node, scope }: Part,
  keyword: string,
  key: string,
  value: unknown,
): void {
  const schema = node.member(keyword, key, value, false);
  if (schema !== undefined) schemas.push({ schema, scope });
}

function addChild(schemas: ScopedSchema[], { node, scope }: Part, keyword: string): void {
  if (!node.dialect.keywords.has(keyword)) return;
  const schema = node.child(keyword, false);
  if (schema !== undefined) schemas.push({ schema, scope });
}

function addItem(schemas: ScopedSchema[], part: Part, index: number): void {
  const { schema, dialect } = part.node;
  const keyword = dialect.itemLists ? "items" : "prefixItems";
  const positional = schema[keyword];
  const isTuple = Array.isArray(positional) && dialect.keywords.has(keyword);
  if (!isTuple) addChild(schemas, part, "items");
  else if (index < positional.length) {
    addMember(schemas, part, keyword, String(index), positional[index]);
  } else addChild(schemas, part, keyword === "items" ? "additionalItems" : "items");
}

function matches(source: string, name: string): boolean {
  try {
    return compilePattern(source)(name) === true;
  } catch (error) {
    if (error instanceof SyntaxError) return false; // reported by a diagnostic
    throw error;
  }
}

function namedSchemas({ node }: Part, keyword: string): Readonly<Record<string, unknown>> {
  const value = node.schema[keyword];
  return node.dialect.keywords.has(keyword) && isObject(value) ? value : {};
}

function collectParts(start: Part, parts: Map<string, Part>, shapes: SchemaShapes): void {
  const visited = new Set(parts.keys());
  const stack = [start];
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    const key = shapes.partKey(part);
    if (visited.has(key)) continue;
    visited.add(key);
    if (!part.node.isReferenceOnly) parts.set(key, part); // siblings of such a reference are ignored
    const members = part.node.isReferenceOnly ? [] : memberParts(part);
    stack.push(...[...referencedParts(part), ...members].reverse()); // parts are taken from the end of the list
  }
}

/** Returns the subschemas that apply in place. */
function memberParts({ node, scope }: Part): Part[] {
  const listed = IN_PLACE_LISTS.flatMap((keyword) => memberSchemas(node, keyword));
  return [...listed, ...conditionalSchemas(node)].map((member) => reachPart(member, scope));
}

function referencedParts({ node, scope }: Part): Part[] {
  return referenced(node, scope).flatMap((target) =>
    typeof target === "object" ? [reachPart(target, scope)] : []
  );
}

/** The maximum number of schemas to check; beyond it, objects count as open. */
const MAX_NESTED = 500;

/** True if an object may have undeclared properties. `cache` has results. */
function isOpen(part: Part, cache: Map<SchemaNode, boolean>): boolean {
  const cached = cache.get(part.node);
  if (cached !== undefined || cache.size > MAX_NESTED) return cached ?? true;
  cache.set(part.node, true); // for circular references
  const result = leavesOpen(part, cache);
  cache.set(part.node, result);
  return result;
}

function leavesOpen(part: Part, cache: Map<SchemaNode, boolean>): boolean {
  const { node, scope } = part;
  if (!referencedParts(part).every((target) => isOpen(target, cache))) return false;
  if (node.isReferenceOnly) return true;
  for (const keyword of OTHER_PROPERTIES) {
    if (node.dialect.keywords.has(keyword) && node.schema[keyword] === false) return false;
  }
  const isOpenMember = (member: SchemaNode): boolean => isOpen(reachPart(member, scope), cache);
  if (!ALL_OF.every((keyword) => memberSchemas(node, keyword).every(isOpenMember))) return false;
  return ANY_OF.every((keyword) => {
    const members = memberSchemas(node, keyword);
    return members.length === 0 || members.some(isOpenMember);
  });
}
