import process from "node:process";

/**
 * The seed of everything in the tests that is made at random: `deno task test --seed 7` or TEST_SEED=7, else 1.
 */
export const TEST_SEED: number = readSeed(process.env["TEST_SEED"]);

/** The integer of a text; 1 where there is none. */
export function readSeed(text: string | undefined): number {
  if (text === undefined || text === "") return 1;
  const seed = Number(text);
  if (!Number.isInteger(seed) || Math.abs(seed) > 0x7fffffff) {
    throw new TypeError(`TEST_SEED: "${text}" is not an integer of 32 bits`);
  }
  return seed;
}
