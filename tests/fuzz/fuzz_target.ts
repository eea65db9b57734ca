import type { Random } from "../corpus/random.ts";

/** Code that reads input from anywhere. */
export interface FuzzTarget {
  /** The name in seeds and kept cases. */
  readonly name: string;
  /** Number of new inputs in tests; 5 by default. */
  readonly tested?: number;
  /** An input as bytes, reproducible from the random numbers. */
  make(random: Random): Uint8Array;
  /** Gives the input to covtool. */
  check(input: Uint8Array): void | Promise<void>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Text as an input. */
export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

/** An input as JSON; undefined for parts left by minimizing. */
export function parseInput(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decode(bytes));
  } catch {
    return undefined;
  }
}

/** An input as text; bytes that aren't UTF-8 are replaced. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
