import { NULL, OBJECT } from "../values/json_type.ts";
import { type Decoded, decodedObject } from "./decoded.ts";
import type { Names } from "./encoding.ts";
import { decodeOccurrences, isNotEmpty } from "./occurrences.ts";
import { type Named, type PairReader, pairsNamed } from "./pair_reader.ts";
import type { Shape } from "./shape.ts";

/** The name and the shape of an exploded value. */
export interface ExplodedTarget {
  /** The name of the parameter or field. */
  readonly name: string;
  /** The shape of its value. */
  readonly shape: Shape;
  /** Names that other parameters or fields answer to: an open object does not take them. */
  readonly claimed: Names;
}

function isClaimed(name: string, claimed: Names): boolean {
  if (claimed.has(name)) return true;
  const bracket = name.indexOf("[");
  return bracket > 0 && claimed.has(name.slice(0, bracket));
}

/** True if a pair of this name is a property of the object: a declared one, or an unclaimed one of an open object. */
export function isMember(name: string, { shape, claimed }: ExplodedTarget): boolean {
  return shape.propertyNames.has(name) || (shape.open && !isClaimed(name, claimed));
}

function decodeMembers<P extends Named>(
  pairs: readonly P[],
  target: ExplodedTarget,
  reader: PairReader<P>,
): Decoded | undefined {
  const { shape } = target;
  const members = new Map<string, [P, ...P[]]>();
  for (const pair of pairs) {
    const found = members.get(pair.name);
    if (found !== undefined) found.push(pair);
    else if (isMember(pair.name, target)) members.set(pair.name, [pair]);
  }
  if (members.size === 0) return undefined;
  const decoded = [...members].map(([name, found]): [string, Decoded] => [
    name,
    decodeOccurrences(found, shape.property(name), reader),
  ]);
  return decodedObject(decoded, undefined);
}

/**
 * Decodes a value that is spread over several pairs (`explode: true`): an array repeats its name, an
 * object's properties are pairs of their own.
 *
 * @returns `undefined` where no pair belongs to the value.
 */
export function decodeExploded<P extends Named>(
  pairs: readonly P[],
  target: ExplodedTarget,
  reader: PairReader<P>,
): Decoded | undefined {
  const { name, shape } = target;
  const { types } = shape;
  const own = pairsNamed(pairs, name);
  if (isNotEmpty(own)) {
    if ((types & OBJECT) === 0 || (types & ~(OBJECT | NULL)) !== 0) {
      return decodeOccurrences(own, shape, reader);
    }
    if ((types & NULL) !== 0 && own.length === 1) {
      const single = reader.read(own[0], shape);
      if (single.value === null) return single;
    }
  }
  return (types & OBJECT) === 0 ? undefined : decodeMembers(pairs, target, reader);
}
