import { type Decoded, decodedArray, decodeText } from "./decoded.ts";
import type { Escaping } from "./percent.ts";
import type { TextPair } from "./query_string.ts";
import type { Shape } from "./shape.ts";
import { ARRAY, BOOLEAN, INTEGER, NUMBER, STRING } from "../values/json_type.ts";

export const SCALARS: number = BOOLEAN | INTEGER | NUMBER | STRING;

/** Decodes the occurrences of one name, each an item or the scalar (semantics, section 3). */
export function decodeOccurrences<P extends Named>(
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
  // An example can spell the only item as the whole text.
  return decodedArray(items, pairs.length === 1 ? items[0]?.raw.text : undefined);
}

/** Proves to the type checker that a list has a first item. */
export function isNotEmpty<P>(list: readonly P[]): list is readonly [P, ...P[]] {
  return list.length > 0;
}

/** Something that carries a value under a name: a pair of a query, a cookie, a part of a multipart body. */
export interface Named {
  readonly name: string;
}

export interface PairReader<P extends Named> {
  readonly escaping: Escaping;
  /** The text of a pair as it was sent, for splitting. */
  text(pair: P): string;
  read(pair: P, shape: Shape): Decoded;
  /** The whole array or object where one pair holds all of it (as JSON), for a shape that allows arrays. */
  readWhole?(pair: P, shape: Shape): Decoded | undefined;
  /** True if {@linkcode read} can find an object in one pair (as JSON). */
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

export function pairsNamed<P extends Named>(pairs: readonly P[], name: string): readonly P[] {
  return pairs.filter((pair) => pair.name === name);
}
