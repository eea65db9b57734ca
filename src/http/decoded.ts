import type { Escaping } from "./percent.ts";
import type { TextPair } from "./request_text.ts";
import type { Shape } from "./shape.ts";
import { ANY_NUMBER, ARRAY, BOOLEAN, INTEGER, NUMBER, STRING } from "../values/json_type.ts";
import { setOwn } from "../values/collections.ts";
import type { Json, RawText } from "../values/json.ts";

export interface Decoded {
  readonly value: Json;
  /** The text, with which examples are compared too. */
  readonly raw: RawText;
}

export function decodedFrom(text: string, value: Json): Decoded {
  return { value, raw: { text, parts: undefined } };
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads text as a value of the given types (semantics, section 3, "Text values"); never as null. */
export function readText(text: string, types: number): Json {
  if ((types & ANY_NUMBER) !== 0 && JSON_NUMBER.test(text)) return Number(text);
  if ((types & BOOLEAN) !== 0) {
    if (text === "true") return true;
    if (text === "false") return false;
  }
  return text;
}

export function decodeText(text: string, types: number): Decoded {
  return decodedFrom(text, readText(text, types));
}

export type Member = readonly [name: string, decoded: Decoded];

/** The texts of an object's properties, built on demand because few values are compared with examples. */
class ObjectText implements RawText {
  readonly text: string | undefined;
  readonly #members: readonly Member[];
  #parts: Readonly<Record<string, RawText>> | undefined;

  constructor(text: string | undefined, members: readonly Member[]) {
    this.text = text;
    this.#members = members;
  }

  get parts(): Readonly<Record<string, RawText>> {
    return this.#parts ??= this.#build();
  }

  #build(): Readonly<Record<string, RawText>> {
    const parts: Record<string, RawText> = {};
    for (const [name, decoded] of this.#members) {
      if (!Object.hasOwn(parts, name)) setOwn(parts, name, decoded.raw);
    }
    return parts;
  }
}

class ArrayText implements RawText {
  readonly text: string | undefined;
  readonly #items: readonly Decoded[];
  #parts: readonly RawText[] | undefined;

  constructor(text: string | undefined, items: readonly Decoded[]) {
    this.text = text;
    this.#items = items;
  }

  get parts(): readonly RawText[] {
    return this.#parts ??= this.#items.map((item) => item.raw);
  }
}

/** Builds an object with the texts of its properties; if a name occurs twice, the first value counts. */
export function decodedObject(members: readonly Member[], text: string | undefined): Decoded {
  const value: Record<string, Json> = {};
  for (const [name, decoded] of members) {
    if (!Object.hasOwn(value, name)) setOwn(value, name, decoded.value);
  }
  return { value, raw: new ObjectText(text, members) };
}

export function decodedArray(items: readonly Decoded[], text: string | undefined): Decoded {
  return { value: items.map((item) => item.value), raw: new ArrayText(text, items) };
}

export const SCALARS: number = BOOLEAN | INTEGER | NUMBER | STRING;

/** Decodes the occurrences of one name, as the items of an array or as a scalar (semantics, section 3). */
export function decodeOccurrences<P extends Pair>(
  pairs: readonly [P, ...P[]],
  shape: Shape,
  reader: PairReader<P>,
  readItem: (pair: P, shape: Shape) => Decoded | undefined = reader.read,
): Decoded {
  const { types } = shape;
  const [first] = pairs;
  if ((types & ARRAY) === 0) return reader.read(first, shape);
  if (pairs.length === 1) {
    const whole = reader.readWhole?.(first, shape);
    if (whole !== undefined) return whole;
    if ((types & SCALARS) !== 0) return reader.read(first, shape);
  }
  const items: Decoded[] = [];
  for (const pair of pairs) {
    const item = readItem(pair, shape.item(items.length));
    if (item !== undefined) items.push(item);
  }
  // An example can give the only item as the whole text.
  return decodedArray(items, pairs.length === 1 ? items[0]?.raw.text : undefined);
}

export function isNotEmpty<P>(list: readonly P[]): list is readonly [P, ...P[]] {
  return list.length > 0;
}

/** A value with a name: a pair of a query, a cookie, or a part of a multipart body. */
export interface Pair {
  readonly name: string;
}

export interface PairReader<P extends Pair> {
  readonly escaping: Escaping;
  /** Returns the text of a pair as it was sent, for splitting. */
  text(pair: P): string;
  read(pair: P, shape: Shape): Decoded;
  /** Reads an array or object that one pair holds as a whole (as JSON), for a shape that allows arrays. */
  readWhole?(pair: P, shape: Shape): Decoded | undefined;
  /** True if {@linkcode read} can yield an object (from JSON in one pair). */
  readonly readsObjects: boolean;
}

export function textPairReader(escaping: Escaping): PairReader<TextPair> {
  return {
    escaping,
    text: (pair) => pair.value,
    read: (pair, shape) => decodeText(escaping.unescape(pair.value), shape.types),
    readsObjects: false,
  };
}

export function pairsNamed<P extends Pair>(pairs: readonly P[], name: string): readonly P[] {
  return pairs.filter((pair) => pair.name === name);
}
