/**
 * Adds counts, up to the largest whole number that is exact: so that merging gives the same in any order, however much
 * there is.
 */
export function addCounts(one: number, other: number): number {
  return Math.min(one + other, Number.MAX_SAFE_INTEGER);
}
