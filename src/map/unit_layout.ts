import type { CountedUnit } from "../schema/counted_unit.ts";
import type { SchemaNode } from "../schema/schema_node.ts";
import { usableKeywords } from "../schema/usable_keywords.ts";
import { memberOf, pointerTokens } from "../values/json_pointer.ts";
import { ValueHashes } from "./value_hash.ts";

/** The number of letters of a hash: one of 16 million, to be compared with a few others. */
const LETTERS = 4;

/** A reference that leads out of a unit. */
export interface UnitReference {
  /** The pointer of the schema that refers, from the unit's own schema. */
  readonly pointer: string;
  /** The schema that it leads to. */
  readonly target: SchemaNode;
}

/** A keyword or an example of a unit, as its layout says it. */
export interface LayoutEntry {
  /** The pointer of the schema that holds the keyword, or of the example, from the unit's own schema. */
  readonly pointer: string;
  /** Empty for an example. */
  readonly keyword: string;
  /** The hash of its value. */
  readonly hash: string;
  /** The place of its first counter; a keyword has two of them, an example one. */
  readonly slot: number;
}

/**
 * The meaning of the counters of units, as text that can be compared and stored: a unit's schemas in the order of the
 * counters, separated by spaces. Each has the pointer from the unit's own schema, `#`, and every keyword with the hash
 * of its value (`maximum=4gT_`), separated by commas. An example has no keyword (`=4gT_`). In pointers, `/properties/`
 * is shortened to a dot, and a dot, `%`, space, comma and `#` are escaped as in URLs. Each is made on first use.
 */
export class UnitLayouts {
  readonly #hashes = new ValueHashes();
  readonly #texts = new Map<CountedUnit, string>();
  readonly #references = new Map<CountedUnit, readonly UnitReference[]>();

  /** The hash of an example, in as many letters as a layout has. */
  hashOf(value: unknown): string {
    return this.#hashes.of(value).slice(0, LETTERS);
  }

  /** The meaning of the counters of a unit. */
  textOf(unit: CountedUnit): string {
    let text = this.#texts.get(unit);
    if (text === undefined) this.#texts.set(unit, text = this.#write(unit));
    return text;
  }

  /** The references that lead out of a unit. */
  referencesOf(unit: CountedUnit): readonly UnitReference[] {
    let references = this.#references.get(unit);
    if (references === undefined) this.#references.set(unit, references = findReferences(unit));
    return references;
  }

  #write(unit: CountedUnit): string {
    const root = unit.root.pathOf("");
    const entries: LayoutEntry[] = unit.keywords.map(({ node, keyword, slot }) => ({
      pointer: node.pathOf("").slice(root.length),
      keyword,
      hash: this.#hashes.ofKeyword(keyword, node.schema[keyword]).slice(0, LETTERS),
      slot,
    }));
    for (const { schema_path, slot } of unit.examples) {
      const pointer = schema_path.slice(root.length);
      entries.push({
        pointer,
        keyword: "",
        hash: this.hashOf(valueAt(unit.root, pointer)),
        slot,
      });
    }
    entries.sort((left, right) => left.slot - right.slot);
    let text = "";
    let last: string | undefined;
    for (const { pointer, keyword, hash } of entries) {
      if (pointer === last) text += `,${keyword}=${hash}`;
      else text += `${last === undefined ? "" : " "}${shorten(pointer)}#${keyword}=${hash}`;
      last = pointer;
    }
    return text;
  }
}

/**
 * The entries of a layout, in order; undefined if the text isn't a layout.
 *
 * @example
 * ```ts
 * import { layoutEntries } from "./unit_layout.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(layoutEntries("#type=aaaa,properties=bbbb .name/example#=cccc"), [
 *   { pointer: "", keyword: "type", hash: "aaaa", slot: 0 },
 *   { pointer: "", keyword: "properties", hash: "bbbb", slot: 2 },
 *   { pointer: "/properties/name/example", keyword: "", hash: "cccc", slot: 4 },
 * ]);
 * ```
 */
export function layoutEntries(text: string): LayoutEntry[] | undefined {
  const entries: LayoutEntry[] = [];
  let slot = 0;
  for (const group of text === "" ? [] : text.split(" ")) {
    const [pointerText = "", list] = group.split("#", 2);
    if (list === undefined) return undefined;
    const pointer = lengthen(pointerText);
    for (const part of list.split(",")) {
      const equals = part.indexOf("=");
      if (equals < 0) return undefined;
      const keyword = part.slice(0, equals);
      entries.push({ pointer, keyword, hash: part.slice(equals + 1), slot });
      slot += keyword === "" ? 1 : 2;
    }
  }
  return entries;
}

function shorten(pointer: string): string {
  const escaped = /[% .,#]/.test(pointer)
    ? pointer.replace(/[% .,#]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}`)
    : pointer;
  return escaped.replaceAll("/properties/", ".");
}

function lengthen(pointer: string): string {
  const escaped = pointer.replaceAll(".", "/properties/");
  return escaped.includes("%")
    ? escaped.replace(
      /%([0-9a-f]{2})/g,
      (_, code: string) => String.fromCharCode(parseInt(code, 16)),
    )
    : escaped;
}

function valueAt(root: SchemaNode, pointer: string): unknown {
  let value: unknown = root.schema;
  for (const token of pointerTokens(pointer)) value = memberOf(value, token);
  return value;
}

function findReferences(unit: CountedUnit): UnitReference[] {
  const root = unit.root.pathOf("");
  const found: UnitReference[] = [];
  const open: SchemaNode[] = [unit.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { target } = node;
    if (typeof target === "object") {
      found.push({ pointer: node.pathOf("").slice(root.length), target: target.plain });
    }
    for (const { definition, value } of usableKeywords(node)) {
      definition.subschemas?.(value, node, (child) => {
        if (typeof child === "object") open.push(child);
      });
    }
  }
  return found;
}
