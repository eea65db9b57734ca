import { getOrAdd } from "../values/collections.ts";
import { type KeywordFacts, keywordTable } from "../values/keyword_table.ts";

const PRIME = 0x01000193;
const OTHER_PRIME = 0x85ebca6b;

/** Returns a checksum (FNV-1a over words of 32 bits). It detects accidental changes, not tampering. */
export function checksum(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = bytes.length - bytes.length % 4;
  let high = 0x811c9dc5;
  let low = 0x84222325;
  for (let at = 0; at < words; at += 4) {
    const word = view.getInt32(at, true);
    high = Math.imul((high << 5 | high >>> 27) ^ word, PRIME);
    low = Math.imul((low << 13 | low >>> 19) ^ word, OTHER_PRIME);
  }
  for (let at = words; at < bytes.length; at++) {
    high = Math.imul(high ^ (bytes[at] as number), PRIME); // the index is within the array
    low = Math.imul(low ^ (bytes[at] as number), OTHER_PRIME);
  }
  return `${(high >>> 0).toString(36)}-${(low >>> 0).toString(36)}-${bytes.length.toString(36)}`;
}

const OFFSET_BASIS = 0x811c9dc5;
/** Seeds that distinguish objects, lists, texts and other values. */
const [OBJECT, LIST, TEXT, OTHER] = [0x6f, 0x6c, 0x74, 0x76] as const;
/** Fields, other than keywords in the table, that change which values a schema allows. */
const MODIFIERS: ReadonlySet<string> = new Set(["nullable", "readOnly", "writeOnly"]);

/** Each character of a hash encodes six bits. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const LENGTH = 5;
/** Keywords whose value is an unordered list. */
const SETS: ReadonlySet<string> = new Set(["allOf", "enum", "required", "type"]);

/** Short hashes of JSON values, independent of the order of members and of annotations in schemas. */
export class ValueHashes {
  readonly #values = new WeakMap<object, number>();
  readonly #schemas = new WeakMap<object, number>();

  /** Returns the hash of a value, or of a keyword's value: five characters. */
  letters(value: unknown, keyword?: string): string {
    return encodeHash(this.number(value, keyword), LENGTH, LETTERS);
  }

  /** Returns the hash of a value, or of a keyword's value, as a number of 32 bits. */
  number(value: unknown, keyword?: string): number {
    return keyword === undefined
      ? this.#hash(value)
      : this.#hashKeyword(keywordTable.get(keyword), value);
  }

  #hash(value: unknown): number {
    if (typeof value === "string") return hashText(value, TEXT);
    if (typeof value !== "object" || value === null) return hashText(String(value), OTHER);
    return getOrAdd(
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
    if (Array.isArray(value)) {
      const hashes = facts?.kind === "applicator"
        ? value.map((schema) => this.#hashSchema(schema))
        : value.map((item) => this.#hash(item));
      return hashList(
        SETS.has(facts?.name ?? "") ? hashes.sort((one, other) => one - other) : hashes,
      );
    }
    if (facts?.kind !== "applicator") return this.#hash(value);
    return facts.holds?.includes("schemas_by_name") === true
      ? hashMembers(Object.entries(value).map(([name, schema]) => [name, this.#hashSchema(schema)]))
      : this.#hashSchema(value);
  }

  #hashSchema(schema: unknown): number {
    if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
      return this.#hash(schema);
    }
    return getOrAdd(this.#schemas, schema, () => {
      const members: [string, number][] = [];
      for (const [name, value] of Object.entries(schema)) {
        const facts = keywordTable.get(name);
        const isRelevant = facts === undefined ? MODIFIERS.has(name) : facts.kind !== "example";
        if (isRelevant) members.push([name, this.#hashKeyword(facts, value)]);
      }
      return hashMembers(members);
    });
  }
}

/** Returns the lowest digits of a 32-bit number, lowest first. */
export function encodeHash(hash: number, length: number, digits: string): string {
  let remaining = hash >>> 0;
  let text = "";
  for (let index = 0; index < length; index++) {
    text += digits[remaining % digits.length];
    remaining = Math.floor(remaining / digits.length);
  }
  return text;
}

function hashList(items: readonly number[]): number {
  return finalize(items.reduce(mixHash, mixHash(OFFSET_BASIS, LIST)));
}

function hashMembers(members: readonly (readonly [name: string, hash: number])[]): number {
  let sum = 0;
  for (const [name, hash] of members) {
    sum = (sum + finalize(mixHash(hashText(name, OBJECT), hash))) | 0;
  }
  return finalize(mixHash(mixHash(OFFSET_BASIS, OBJECT), sum));
}

/** False if the keyword's value consists of schemas, whose own keywords are compared instead. */
export function isComparedValue(keyword: string, value: unknown): boolean {
  return typeof value === "boolean" || keywordTable.get(keyword)?.kind === "assertion";
}

/** Returns a 32-bit hash of a text, which starts with `kind` or another hash. */
export function hashText(text: string, kind: number): number {
  let hash = mixHash(OFFSET_BASIS, kind);
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
  }
  return finalize(hash);
}

export function mixHash(hash: number, value: number): number {
  return Math.imul((hash << 5 | hash >>> 27) ^ value, PRIME);
}

/** Spreads each bit over all others, as sums and the last letters use only some bits. */
function finalize(hash: number): number {
  let spread = Math.imul(hash ^ hash >>> 16, 0x85ebca6b);
  spread = Math.imul(spread ^ spread >>> 13, 0xc2b2ae35);
  return spread ^ spread >>> 16;
}
