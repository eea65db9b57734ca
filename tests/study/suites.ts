import { type Random, randomFrom } from "../corpus/random.ts";

/** A random subset of a pool. */
export interface Suite {
  /** The drawn size; `any` for suites of all sizes. */
  readonly drawn: number | "any";
  /** Number of its requests. */
  readonly size: number;
  readonly units: readonly number[];
}

export const SIZES = [10, 25, 50, 100, 200];
const [SMALLEST, LARGEST] = [5, 500];

/** Draws suites from a pool, given the operation and the number of requests of each unit. */
export function drawSuites(
  units: readonly { readonly operation: string; readonly size: number }[],
  { seed, anySize, each }: {
    readonly seed: string;
    readonly anySize: number;
    readonly each: number;
  },
): Suite[] {
  const random = randomFrom(`${seed} suites`);
  const total = units.reduce((sum, { size }) => sum + size, 0);
  const most = Math.min(LARGEST, Math.floor(total / 2));
  const suites: Suite[] = [];
  const add = (drawn: Suite["drawn"], size: number) => {
    suites.push(drawSuite(units, drawn, size, suites.length % 2 === 1, random));
  };
  for (let index = 0; index < anySize; index++) {
    add("any", Math.round(SMALLEST * (most / SMALLEST) ** uniform(random)));
  }
  for (const size of SIZES.filter((size) => size <= most)) {
    for (let index = 0; index < each; index++) add(size, size);
  }
  return suites;
}

function drawSuite(
  units: readonly { readonly operation: string; readonly size: number }[],
  drawn: Suite["drawn"],
  size: number,
  uneven: boolean,
  random: Random,
): Suite {
  const weights = new Map<string, number>();
  const keys = units.map(({ operation }, unit) => {
    const weight = weights.get(operation) ?? (uneven ? Math.exp(1.5 * normal(random)) : 1);
    weights.set(operation, weight);
    // The largest keys are a weighted draw without replacement (Efraimidis and Spirakis).
    return { unit, key: Math.log(uniform(random)) / weight };
  }).sort((one, other) => other.key - one.key);
  const chosen: number[] = [];
  let left = size;
  for (const { unit } of keys) {
    const own = units[unit]!.size;
    if (own <= left) {
      chosen.push(unit);
      left -= own;
    }
    if (left === 0) break;
  }
  return { drawn, size: size - left, units: chosen.sort((one, other) => one - other) };
}

/** Above 0 and below 1. */
export function uniform(random: Random): number {
  return (random.below(2 ** 30) + 0.5) / 2 ** 30;
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(uniform(random))) * Math.cos(2 * Math.PI * uniform(random));
}
