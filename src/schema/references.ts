import { decodeUri } from "../values/escapes.ts";
import { getOrAdd } from "../values/collections.ts";
import { findMember, joinPointer, pointerTokens } from "../values/json_pointer.ts";
import { keywordsHolding } from "../values/keyword_table.ts";
import type { LoadedDocument, Place } from "./part_positions.ts";

/** A schema resource: a document, or a subschema with an `$id` (JSON Schema 2020-12, section 4.3.5). */
export interface Resource {
  /** Absolute URI without fragment. */
  readonly uri: string;
  readonly root: Place;
  /** Places of `$anchor` and `$dynamicAnchor`, by name. */
  readonly anchors: Map<string, Place>;
  readonly dynamicAnchors: Set<string>;
  /** True if the root has `$recursiveAnchor: true` (2019-09). */
  readonly recursiveAnchor: boolean;
}

/** Keywords, and fields of OpenAPI, with schemas under names that the author chooses. */
const NAMED_SCHEMAS = new Set([...keywordsHolding("schemas_by_name"), "schemas"]);

/** The depth to which identifiers are searched; the limit of pointers excludes deeper schemas. */
const MAX_NESTED = 1_000;

/** Keywords that hold data, where an `$id` has no meaning. */
const DATA_KEYWORDS = new Set(keywordsHolding("values"));

export interface ReferencesOptions {
  /** True if schemas have `$id`, `$anchor` and `$dynamicAnchor` (OpenAPI 3.1 and later). */
  readonly hasIdentifiers?: boolean;
  /** True if the default dialect is an old one, in which `$ref` hides an `$id` beside it. */
  readonly ignoresRefSiblings?: boolean;
}

export class References {
  readonly #documents = new Map<string, LoadedDocument>();
  readonly #hasIdentifiers: boolean;
  readonly #ignoresRefSiblings: boolean;
  readonly #resources = new Map<string, Resource>();
  readonly #resourcesByPointer = new Map<LoadedDocument, Map<string, Resource>>();
  readonly #cache = new Map<Resource, Map<string, Place | undefined>>();
  #dynamic = false;

  constructor(documents: Iterable<LoadedDocument>, options: ReferencesOptions = {}) {
    this.#hasIdentifiers = options.hasIdentifiers ?? false;
    this.#ignoresRefSiblings = options.ignoresRefSiblings ?? false;
    for (const document of documents) {
      this.#documents.set(document.uri, document);
      this.#index(document);
    }
  }

  /** True if a document has a `$dynamicAnchor` or `$recursiveAnchor`. */
  get dynamic(): boolean {
    return this.#dynamic;
  }

  *resources(): Generator<Resource, void> {
    for (const resources of this.#resourcesByPointer.values()) yield* resources.values();
  }

  enclosingResource(place: Place): Resource {
    const resources = this.#resourcesByPointer.get(place.document) ?? this.#index(place.document);
    let pointer = place.pointer;
    if (resources.size > 1) {
      while (pointer !== "") {
        const resource = resources.get(pointer);
        if (resource !== undefined) return resource;
        pointer = pointer.slice(0, pointer.lastIndexOf("/"));
      }
    }
    return resources.get("")!; // `#index()` always sets the root.
  }

  /** Resolves a reference against its resource (RFC 3986), then by pointer or anchor; undefined if not found. */
  resolve(from: Place, reference: string): Place | undefined {
    const resource = this.enclosingResource(from);
    const cache = getOrAdd(this.#cache, resource, () => new Map());
    if (cache.has(reference)) return cache.get(reference);
    cache.set(reference, undefined); // A reference whose resolution leads to itself is not found.
    const place = this.#find(resource, reference);
    cache.set(reference, place);
    return place;
  }

  resource(uri: string): Resource | undefined {
    return this.#resources.get(uri);
  }

  #find(from: Resource, reference: string): Place | undefined {
    const hash = reference.indexOf("#");
    const uri = hash < 0 ? reference : reference.slice(0, hash);
    const fragment = hash < 0 ? "" : reference.slice(hash + 1);
    let resource: Resource | undefined = from;
    if (uri !== "") {
      const absolute = resolveUri(uri, from.uri);
      resource = absolute === undefined
        ? undefined
        : this.#resources.get(absolute) ?? this.#resources.get(withoutFragment(absolute));
    }
    if (resource === undefined) return undefined;
    if (fragment === "") return resource.root;
    if (!fragment.startsWith("/")) return resource.anchors.get(decodeUri(fragment));
    const decoded = this.#walk(resource.root, pointerTokens(decodeUri(fragment)));
    return decoded ?? this.#walk(resource.root, pointerTokens(fragment));
  }

  /** Follows the tokens of a pointer; if an object lacks a member, follows its `$ref`. */
  #walk(root: Place, tokens: readonly string[]): Place | undefined {
    let place = root;
    for (const token of tokens) {
      let value = findMember(place.value, token);
      if (value === undefined) {
        const reference = findMember(place.value, "$ref");
        const target = typeof reference === "string" ? this.resolve(place, reference) : undefined;
        if (target === undefined) return undefined;
        place = target;
        value = findMember(place.value, token);
        if (value === undefined) return undefined;
      }
      place = { value, document: place.document, pointer: place.pointer + joinPointer([token]) };
    }
    return place;
  }

