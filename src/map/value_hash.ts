const START = 0x811c9dc5;
const PRIME = 0x01000193;
/** Where objects, lists and texts begin, so that they differ from each other. */
const [OBJECT, LIST, TEXT, OTHER] = [0x6f, 0x6c, 0x74, 0x76] as const;

/** Six bits of a hash in each character. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const LENGTH = 5;

/**
 * Short hashes of JSON values: the same for values that are equal, whatever the order of their members. They tell slips
 * apart, and are no proof against intent. Each object is gone through once, however often it is asked for.
 *
 * @example
 * ```ts
 * import { ValueHashes } from "./value_hash.ts";
 * import assert from "node:assert/strict";
 *
 * const hashes = new ValueHashes();
 * assert.equal(hashes.of({ a: 1, b: [2] }), hashes.of({ b: [2], a: 1 }));
 * assert.notEqual(hashes.of({ a: 1 }), hashes.of({ a: "1" }));
 * ```
 */
export class ValueHashes {
  readonly #known = new WeakMap<object, number>();

  /** The hash of a value: five characters. */
  of(value: unknown): string {
    let rest = this.#hash(value) >>> 0;
    let text = "";
    for (let index = 0; index < LENGTH; index++) {
      text += LETTERS[rest & 63];
      rest >>>= 6;
    }
    return text;
  }

  #hash(value: unknown): number {
    if (typeof value === "string") return hashText(value, TEXT);
    if (typeof value !== "object" || value === null) return hashText(String(value), OTHER);
    let hash = this.#known.get(value);
    if (hash === undefined) this.#known.set(value, hash = this.#hashParts(value));
    return hash;
  }

  #hashParts(value: object): number {
    if (Array.isArray(value)) {
      let hash = mix(START, LIST);
      for (const item of value) hash = mix(hash, this.#hash(item));
      return finish(hash);
    }
    let sum = 0;
    for (const [name, member] of Object.entries(value)) {
      sum = (sum + finish(mix(hashText(name, OBJECT), this.#hash(member)))) | 0;
    }
    return finish(mix(mix(START, OBJECT), sum));
  }
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
