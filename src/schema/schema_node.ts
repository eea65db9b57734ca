import { getOrAdd } from "../values/collections.ts";
import { type Dialect, findDialect } from "./dialect.ts";
import { documentPath, escapeToken, findMember, pointerTokens } from "../values/json_pointer.ts";
import { keywordTable } from "../values/keyword_table.ts";
import type { LoadedDocument, Place } from "./part_positions.ts";
import type { References, Resource } from "./references.ts";

export type SchemaObject = { readonly [keyword: string]: unknown };

export type Subschema = SchemaNode | boolean;

/** The maximum length of a pointer: without it, the size of reports could be the square of that of the description. */
export const MAX_POINTER_LENGTH = 2_000;

export class SchemaNode {
  readonly schema: SchemaObject;
  readonly dialect: Dialect;
  readonly graph: SchemaGraph;
  readonly document: LoadedDocument;
  /** The schema whose applicator holds this one, if it was reached through one. */
  readonly parent: SchemaNode | undefined;
  /** True if this schema applies to the same instance as its parent. */
  readonly inPlace: boolean;
  /** Cache of the judge: true if the schema can fail in JSON. */
  canFailInJson: boolean | undefined = undefined;
  /** Cache: true if the schema leads back to itself without descending into the instance. */
  isInPlaceCycle: boolean | undefined = undefined;
  /** Cache: true if, from here, one schema can reach the same place by several paths. */
  pathsConverge: boolean | undefined = undefined;
  readonly pointerLength: number;
  readonly #suffix: string;
  #path: string | undefined;

  /** Only called by {@linkcode SchemaGraph}. */
  constructor(
    graph: SchemaGraph,
    schema: SchemaObject,
    dialect: Dialect,
    document: LoadedDocument,
    parent: SchemaNode | undefined,
    suffix: string,
    inPlace: boolean,
  ) {
    this.graph = graph;
    this.schema = schema;
    this.dialect = dialect;
    this.document = document;
    this.parent = parent;
    this.#suffix = suffix;
    this.pointerLength = (parent?.pointerLength ?? 0) + suffix.length;
    this.inPlace = inPlace;
  }

  /** The schema as it is in the description, without optional names. */
  get plain(): SchemaNode {
    return this;
  }

  /** Names that aren't required here despite `required`, because referring schemas declare them as not sent. */
  get optional(): ReadonlySet<string> {
    return NO_NAMES;
  }

  /** RFC 6901 pointer from the root of its document. */
  get pointer(): string {
    return this.parent === undefined ? this.#suffix : this.parent.pointer + this.#suffix;
  }

  get place(): Place {
    return { value: this.schema, document: this.document, pointer: this.pointer };
  }

  get resource(): Resource {
    return this.graph.references.enclosingResource(this.place);
  }

  /** Returns the pointer for users: from the entry document's root, or `file.yaml#/…`. */
  schemaPath(keyword = ""): string {
    const path = this.#shownPath;
    return keyword === "" ? path : `${path}/${escapeToken(keyword)}`;
  }

  get #shownPath(): string {
    return this.#path ??= this.parent !== undefined
      ? this.parent.#shownPath + this.#suffix
      : documentPath(this.document.label, this.#suffix);
  }

