import type { Decoded } from "./decoded.ts";
import type { Escaping } from "./escaping.ts";
import type { TextPair } from "./query_string.ts";
import type { Shape } from "./shape.ts";
import { decodeText } from "./text_value.ts";

/** Something that carries a value under a name: a pair of a query, a cookie, a part of a multipart body. */
export interface Named {
  /** The name, decoded. */
  readonly name: string;
}

/** The way to read the value of one pair. */
export interface PairReader<P extends Named> {
  /** The escaping of a pair's text. */
  readonly escaping: Escaping;
  /** The text of a pair as it was sent, for splitting. */
  text(pair: P): string;
  /** The value of one pair by itself. */
  read(pair: P, shape: Shape): Decoded;
  /** The whole array or object where one pair holds all of it (as JSON), for a shape that allows arrays. */
  readWhole?(pair: P, shape: Shape): Decoded | undefined;
  /** True if {@linkcode read} can find an object in one pair (as JSON). */
  readonly readsObjects: boolean;
}

/** Reads pairs of text as text values (semantics, section 3). */
export function textPairReader(escaping: Escaping): PairReader<TextPair> {
  return {
    escaping,
    text: (pair) => pair.value,
    read: (pair, shape) => decodeText(escaping.unescape(pair.value), shape.types),
    readsObjects: false,
  };
}

/** The pairs of a name, in their order. */
export function pairsNamed<P extends Named>(pairs: readonly P[], name: string): readonly P[] {
  return pairs.filter((pair) => pair.name === name);
}