  #index(document: LoadedDocument): Map<string, Resource> {
    const byPointer = new Map<string, Resource>();
    this.#resourcesByPointer.set(document, byPointer);
    const root = this.#addResource(document.uri, { value: document.value, document, pointer: "" });
    byPointer.set("", root);
    if (this.#hasIdentifiers) this.#scan(document.value, [], document, root, byPointer, false);
    return byPointer;
  }

  #addResource(uri: string, root: Place): Resource {
    const value = root.value;
    const recursiveAnchor = findMember(value, "$recursiveAnchor") === true;
    if (recursiveAnchor) this.#dynamic = true;
    const resource: Resource = {
      uri,
      root,
      anchors: new Map(),
      dynamicAnchors: new Set(),
      recursiveAnchor,
    };
    if (!this.#resources.has(uri)) this.#resources.set(uri, resource);
    return resource;
  }

  #scan(
    value: unknown,
    tokens: string[],
    document: LoadedDocument,
    enclosing: Resource,
    byPointer: Map<string, Resource>,
    isMap: boolean,
  ): void {
    if (typeof value !== "object" || value === null || tokens.length > MAX_NESTED) return;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        tokens.push(String(index));
        this.#scan(value[index], tokens, document, enclosing, byPointer, false);
        tokens.pop();
      }
      return;
    }
    const object = value as Record<string, unknown>;
    let resource = enclosing;
    if (!isMap) resource = this.#identify(object, tokens, document, enclosing, byPointer);
    for (const key in object) {
      const member = object[key];
      if (typeof member !== "object" || member === null) continue;
      if (!isMap && DATA_KEYWORDS.has(key)) continue;
      tokens.push(key);
      this.#scan(member, tokens, document, resource, byPointer, !isMap && NAMED_SCHEMAS.has(key));
      tokens.pop();
    }
  }

  #identify(
    object: Record<string, unknown>,
    tokens: readonly string[],
    document: LoadedDocument,
    enclosing: Resource,
    byPointer: Map<string, Resource>,
  ): Resource {
    let resource = enclosing;
    const id = object["$id"];
    // Before 2019-09, everything beside `$ref` is ignored, including `$id`.
    const isIgnored = typeof object["$ref"] === "string" && this.#isOldDialect(document, tokens);
    if (typeof id === "string" && !isIgnored) {
      const uri = id.startsWith("#") ? undefined : resolveUri(id, enclosing.uri);
      if (id.startsWith("#")) {
        resource.anchors.set(id.slice(1), schemaPlace(object, document, tokens));
      } else if (uri !== undefined) {
        const root = schemaPlace(object, document, tokens);
        resource = this.#addResource(withoutFragment(uri), root);
        byPointer.set(root.pointer, resource);
        if (root.pointer === "") this.#resources.set(document.uri, resource);
        const fragment = uri.slice(withoutFragment(uri).length + 1);
        if (fragment !== "") resource.anchors.set(fragment, root);
      }
    }
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const name = object[keyword];
      if (typeof name !== "string") continue;
      resource.anchors.set(name, schemaPlace(object, document, tokens));
      if (keyword === "$dynamicAnchor") {
        resource.dynamicAnchors.add(name);
        this.#dynamic = true;
      }
    }
    return resource;
  }

  /** True if the schema at these tokens is under a `$schema` of draft 7 or before. */
  #isOldDialect(document: LoadedDocument, tokens: readonly string[]): boolean {
    let value: unknown = document.value;
    let dialect: unknown = findMember(value, "$schema") ?? findMember(value, "jsonSchemaDialect");
    for (const token of tokens) {
      value = findMember(value, token);
      const declared = findMember(value, "$schema");
      if (typeof declared === "string") dialect = declared;
    }
    return typeof dialect === "string" ? /draft-0[3-7]/.test(dialect) : this.#ignoresRefSiblings;
  }
}

function resolveUri(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href;
  } catch {
    // A base without hierarchy (urn:…) has no relative references, but can be referred to by its entire URI.
    return undefined;
  }
}

function schemaPlace(value: object, document: LoadedDocument, tokens: readonly string[]): Place {
  return { value, document, pointer: joinPointer(tokens) };
}

function withoutFragment(uri: string): string {
  const hash = uri.indexOf("#");
  return hash < 0 ? uri : uri.slice(0, hash);
}