  member(keyword: string, key: string, value: unknown, inPlace: boolean): Subschema | undefined {
    if (typeof value === "boolean" && !this.#mayBeBoolean(keyword)) return undefined;
    return this.graph.child(
      this,
      value,
      inPlace,
      () => `/${escapeToken(keyword)}/${escapeToken(key)}`,
    );
  }

  child(keyword: string, inPlace: boolean): Subschema | undefined {
    const value = this.schema[keyword];
    if (typeof value === "boolean" && !this.#mayBeBoolean(keyword)) return undefined;
    return this.graph.child(this, value, inPlace, () => `/${escapeToken(keyword)}`);
  }

  #mayBeBoolean(keyword: string): boolean {
    return this.dialect.booleanSchemas || keywordTable.get(keyword)?.mayBeBoolean === true;
  }

  /** True if everything beside `$ref` is ignored. */
  get isReferenceOnly(): boolean {
    return !this.dialect.refSiblings && typeof this.schema["$ref"] === "string";
  }

  /** The target of `$ref`, with this schema's optional names; `true` if unresolvable, undefined without `$ref`. */
  get target(): Subschema | undefined {
    const target = this.plainTarget;
    return typeof target === "object" ? this.graph.referenceNode(target, this) : target;
  }

  /** The target of `$ref`, without optional names. */
  get plainTarget(): Subschema | undefined {
    const reference = this.schema["$ref"];
    return typeof reference === "string" ? this.graph.target(this, reference) : undefined;
  }
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** A schema some of whose required names are optional, because a referring schema declares them as not sent. */
class OverriddenNode extends SchemaNode {
  readonly #plain: SchemaNode;
  readonly #optional: ReadonlySet<string>;

  constructor(plain: SchemaNode, optional: ReadonlySet<string>, parent: SchemaNode | undefined) {
    const { graph, schema, dialect, document, inPlace } = plain;
    super(graph, schema, dialect, document, parent, "", inPlace);
    this.#plain = plain;
    this.#optional = optional;
  }

  override get plain(): SchemaNode {
    return this.#plain;
  }

  override get optional(): ReadonlySet<string> {
    return this.#optional;
  }

  override get pointer(): string {
    return this.plain.pointer;
  }

  override schemaPath(keyword?: string): string {
    return this.#plain.schemaPath(keyword);
  }

  override member(
    keyword: string,
    key: string,
    value: unknown,
    inPlace: boolean,
  ): Subschema | undefined {
    return this.#inherit(this.plain.member(keyword, key, value, inPlace), inPlace);
  }

  override child(keyword: string, inPlace: boolean): Subschema | undefined {
    return this.#inherit(this.plain.child(keyword, inPlace), inPlace);
  }

  /** Passes the optional names on to schemas that apply to the same instance. */
  #inherit(schema: Subschema | undefined, inPlace: boolean): Subschema | undefined {
    return inPlace && typeof schema === "object"
      ? this.graph.withOptional(schema, this.optional, this)
      : schema;
  }
}

export type FindOptional = (target: SchemaNode, from: SchemaNode) => ReadonlySet<string>;

export type Direction = "request" | "response";

/** The schemas of a description in one direction, with one node for each, however often it is referred to. */
export class SchemaGraph {
  /** The remaining steps for finding converging paths, for all schemas together. */
  convergenceBudget = 5_000_000;
  /** The remaining number of names that sets of individual schemas may hold, in addition to shared sets. */
  nameBudget = 500_000;
  readonly references: References;
  /** The direction that decides which properties are sent, and whether examples count. */
  readonly direction: Direction;
  readonly notSentKeyword: "readOnly" | "writeOnly";
  readonly formatAnnotates: boolean;
  readonly #dialect: Dialect;
  readonly #versioned: boolean;
  readonly #nodes = new Map<object, SchemaNode>();
  readonly #danglingReasons = new Map<SchemaNode, string>();
  readonly #cut = new Set<string>();
  readonly #findOptional: FindOptional | undefined;
  readonly #referenceNodes = new Map<SchemaNode, SchemaNode>();
  readonly #overridden = new Map<SchemaNode, Map<string, SchemaNode>>();

  /**
   * @param dialect The dialect of schemas that don't specify one.
   * @param options `versioned`: schemas may specify their dialect by `$schema` (OpenAPI 3.1 and later);
   * `findOptional`: finds the names that a referring schema makes optional, where that matters;
   * `direction`: the direction of the values (default: requests);
   * `formatAnnotates`: `format` is only an annotation, as in JSON Schema.
   */
  constructor(
    references: References,
    dialect: Dialect,
    options: {
      readonly versioned?: boolean;
      readonly findOptional?: FindOptional;
      readonly direction?: Direction;
      readonly formatAnnotates?: boolean;
    } = {},
  ) {
    this.#findOptional = options.findOptional;
    this.direction = options.direction ?? "request";
    this.formatAnnotates = options.formatAnnotates ?? false;
    this.notSentKeyword = this.direction === "request" ? "readOnly" : "writeOnly";
    this.references = references;
    this.#dialect = dialect;
    this.#versioned = options.versioned ?? false;
  }

  /** Returns the schema at a place; undefined if the value isn't a schema. */
  nodeAt(place: Place, dialect?: Dialect): Subschema | undefined {
    const value = place.value;
    if (typeof value === "boolean") return this.#dialect.booleanSchemas ? value : undefined;
    if (!isObject(value)) return undefined;
    const known = this.#nodes.get(value);
    if (known !== undefined) return known;
    if (place.pointer.length > MAX_POINTER_LENGTH) {
      const end = place.pointer.lastIndexOf("/", MAX_POINTER_LENGTH);
      this.#cut.add(documentPath(place.document.label, place.pointer.slice(0, Math.max(end, 0))));
      return true;
    }
    const node = new SchemaNode(
      this,
      value,
      dialect ?? this.#dialectAt(place),
      place.document,
      undefined,
      place.pointer,
      false,
    );
    this.#nodes.set(value, node);
    return node;
  }

