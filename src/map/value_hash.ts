import { type KeywordFacts, keywordTable } from "../values/keyword_table.ts";

const START = 0x811c9dc5;
const PRIME = 0x01000193;
/** Marks at the beginning of objects, lists and texts, so that they differ from each other. */
const [OBJECT, LIST, TEXT, OTHER] = [0x6f, 0x6c, 0x74, 0x76] as const;
/** Beside the keywords of the table, what changes which values a schema allows. */
const MODIFIERS: ReadonlySet<string> = new Set(["nullable", "readOnly", "writeOnly"]);

/** Six bits of a hash in each character. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const LENGTH = 5;
/** Keywords whose value is a list without an order. */
const SETS: ReadonlySet<string> = new Set(["enum", "required", "type"]);

/**
 * Short hashes of JSON values: the same for values that are equal, whatever the order of their members. They tell slips
 * apart, and aren't proof against intent. Each object is gone through once, however often it is asked for.
 *
 * Of schemas within the value of a keyword only what decides over values matters: descriptions, titles and extensions
 * make no difference.
 *
 * @example
 * ```ts
 * import { ValueHashes } from "./value_hash.ts";
 * import assert from "node:assert/strict";
 *
 * const hashes = new ValueHashes();
 * assert.equal(hashes.of({ a: 1, b: [2] }), hashes.of({ b: [2], a: 1 }));
 * assert.notEqual(hashes.of({ a: 1 }), hashes.of({ a: "1" }));
 * assert.equal(
 *   hashes.ofKeyword("items", { type: "string", description: "A tag." }),
 *   hashes.ofKeyword("items", { type: "string" }),
 * );
 * ```
 */
export class ValueHashes {
  readonly #values = new WeakMap<object, number>();
  readonly #schemas = new WeakMap<object, number>();

  /** The hash of a value: five characters. */
  of(value: unknown): string {
    return lettersOf(this.#hash(value));
  }

  /** The hash of the value of a keyword of JSON Schema: five characters. */
  ofKeyword(keyword: string, value: unknown): string {
    return lettersOf(this.#hashKeyword(keywordTable.get(keyword), value));
  }

  #hash(value: unknown): number {
    if (typeof value === "string") return hashText(value, TEXT);
    if (typeof value !== "object" || value === null) return hashText(String(value), OTHER);
    return remembered(
      this.#values,
      value,
      () =>
        Array.isArray(value)
          ? hashList(value.map((item) => this.#hash(item)))
          : hashMembers(Object.entries(value).map(([name, member]) => [name, this.#hash(member)])),
    );
  }

  #hashKeyword(facts: KeywordFacts | undefined, value: unknown): number {
    if (typeof value !== "object" || value === null) return this.#hash(value);
    if (facts !== undefined && SETS.has(facts.name) && Array.isArray(value)) {
      return hashList(value.map((item) => this.#hash(item)).sort((one, other) => one - other));
    }
    if (facts?.kind !== "applicator") return this.#hash(value);
    if (Array.isArray(value)) {
      return hashList(value.map((schema) => this.#hashSchema(schema)));
    }
    return facts.holds?.includes("schemas_by_name") === true
      ? hashMembers(
        Object.entries(value).map(([name, schema]) => [name, this.#hashSchema(schema)]),
      )
      : this.#hashSchema(value);
  }

  #hashSchema(schema: unknown): number {
    if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
      return this.#hash(schema);
    }
    return remembered(this.#schemas, schema, () => {
      const members: [string, number][] = [];
      for (const [name, value] of Object.entries(schema)) {
        const facts = keywordTable.get(name);
        const isMeant = facts === undefined ? MODIFIERS.has(name) : facts.kind !== "example";
        if (isMeant) members.push([name, this.#hashKeyword(facts, value)]);
      }
      return hashMembers(members);
    });
  }
}

function lettersOf(hash: number): string {
  let rest = hash >>> 0;
  let text = "";
  for (let index = 0; index < LENGTH; index++) {
    text += LETTERS[rest & 63];
    rest >>>= 6;
  }
  return text;
}

function remembered(
  known: WeakMap<object, number>,
  value: object,
  make: () => number,
): number {
  let hash = known.get(value);
  if (hash === undefined) known.set(value, hash = make());
  return hash;
}

function hashList(items: readonly number[]): number {
  return finish(items.reduce(mix, mix(START, LIST)));
}

function hashMembers(members: readonly (readonly [name: string, hash: number])[]): number {
  let sum = 0;
  for (const [name, hash] of members) sum = (sum + finish(mix(hashText(name, OBJECT), hash))) | 0;
  return finish(mix(mix(START, OBJECT), sum));
}

function hashText(text: string, kind: number): number {
  let hash = mix(START, kind);
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
  }
  return finish(hash);
}

function mix(hash: number, value: number): number {
  return Math.imul((hash << 5 | hash >>> 27) ^ value, PRIME);
}

/** Spreads every bit over all others, since sums and the last letters use only some of them. */
function finish(hash: number): number {
  let spread = Math.imul(hash ^ hash >>> 16, 0x85ebca6b);
  spread = Math.imul(spread ^ spread >>> 13, 0xc2b2ae35);
  return spread ^ spread >>> 16;
}
