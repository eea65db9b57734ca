/** Numbers that look random and are the same in every run. */
export interface Random {
  /** An integer from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  /** True in one of `limit` cases. */
  oneIn(limit: number): boolean;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
}

/** Numbers from 0 to 1 that look like chance, the same in every run (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A generator that starts from a text (by an FNV-1a hash). */
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
    pick: (list) => list[below(list.length)] as (typeof list)[number], // below the length
  };
}
