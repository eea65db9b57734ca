import { firstCut, type Separator } from "./item_boundary.ts";

/** The bytes to search for a place to cut; longer items make longer parts. */
const WINDOW = 1 << 20;
/** The bytes to search at first. */
const FIRST_WINDOW = 1 << 16;

/** Gives the bytes from a place on, as many as there are up to that length. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/**
 * Finds where a list can be cut into parts, without looking at more than a few bytes near each place. A cut may lie within
 * an item that has a list like the one around it; only reading both parts tells.
 *
 * @param from Where the first part begins.
 * @param size How many bytes the recording has.
 * @param length About how long a part should be.
 * @returns The offsets at which parts begin, and where the last one ends.
 *
 * @example
 * ```ts
 * import { findCuts } from "./find_cuts.ts";
 * import assert from "node:assert/strict";
 *
 * const bytes = new TextEncoder().encode("1\n2\n3333333333\n4\n5");
 * const readAt = (offset: number, length: number) =>
 *   Promise.resolve(bytes.subarray(offset, offset + length));
 * const separator = { bytes: Uint8Array.of(10), length: 1 };
 * assert.deepEqual(await findCuts(readAt, 0, bytes.length, 4, separator), [0, 15, 17]);
 * ```
 */
export async function findCuts(
  readAt: ReadAt,
  from: number,
  size: number,
  length: number,
  separator: Separator,
): Promise<readonly number[]> {
  // What is after the last cut is read alone, so the last cut should lie near the end.
  const targets = [size - FIRST_WINDOW];
  for (let target = from + length; target < size; target += length) targets.push(target);
  const cuts = [from];
  for (const target of targets.sort((left, right) => left - right)) {
    const last = cuts.at(-1) ?? from;
    const cut = target > last ? await cutNear(readAt, target, separator) : undefined;
    if (cut !== undefined) cuts.push(cut);
  }
  return cuts;
}

async function cutNear(
  readAt: ReadAt,
  target: number,
  separator: Separator,
): Promise<number | undefined> {
  for (const window of [FIRST_WINDOW, WINDOW]) {
    const bytes = await readAt(target, window);
    const cut = firstCut(bytes, separator);
    if (cut !== -1) return target + cut;
    if (bytes.length < window) return undefined;
  }
  return undefined;
}
