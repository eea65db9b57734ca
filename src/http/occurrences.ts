import { ARRAY, BOOLEAN, INTEGER, NULL, NUMBER, STRING } from "../values/json_type.ts";
import { type Decoded, decodedArray } from "./decoded.ts";
import type { Named, PairReader } from "./pair_reader.ts";
import type { Shape } from "./shape.ts";

/** The types that text can be read as beside `null`, which by itself makes no other text a scalar. */
export const SCALARS: number = BOOLEAN | INTEGER | NUMBER | STRING;

/**
 * Decodes the occurrences of one name, each of which is an item or the scalar (semantics, section 3).
 * Where the types allow arrays only, the value is always an array (but for the text `null` of a nullable
 * one); where they allow scalars too, several occurrences make an array; else the first one is the value.
 *
 * @param pairs At least one.
 * @param readItem Reads one item of an array; `undefined` leaves it out.
 */
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
    if ((types & NULL) !== 0) {
      const single = reader.read(first, shape);
      if (single.value === null) return single;
    }
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
