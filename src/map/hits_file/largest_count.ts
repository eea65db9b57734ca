import type { Hits } from "../hits.ts";
import type { HitsFile, ParameterFile } from "./hits_format.ts";

/** The largest number that a file adds to any other, but for durations: their sums may end at a largest number. */
export function largestInFile({ recorded, operations }: HitsFile): number {
  let largest = recorded;
  for (const { parameters = [], response_parts = [] } of operations) {
    largest = largestOf(parameters, largest);
    for (const [, parts] of response_parts) largest = largestOf(parts, largest);
  }
  return largest;
}

function largestOf(parameters: readonly ParameterFile[], known: number): number {
  let largest = known;
  for (const [, , schemas = []] of parameters) {
    for (const [, counts] of schemas) {
      for (const count of counts) if (count > largest) largest = count;
    }
  }
  return largest;
}

/** The largest number that hits have of anything but durations; or any larger one, if that is at most `enough`. */
export function largestInHits(hits: Hits, enough: number): number {
  const { recorded, operations, store: { counts } } = hits;
  let largest = recorded;
  // Times that are unknown are infinite.
  for (let index = 0; index < counts.length; index++) {
    const count = counts[index] as number; // within its bounds
    if (count > largest && count !== Infinity) largest = count;
  }
  if (largest <= enough) return largest;
  const durations = new Set(
    operations.flatMap((operation) =>
      operation?.responses.flatMap((response) => response?.durationsAt ?? []) ?? []
    ),
  );
  largest = recorded;
  counts.forEach((count: number, index: number) => {
    if (count > largest && count !== Infinity && !durations.has(index)) largest = count;
  });
  return largest;
}