  /** Returns a subschema of a node; undefined if the value isn't a schema. */
  child(
    parent: SchemaNode,
    value: unknown,
    inPlace: boolean,
    suffix: () => string,
  ): Subschema | undefined {
    if (typeof value === "boolean") return value;
    if (!isObject(value)) return undefined;
    const known = this.#nodes.get(value);
    if (known !== undefined) return known;
    const last = suffix();
    if (parent.pointerLength + last.length > MAX_POINTER_LENGTH) {
      this.#cut.add(parent.schemaPath());
      return true;
    }
    const uri = this.#versioned ? value["$schema"] : undefined;
    const dialect = typeof uri === "string" ? findDialect(uri) ?? parent.dialect : parent.dialect;
    const node = new SchemaNode(this, value, dialect, parent.document, parent, last, inPlace);
    this.#nodes.set(value, node);
    return node;
  }

  /** Returns the target of a reference in a node; `true`, which accepts anything, if it cannot be resolved. */
  target(node: SchemaNode, reference: string): Subschema {
    const place = this.references.resolve(node.place, reference);
    const target = place && this.nodeAt(place);
    if (target !== undefined) return target;
    const problem = place === undefined ? "cannot be resolved" : "does not lead to a schema";
    this.#danglingReasons.set(node, `The reference \`${reference}\` ${problem}`);
    return true;
  }

  /** Returns the node of a schema for a reference to it: its own node, or another one if names are optional. */
  referenceNode(target: SchemaNode, from: SchemaNode): SchemaNode {
    const isPlainReference = !from.inPlace && from.optional.size === 0 &&
      (from.isReferenceOnly || Object.keys(from.schema).length === 1);
    const findOptional = this.#findOptional;
    if (isPlainReference || findOptional === undefined) return target;
    return getOrAdd(this.#referenceNodes, from, () => {
      const optional = findOptional(target, from);
      return optional.size === 0 ? target : this.withOptional(target, optional, undefined);
    });
  }

  /** Returns the node of a schema with optional names; always the same one for the same names. */
  withOptional(
    plain: SchemaNode,
    optional: ReadonlySet<string>,
    parent: SchemaNode | undefined,
  ): SchemaNode {
    const nodes = getOrAdd(this.#overridden, plain, () => new Map());
    const key = JSON.stringify([...optional].sort());
    return getOrAdd(nodes, key, () => new OverriddenNode(plain, optional, parent));
  }

  /** Finds the target of `$dynamicRef` (Core 2020-12, 8.2.3.2) or `$recursiveRef` (2019-09, 8.2.4.2.3) in a scope. */
  dynamicTarget(node: SchemaNode, scope: readonly Resource[]): Subschema {
    const keyword = node.dialect.dynamicReference;
    const reference = keyword === undefined ? undefined : node.schema[keyword];
    if (typeof reference !== "string") return true;
    const target = this.target(node, reference);
    if (typeof target === "boolean") return target;
    if (keyword === "$recursiveRef") {
      if (target.schema["$recursiveAnchor"] !== true) return target;
      const outermost = scope.find((resource) => resource.recursiveAnchor);
      return (outermost && this.nodeAt(outermost.root)) ?? target;
    }
    const name = reference.slice(reference.indexOf("#") + 1);
    if (target.schema["$dynamicAnchor"] !== name) return target;
    for (const resource of scope) {
      if (!resource.dynamicAnchors.has(name)) continue;
      const place = resource.anchors.get(name);
      const found = place && this.nodeAt(place);
      if (found !== undefined) return found;
    }
    return target;
  }

  /** The pointers of schemas in which subschemas are read as `true`, because their pointers would be too long. */
  get cutPointers(): ReadonlySet<string> {
    return this.#cut;
  }

  /** Returns the reason why the reference of a node leads to no schema, if the reference was followed. */
  danglingReason(node: SchemaNode): string | undefined {
    return this.#danglingReasons.get(node);
  }

  #dialectAt(place: Place): Dialect {
    if (!this.#versioned) return this.#dialect;
    const root = place.document.value;
    const declared = findMember(root, "$schema") ?? findMember(root, "jsonSchemaDialect");
    let dialect = typeof declared === "string" ? findDialect(declared) : undefined;
    let value: unknown = root;
    for (const token of pointerTokens(place.pointer)) {
      value = findMember(value, token);
      const own = findMember(value, "$schema");
      if (typeof own === "string") dialect = findDialect(own) ?? dialect;
    }
    return dialect ?? this.#dialect;
  }
}

export function isObject(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
