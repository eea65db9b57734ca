import { getOrAdd } from "../values/collections.ts";
import { type Dialect, dialectNamed } from "./dialect.ts";
import { documentPath, escapeToken, findMember, pointerTokens } from "../values/json_pointer.ts";
import { keywordTable } from "../values/keyword_table.ts";
import type { LoadedDocument, Place } from "./position.ts";
import type { References, Resource } from "./reference.ts";

export type SchemaObject = { readonly [keyword: string]: unknown };

/** A schema: an object's node, or `true` or `false`. */
export type Subschema = SchemaNode | boolean;

/** The longest pointer in characters: without a bound, reports have the square of a description's size. */
export const MAX_POINTER = 2_000;

/** A schema object in a document: its keywords, its dialect and where it is. */
export class SchemaNode {
  readonly schema: SchemaObject;
  /** The dialect that decides what its keywords mean. */
  readonly dialect: Dialect;
  readonly graph: SchemaGraph;
  readonly document: LoadedDocument;
  /** The schema whose applicator holds this one, if it was reached through one. */
  readonly parent: SchemaNode | undefined;
  /** True if this schema applies to the same instance as its parent. */
  readonly inPlace: boolean;
  /** Memo of the judge: whether it can fail in JSON. */
  canFailInJson: boolean | undefined = undefined;
  /** Memo: whether it comes back to itself without descending into the instance. */
  comesBackInPlace: boolean | undefined = undefined;
  /** Memo: whether there is a place that one schema reaches from here in more than one way. */
  pathsConverge: boolean | undefined = undefined;
  readonly pointerLength: number;
  readonly #suffix: string;
  #path: string | undefined;

  /** Made by {@linkcode SchemaGraph} alone. */
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

  /** The schema as the description has it, where this is that schema as another one refers to it. */
  get plain(): SchemaNode {
    return this;
  }

  /** Names that `required` does not ask for here, as schemas that refer to this one declare them as not sent. */
  get waived(): ReadonlySet<string> {
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

  /** The pointer that users see: from the entry document's root, or `file.yaml#/…`. */
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

  /** True if a keyword may hold `true` and `false` in place of a schema. */
  #mayBeBoolean(keyword: string): boolean {
    return this.dialect.booleanSchemas || keywordTable.get(keyword)?.mayBeBoolean === true;
  }

  /** True if everything beside `$ref` is ignored. */
  get isReferenceOnly(): boolean {
    return !this.dialect.refSiblings && typeof this.schema["$ref"] === "string";
  }

  /** The target of `$ref`, as this schema refers to it: `true` where it cannot be resolved, undefined without `$ref`. */
  get target(): Subschema | undefined {
    const target = this.plainTarget;
    return typeof target === "object" ? this.graph.referredTo(target, this) : target;
  }

  /** The target of `$ref`, as the description has it. */
  get plainTarget(): Subschema | undefined {
    const reference = this.schema["$ref"];
    return typeof reference === "string" ? this.graph.target(this, reference) : undefined;
  }
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** A schema as another one refers to it that declares properties as not sent which it requires. */
class WaivingNode extends SchemaNode {
  readonly #plain: SchemaNode;
  readonly #waived: ReadonlySet<string>;

  constructor(plain: SchemaNode, waived: ReadonlySet<string>, parent: SchemaNode | undefined) {
    const { graph, schema, dialect, document, inPlace } = plain;
    super(graph, schema, dialect, document, parent, "", inPlace);
    this.#plain = plain;
    this.#waived = waived;
  }

  override get plain(): SchemaNode {
    return this.#plain;
  }

  override get waived(): ReadonlySet<string> {
    return this.#waived;
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

  /** Passes the waived names on to schemas that apply to the same instance. */
  #inherit(schema: Subschema | undefined, inPlace: boolean): Subschema | undefined {
    return inPlace && typeof schema === "object"
      ? this.graph.waiving(schema, this.waived, this)
      : schema;
  }
}

/** The names that a schema requires and a schema that refers to it declares as not sent. */
export type WaivedBy = (target: SchemaNode, from: SchemaNode) => ReadonlySet<string>;

/** The direction that schemas are read for: what a client sends, or what the API answers. */
export type Direction = "request" | "response";

/** The schemas of a description in one direction, each known once however often it is referred to. */
export class SchemaGraph {
  /** The steps left for finding out whether ways meet, for all schemas together. */
  stepsForWays = 5_000_000;
  /** The names left that schemas may hold in sets of their own, beyond those that they share. */
  namesToHold = 500_000;
  readonly references: References;
  /** The direction that decides which properties are sent, and whether examples count. */
  readonly direction: Direction;
  readonly unsentKeyword: "readOnly" | "writeOnly";
  readonly #dialect: Dialect;
  readonly #versioned: boolean;
  readonly #nodes = new Map<object, SchemaNode>();
  readonly #dangling = new Map<SchemaNode, string>();
  readonly #cut = new Set<string>();
  readonly #waivedBy: WaivedBy | undefined;
  readonly #referredTo = new Map<SchemaNode, SchemaNode>();
  readonly #waiving = new Map<SchemaNode, Map<string, SchemaNode>>();

