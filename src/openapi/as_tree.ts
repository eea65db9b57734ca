import { setOwn } from "../values/collections.ts";
import { DescriptionError } from "../values/errors.ts";
import { escapeToken } from "../values/json_pointer.ts";
import { keywordsHolding } from "../values/keyword_table.ts";
import { MAX_LEVELS, TOO_DEEP } from "./read_yaml.ts";

export interface Tree {
  readonly value: unknown;
  readonly hasOuterReference: boolean;
}

const MAX_COPIES = 250_000;

/**
 * Copies a value as a tree of JSON values. A description whose references were replaced by their targets isn't one:
 * objects that are used twice are copied twice, and an object inside itself becomes a `$ref` to the enclosing one.
 * Values that aren't JSON are treated as in `JSON.stringify`. If a full copy has too many objects, each schema is
 * copied once, and its further uses become `$ref`s.
 */
export function asTree(value: unknown, location: string): Tree {
  try {
    try {
      return new Copier(location, undefined).copyTree(value);
    } catch (error) {
      if (!(error instanceof TooManyCopies)) throw error;
      return new Copier(location, shortestPointers(value)).copyTree(value);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DescriptionError(TOO_DEEP, { code: "too_deep", location, cause: error });
  }
}

class TooManyCopies extends Error {}

function refuse(kind: string, pointer: string, location: string): never {
  throw new DescriptionError(
    `There is a ${kind} at ${
      pointer === "" ? "the top" : `#${pointer}`
    }: give plain objects and lists, as JSON.parse makes them.`,
    { code: "not_json", location },
  );
}

class Copier {
  readonly #location: string;
  /** The pointer of the one copy of each object that is used again; undefined while everything is copied. */
  readonly #sharedPointers: ReadonlyMap<object, string> | undefined;
  readonly #ancestors = new Map<object, string>();
  readonly #copied = new Set<object>();
  #extraCopies = 0;
  #hasOuterReference = false;

  constructor(location: string, sharedPointers: ReadonlyMap<object, string> | undefined) {
    this.#location = location;
    this.#sharedPointers = sharedPointers;
  }

  copyTree(value: unknown): Tree {
    const copy = this.#copy(value, "", false);
    return { value: copy ?? null, hasOuterReference: this.#hasOuterReference };
  }

  #copy(value: unknown, pointer: string, mayBeSchema: boolean): unknown {
    if (typeof value !== "object" || value === null) {
      if (typeof value === "bigint" || typeof value === "symbol") {
        refuse(typeof value, pointer, this.#location);
      }
      return value;
    }
    const { toJSON } = value as { readonly toJSON?: unknown };
    if (typeof toJSON === "function") {
      return this.#copy(toJSON.call(value, ""), pointer, mayBeSchema);
    }
    if (value instanceof Map || value instanceof Set) {
      refuse(value instanceof Map ? "Map" : "Set", pointer, this.#location);
    }
    const enclosing = this.#ancestors.get(value);
    if (enclosing !== undefined) return referenceTo(enclosing);
    const sharedPointer = this.#sharedPointers?.get(value);
    // A keyword that may hold a schema may also hold a list, of schemas or of names: a list can't be a `$ref`'s target.
    const isSchema = mayBeSchema && !Array.isArray(value);
    if (isSchema && sharedPointer !== undefined && sharedPointer !== pointer) {
      return referenceTo(sharedPointer);
    }
    if (!this.#copied.has(value)) this.#copied.add(value);
    else if (++this.#extraCopies > MAX_COPIES) {
      if (this.#sharedPointers === undefined) throw new TooManyCopies();
      throw new DescriptionError(
        "The description becomes too large when objects that it uses twice are copied: give the original, with `$ref`.",
        { code: "too_large", location: this.#location },
      );
    }
    this.#ancestors.set(value, pointer);
    if (this.#ancestors.size > MAX_LEVELS + 1) throw new RangeError(TOO_DEEP);
    const copy = Array.isArray(value)
      ? this.#copyList(value, pointer)
      : this.#copyObject(value as Record<string, unknown>, pointer);
    this.#ancestors.delete(value);
    return copy;
  }

  #copyList(list: readonly unknown[], pointer: string): unknown {
    const schemas = SCHEMA_LISTS.has(lastToken(pointer));
    const copies: unknown[] = [];
    for (let index = 0; index < list.length; index++) {
      const copy = this.#copy(list[index], `${pointer}/${index}`, schemas);
      copies.push(isOmitted(copy) ? null : copy);
    }
    return copies;
  }

  #copyObject(object: Readonly<Record<string, unknown>>, pointer: string): unknown {
    const schemas = this.#sharedPointers !== undefined &&
      (SCHEMA_MAPS.has(lastToken(pointer)) || COMPONENTS.test(pointer));
    const copies: Record<string, unknown> = {};
    for (const key of Object.keys(object)) {
      let copy = object[key];
      // Pointers are built only for values that need one: objects, lists and what may be refused.
      if (!["string", "number", "boolean"].includes(typeof copy)) {
        const childPointer = `${pointer}/${escapeToken(key)}`;
        copy = this.#copy(copy, childPointer, schemas || SCHEMA_KEYWORDS.has(key));
      }
      if (!isOmitted(copy)) setOwn(copies, key, copy);
      if (key === "$ref" && typeof copy === "string" && !copy.startsWith("#")) {
        this.#hasOuterReference = true;
      }
    }
    return copies;
  }
}

/** Fields that hold lists of schemas, or of other objects that may be a `$ref`. */
const SCHEMA_LISTS = new Set([...keywordsHolding("schema_list"), "parameters"]);

/** Fields that hold objects whose members are schemas, or other objects that may be a `$ref`. */
const SCHEMA_MAPS = new Set([...keywordsHolding("schemas_by_name"), "responses"]);
const COMPONENTS = /\/components\/\w+$/;

const SCHEMA_KEYWORDS = new Set([...keywordsHolding("schema"), "schema"]);

function lastToken(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf("/") + 1);
}

function isOmitted(value: unknown): boolean {
  return value === undefined || typeof value === "function";
}

function referenceTo(pointer: string): { readonly $ref: string } {
  // encodeURI keeps the characters that a fragment may contain and also `#`, which may only come from a key.
  return { $ref: `#${encodeURI(pointer).replaceAll("#", "%23")}` };
}

/** Returns the shortest pointer of every object, those of components first; further uses of an object refer to it. */
function shortestPointers(root: unknown): Map<object, string> {
  const pointers = new Map<object, string>();
  const components: [unknown, string][] = [];
  const top = (root ?? {}) as Record<string, unknown>;
  for (const section of ["definitions", "parameters", "responses"]) {
    if (top[section] !== undefined) components.push([top[section], `/${section}`]);
  }
  for (const [name, section] of Object.entries((top["components"] ?? {}) as object)) {
    components.push([section, `/components/${escapeToken(name)}`]);
  }
  for (const queue of [components, [[root, ""] as [unknown, string]]]) {
    // Breadth first: the queue grows while it is read.
    for (const [value, pointer] of queue) {
      if (typeof value !== "object" || value === null || pointers.has(value)) continue;
      pointers.set(value, pointer);
      for (const [key, member] of Object.entries(value)) {
        if (typeof member === "object" && member !== null) {
          queue.push([member, `${pointer}/${escapeToken(key)}`]);
        }
      }
    }
  }
  return pointers;
}
