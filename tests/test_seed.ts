import process from "node:process";

/**
 * The seed of all random input in tests: `deno task test --seed 7` or TEST_SEED=7; 1 by default.
 */
export const TEST_SEED: number = readSeed(process.env["TEST_SEED"]);

/** The integer in a text; 1 if there is none. */
export function readSeed(text: string | undefined): number {
  if (text === undefined || text === "") return 1;
  const seed = Number(text);
  if (!Number.isInteger(seed) || Math.abs(seed) > 0x7fffffff) {
    throw new TypeError(`TEST_SEED: "${text}" is not an integer of 32 bits`);
  }
  return seed;
}
