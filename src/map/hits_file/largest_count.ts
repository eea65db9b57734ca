import type { Hits } from "../hits.ts";
import type { HitsFile, ParameterFile } from "./hits_format.ts";

/** The largest number that a file adds to any other. */
export function largestInFile({ recorded, operations }: HitsFile): number {
  let largest = recorded;
  for (const { parameters = [], responses = [], response_parts = [] } of operations) {
    for (const [, , , , elapsed = 0] of responses) if (elapsed > largest) largest = elapsed;
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

/** The largest number that hits have of anything. */
export function largestInHits({ recorded, store: { counts } }: Hits): number {
  let largest = recorded;
  // Times that are unknown are infinite.
  for (const count of counts) if (count > largest && count !== Infinity) largest = count;
  return largest;
}
