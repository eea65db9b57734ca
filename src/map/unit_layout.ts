import { getOrAdd } from "../values/collections.ts";
import type { CountedUnit } from "../schema/counters.ts";
import { requiredNames } from "../schema/keywords/objects.ts";
import type { SchemaNode } from "../schema/schema_node.ts";
import { usableKeywords } from "../schema/usable_keywords.ts";
import { findMember, pointerTokens } from "../values/json_pointer.ts";
import { keywordsHolding, keywordTable } from "../values/keyword_table.ts";
import { ValueHashes } from "./value_hash.ts";

/** The number of letters of a hash: 16 million values, enough to distinguish the few that are compared. */
const HASH_LETTERS = 4;

/** The prefix of the name of a class of values; no keyword begins with it. */
const CLASS_PREFIX = "~";

/** Keywords of which only the names or the number of their schemas affect a neighboring keyword. */
const SUBSCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  ...keywordsHolding("schemas_by_name"),
  ...keywordsHolding("schema_list"),
]);

export interface UnitReference {
  /** The pointer of the referring schema, relative to the unit's own schema. */
  readonly pointer: string;
  readonly target: SchemaNode;
}

export interface LayoutEntry {
  /** The pointer of the schema with the keyword, or of the example or alternative, from the unit's own schema. */
  readonly pointer: string;
  /** Empty for an example or alternative; for a class of values, a tilde and its name. */
  readonly keyword: string;
  readonly hash: string;
  /** The offset of its first counter. A keyword has two counters, other entries have one. */
  readonly slot: number;
}

/**
 * Layouts of units: the meaning of their counters as text to compare and store. A layout lists a unit's schemas in the
 * order of the counters, separated by spaces: the pointer from the unit's own schema, `#`, and the keywords with the
 * hashes of their values (`maximum=4gT_`), separated by commas. Examples and alternatives of `discriminator` have no
 * keyword (`=4gT_`), classes of values a tilde and their name (`~enum=4gT_`). In pointers, a dot replaces
 * `/properties/`, and dots, `%`, spaces, commas and `#` are percent-encoded. Each layout is made on first use.
 */
export class UnitLayouts {
  readonly #hashes = new ValueHashes();
  readonly #texts = new Map<CountedUnit, string>();
  readonly #references = new Map<CountedUnit, readonly UnitReference[]>();

  /** Returns a hash with as many letters as layouts use. */
  shortHash(value: unknown): string {
    return this.#hashes.letters(value).slice(0, HASH_LETTERS);
  }

  text(unit: CountedUnit): string {
    return getOrAdd(this.#texts, unit, () => this.#write(unit));
  }

  references(unit: CountedUnit): readonly UnitReference[] {
    return getOrAdd(this.#references, unit, () => findReferences(unit));
  }

  /** Returns the hash of a keyword and of the neighboring keywords that affect its meaning. */
  #keywordHash(keyword: string, node: SchemaNode): string {
    const { schema } = node;
    const value = schema[keyword];
    // Properties that aren't sent in this direction aren't required.
    const effective = keyword === "required" ? requiredNames(value, node) : value;
    const ownHash = this.#hashes.letters(effective, keyword).slice(0, HASH_LETTERS);
    const { affectedBy = [] } = keywordTable.get(keyword) ?? {};
    const neighbors = affectedBy.filter((name) => Object.hasOwn(schema, name));
    if (neighbors.length === 0) return ownHash;
    return this.shortHash([
      ownHash,
      ...neighbors.map((name) =>
        SUBSCHEMA_KEYWORDS.has(name)
          ? Object.keys(Object(schema[name])).sort()
          : this.#hashes.letters(schema[name], name)
      ),
    ]);
  }

  #write(unit: CountedUnit): string {
    const root = unit.root.schemaPath();
    const entries: LayoutEntry[] = unit.keywords.map(({ node, keyword, slot }) => ({
      pointer: node.schemaPath().slice(root.length),
      keyword,
      hash: this.#keywordHash(keyword, node),
      slot,
    }));
    for (const { schema_path, slot } of unit.tallies) {
      const pointer = schema_path.slice(root.length);
      entries.push({
        pointer,
        keyword: "",
        hash: this.shortHash(pointerTokens(pointer).reduce<unknown>(findMember, unit.root.schema)),
        slot,
      });
    }
    for (const { node, classes, slot } of unit.classes) {
      const pointer = node.schemaPath().slice(root.length);
      classes.counters.forEach(({ name, meaning }, index) =>
        entries.push({
          pointer,
          keyword: `${CLASS_PREFIX}${name}`,
          hash: meaning === null ? "" : this.shortHash(meaning),
          slot: slot + index,
        })
      );
    }
    entries.sort((left, right) => left.slot - right.slot);
    let text = "";
    let last: string | undefined;
    for (const { pointer, keyword, hash } of entries) {
      if (pointer === last) text += `,${keyword}=${hash}`;
      else text += `${last === undefined ? "" : " "}${encodePointer(pointer)}#${keyword}=${hash}`;
      last = pointer;
    }
    return text;
  }
}

/** Returns the entries of a layout in order; undefined if the text isn't a layout. */
export function layoutEntries(text: string): LayoutEntry[] | undefined {
  const entries: LayoutEntry[] = [];
  let slot = 0;
  for (const group of text === "" ? [] : text.split(" ")) {
    const [pointerText = "", list] = group.split("#", 2);
    if (list === undefined) return undefined;
    const pointer = decodePointer(pointerText);
    for (const part of list.split(",")) {
      const equals = part.indexOf("=");
      if (equals < 0) return undefined;
      const keyword = part.slice(0, equals);
      entries.push({ pointer, keyword, hash: part.slice(equals + 1), slot });
      slot += countCounters(keyword);
    }
  }
  return entries;
}

export function countCounters(keyword: string): number {
  return keyword === "" || isClassKeyword(keyword) ? 1 : 2;
}

export function isClassKeyword(keyword: string): boolean {
  return keyword.startsWith(CLASS_PREFIX);
}

function encodePointer(pointer: string): string {
  return pointer.replace(/[% .,#]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}`)
    .replaceAll("/properties/", ".");
}

function decodePointer(pointer: string): string {
  return pointer.replaceAll(".", "/properties/")
    .replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

function findReferences(unit: CountedUnit): UnitReference[] {
  const root = unit.root.schemaPath();
  const references: UnitReference[] = [];
  const stack: SchemaNode[] = [unit.root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { target } = node;
    if (typeof target === "object") {
      references.push({ pointer: node.schemaPath().slice(root.length), target: target.plain });
    }
    for (const { definition, value } of usableKeywords(node)) {
      definition.subschemas?.(value, node, (child) => {
        if (typeof child === "object") stack.push(child);
      });
    }
  }
  return references;
}
