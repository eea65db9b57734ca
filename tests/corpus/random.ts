/** Reproducible pseudo-random numbers. */
export interface Random {
  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number;
  /** True in one of `limit` cases. */
  oneIn(limit: number): boolean;
  /** An element of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
}

/** Reproducible pseudo-random numbers from 0 to 1 (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A generator whose seed is a text (FNV-1a hash). */
export function randomFrom(seed: string): Random {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index++) {
    state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  }
  const next = chance(state);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    oneIn: (limit) => below(limit) === 0,
    pick: (list) => list[below(list.length)] as (typeof list)[number], // the index is below the length
  };
}