  /**
   * @param dialect The dialect of schemas that name none.
   * @param options `versioned`: schemas may name their dialect by `$schema` (OpenAPI 3.1 and later);
   * `waivedBy`: what schemas around a reference declare as not sent, where that matters;
   * `direction`: what the schemas are of (default: requests).
   */
  constructor(
    references: References,
    dialect: Dialect,
    options: {
      readonly versioned?: boolean;
      readonly waivedBy?: WaivedBy;
      readonly direction?: Direction;
    } = {},
  ) {
    this.#waivedBy = options.waivedBy;
    this.direction = options.direction ?? "request";
    this.unsentKeyword = this.direction === "request" ? "readOnly" : "writeOnly";
    this.references = references;
    this.#dialect = dialect;
    this.#versioned = options.versioned ?? false;
  }

  /** The schema at a place; undefined if the value isn't a schema. */
  at(place: Place, dialect?: Dialect): Subschema | undefined {
    const value = place.value;
    if (typeof value === "boolean") return this.#dialect.booleanSchemas ? value : undefined;
    if (!isObject(value)) return undefined;
    const known = this.#nodes.get(value);
    if (known !== undefined) return known;
    if (place.pointer.length > MAX_POINTER) {
      const end = place.pointer.lastIndexOf("/", MAX_POINTER);
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

  /** A subschema of a node; undefined if the value isn't a schema in its dialect. */
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
    if (parent.pointerLength + last.length > MAX_POINTER) {
      this.#cut.add(parent.schemaPath());
      return true;
    }
    const own = this.#versioned ? value["$schema"] : undefined;
    const dialect = typeof own === "string" ? dialectNamed(own) ?? parent.dialect : parent.dialect;
    const node = new SchemaNode(this, value, dialect, parent.document, parent, last, inPlace);
    this.#nodes.set(value, node);
    return node;
  }

  /** The target of a reference in a node; `true`, which accepts anything, where it cannot be resolved. */
  target(node: SchemaNode, reference: string): Subschema {
    const place = this.references.resolve(node.place, reference);
    const target = place === undefined ? undefined : this.at(place);
    if (target === undefined) {
      this.#dangling.set(
        node,
        place === undefined
          ? `The reference \`${reference}\` cannot be resolved`
          : `The reference \`${reference}\` does not lead to a schema`,
      );
      return true;
    }
    return target;
  }

  /** A schema as a reference to it means it: where that waives required names, one of its own. */
  referredTo(target: SchemaNode, from: SchemaNode): SchemaNode {
    const isAlone = !from.inPlace && from.waived.size === 0 &&
      (from.isReferenceOnly || Object.keys(from.schema).length === 1);
    if (isAlone || this.#waivedBy === undefined) return target;
    let found = this.#referredTo.get(from);
    if (found === undefined) {
      const waived = this.#waivedBy(target, from);
      found = waived.size === 0 ? target : this.waiving(target, waived, undefined);
      this.#referredTo.set(from, found);
    }
    return found;
  }

  /** A schema that does not require some names; always the same one for the same names. */
  waiving(
    plain: SchemaNode,
    waived: ReadonlySet<string>,
    parent: SchemaNode | undefined,
  ): SchemaNode {
    const nodes = getOrAdd(this.#waiving, plain, () => new Map());
    const key = JSON.stringify([...waived].sort());
    return getOrAdd(nodes, key, () => new WaivingNode(plain, waived, parent));
  }

  /** The target of `$dynamicRef` (Core 2020-12, 8.2.3.2) or `$recursiveRef` (2019-09, 8.2.4.2.3) in a scope. */
  dynamicTarget(node: SchemaNode, scope: readonly Resource[]): Subschema {
    const keyword = node.dialect.dynamicReference;
    const reference = keyword === undefined ? undefined : node.schema[keyword];
    if (typeof reference !== "string") return true;
    const target = this.target(node, reference);
    if (typeof target === "boolean") return target;
    if (keyword === "$recursiveRef") {
      if (target.schema["$recursiveAnchor"] !== true) return target;
      const outermost = scope.find((resource) => resource.recursiveAnchor);
      return (outermost && this.at(outermost.root)) ?? target;
    }
    const name = reference.slice(reference.indexOf("#") + 1);
    if (target.schema["$dynamicAnchor"] !== name) return target;
    for (const resource of scope) {
      if (!resource.dynamicAnchors.has(name)) continue;
      const place = resource.anchors.get(name);
      const found = place && this.at(place);
      if (found !== undefined) return found;
    }
    return target;
  }

  /** The pointers of what holds schemas that are taken for `true`, as their own pointers would be too long. */
  get cut(): ReadonlySet<string> {
    return this.#cut;
  }

  /** The reason why the reference of a node leads to no schema, if it was followed. */
  danglingReason(node: SchemaNode): string | undefined {
    return this.#dangling.get(node);
  }

  #dialectAt(place: Place): Dialect {
    if (!this.#versioned) return this.#dialect;
    const root = place.document.value;
    const declared = findMember(root, "$schema") ?? findMember(root, "jsonSchemaDialect");
    let dialect = typeof declared === "string" ? dialectNamed(declared) : undefined;
    let value: unknown = root;
    for (const token of pointerTokens(place.pointer)) {
      value = findMember(value, token);
      const own = findMember(value, "$schema");
      if (typeof own === "string") dialect = dialectNamed(own) ?? dialect;
    }
    return dialect ?? this.#dialect;
  }
}

export function isObject(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
