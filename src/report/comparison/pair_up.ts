/**
 * Pairs things of two lists that have the same key, in their order; each is in at most one pair.
 *
 * @param keyOf The key of a thing of the first list.
 * @param otherKeyOf That of a thing of the second (default: the same).
 * @returns pairs of things: of the first list, and of the second.
 *
 * @example
 * ```ts
 * import { pairUp } from "./pair_up.ts";
 * import assert from "node:assert/strict";
 *
 * const pairs = pairUp(["a1", "b1", "b2"], ["b3", "c1"], (text) => text.slice(0, 1));
 * assert.deepEqual([...pairs], [["b1", "b3"]]);
 * ```
 */
export function pairUp<T>(
  first: readonly T[],
  second: readonly T[],
  keyOf: (item: T) => string,
  otherKeyOf: (item: T) => string = keyOf,
): Map<T, T> {
  const waiting = new Map<string, T[]>();
  for (const item of second.toReversed()) {
    const key = otherKeyOf(item);
    const items = waiting.get(key);
    if (items === undefined) waiting.set(key, [item]);
    else items.push(item);
  }
  const pairs = new Map<T, T>();
  for (const item of first) {
    const other = waiting.get(keyOf(item))?.pop();
    if (other !== undefined) pairs.set(item, other);
  }
  return pairs;
}

/** Pairs things by one key after the other, the most exact first. */
export function pairUpInTurn<T>(
  first: readonly T[],
  second: readonly T[],
  keys: readonly (readonly [keyOf: (item: T) => string, otherKeyOf: (item: T) => string])[],
): ReadonlyMap<T, T> {
  const pairs = new Map<T, T>();
  let [open, rest] = [first, second];
  for (const [keyOf, otherKeyOf] of keys) {
    if (open.length === 0 || rest.length === 0) break;
    const found = pairUp(open, rest, keyOf, otherKeyOf);
    for (const [one, other] of found) pairs.set(one, other);
    const taken = new Set(found.values());
    open = open.filter((item) => !found.has(item));
    rest = rest.filter((item) => !taken.has(item));
  }
  return pairs;
}
