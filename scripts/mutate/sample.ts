import { type Mutant, shortHash } from "./mutant.ts";

/** Draws a sample that depends only on the seed and the mutants' ids. */
export function drawMutants<T extends Pick<Mutant, "id">>(
  mutants: readonly T[],
  seed: number,
  size: number,
): T[] {
  return mutants.map((mutant) => ({ mutant, rank: shortHash(`${seed}`, mutant.id) }))
    .sort((left, right) => left.rank < right.rank ? -1 : 1)
    .slice(0, size)
    .map(({ mutant }) => mutant);
}
