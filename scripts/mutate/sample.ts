import { hashOf, type Mutant } from "./mutant.ts";

/**
 * Draws mutants. Each has a rank that follows from the seed and its id, and the first ranks are taken: so a change of
 * one file doesn't change what is drawn from the others, and a larger sample has the smaller one in it.
 */
export function sampleOf(mutants: readonly Mutant[], seed: number, size: number): Mutant[] {
  return mutants.map((mutant) => ({ mutant, rank: hashOf(`${seed}`, mutant.id) }))
    .sort((left, right) => left.rank < right.rank ? -1 : 1)
    .slice(0, size)
    .map(({ mutant }) => mutant);
}
