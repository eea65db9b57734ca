import type { Dialect } from "./dialect.ts";
import { dialectNamed } from "./dialect.ts";
import { escapeToken, memberOf, pointerTokens } from "./json_pointer.ts";
import type { LoadedDocument, Place } from "./place.ts";
import type { References, Resource } from "./reference.ts";

/** A schema that is an object. */
export type SchemaObject = { readonly [keyword: string]: unknown };

/** A schema: an object's node, or `true` or `false`. */
export type Subschema = SchemaNode | boolean;

/** A schema object in a document: its keywords, its dialect and where it stands. */
export class SchemaNode {
  /** The schema itself. */
  readonly schema: SchemaObject;
  /** The dialect that decides what its keywords mean. */
  readonly dialect: Dialect;
  /** The graph it belongs to. */
  readonly graph: SchemaGraph;
  /** The document that holds it. */
  readonly document: LoadedDocument;
  /** The schema whose applicator holds this one, if it was reached through one. */
  readonly parent: SchemaNode | undefined;
  /** True where this schema applies to the same instance as its parent. */
  readonly inPlace: boolean;
  /** Memo of the judge: whether it can fail in JSON. */
  canFailInJson: boolean | undefined = undefined;
  /** Memo: whether it comes back to itself without descending into the instance. */
  comesBackInPlace: boolean | undefined = undefined;
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
    this.inPlace = inPlace;
  }

  /** RFC 6901 pointer from the root of its document. */
  get pointer(): string {
    return this.parent === undefined ? this.#suffix : this.parent.pointer + this.#suffix;
  }

  /** The place of the schema. */
  get place(): Place {
    return { value: this.schema, document: this.document, pointer: this.pointer };
  }

  /** The schema resource that encloses it. */
  get resource(): Resource {
    return this.graph.references.resourceOf(this.place);
  }

  /** The pointer that users see: from the entry document's root, or `file.yaml#/…`. */
  pathOf(keyword: string): string {
    const path = this.#shownPath;
    return keyword === "" ? path : `${path}/${escapeToken(keyword)}`;
  }

  get #shownPath(): string {
    return this.#path ??= this.parent !== undefined
      ? this.parent.#shownPath + this.#suffix
      : this.document.label === ""
      ? this.#suffix
      : `${this.document.label}#${this.#suffix}`;
  }

  /** A member of a keyword that holds schemas by name or number. */
  member(keyword: string, key: string, value: unknown, inPlace: boolean): Subschema | undefined {
    return this.graph.child(
      this,
      value,
      inPlace,
      () => `/${escapeToken(keyword)}/${escapeToken(key)}`,
    );
  }

  /** The schema that a keyword holds. */
  child(keyword: string, inPlace: boolean): Subschema | undefined {
    return this.graph.child(this, this.schema[keyword], inPlace, () => `/${escapeToken(keyword)}`);
  }

  /** True where everything beside `$ref` is ignored. */
  get isReferenceOnly(): boolean {
    return !this.dialect.refSiblings && typeof this.schema["$ref"] === "string";
  }

  /** What `$ref` leads to: `true` where it dangles, undefined where there is none. */
  get target(): Subschema | undefined {
    const reference = this.schema["$ref"];
    return typeof reference === "string" ? this.graph.target(this, reference) : undefined;
  }
}

/** The schemas of a description, each known once however often it is referred to. */
export class SchemaGraph {
  /** What resolves references between the documents. */
  readonly references: References;
  readonly #dialect: Dialect;
  readonly #versioned: boolean;
  readonly #nodes = new Map<object, SchemaNode>();
  readonly #dangling = new Map<SchemaNode, string>();

  /**
   * @param dialect The dialect of schemas that name none.
   * @param options `versioned`: schemas may name their dialect by `$schema` (OpenAPI 3.1 and later).
   */
  constructor(
    references: References,
    dialect: Dialect,
    options: { readonly versioned?: boolean } = {},
  ) {
    this.references = references;
    this.#dialect = dialect;
    this.#versioned = options.versioned ?? false;
  }

  /** The schema at a place; undefined where the value is no schema. */
  at(place: Place, dialect?: Dialect): Subschema | undefined {
    const value = place.value;
    if (typeof value === "boolean") return this.#dialect.booleanSchemas ? value : undefined;
    if (!isObject(value)) return undefined;
    const known = this.#nodes.get(value);
    if (known !== undefined) return known;
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

  /** A subschema of a node; undefined where the value is no schema in its dialect. */
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
    const own = this.#versioned ? value["$schema"] : undefined;
    const dialect = typeof own === "string" ? dialectNamed(own) ?? parent.dialect : parent.dialect;
    const node = new SchemaNode(this, value, dialect, parent.document, parent, suffix(), inPlace);
    this.#nodes.set(value, node);
    return node;
  }

  /** What a reference in a node leads to; a dangling one accepts anything, and so is `true`. */
  target(node: SchemaNode, reference: string): Subschema {
    const place = this.references.resolve(node.place, reference);
    const target = place === undefined ? undefined : this.at(place);
    if (target === undefined) {
      this.#dangling.set(
        node,
        place === undefined
          ? `The reference \`${reference}\` leads nowhere`
          : `The reference \`${reference}\` leads to something that is no schema`,
      );
      return true;
    }
    return target;
  }

  /**
   * What `$dynamicRef` or `$recursiveRef` leads to in a dynamic scope, outermost resource first
   * (JSON Schema Core 2020-12, section 8.2.3.2; 2019-09, section 8.2.4.2.3).
   */
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

  /** Why the reference of a node leads to no schema, once it was followed. */
  danglingReason(node: SchemaNode): string | undefined {
    return this.#dangling.get(node);
  }

  #dialectAt(place: Place): Dialect {
    if (!this.#versioned) return this.#dialect;
    const root = place.document.value;
    const declared = memberOf(root, "$schema") ?? memberOf(root, "jsonSchemaDialect");
    let dialect = typeof declared === "string" ? dialectNamed(declared) : undefined;
    let value: unknown = root;
    for (const token of pointerTokens(place.pointer)) {
      value = memberOf(value, token);
      const own = memberOf(value, "$schema");
      if (typeof own === "string") dialect = dialectNamed(own) ?? dialect;
    }
    return dialect ?? this.#dialect;
  }
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
