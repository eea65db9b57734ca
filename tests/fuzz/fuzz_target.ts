import type { Random } from "../corpus/random.ts";

/** Something that takes input from anywhere. */
export interface FuzzTarget {
  /** Its name in seeds and in the names of kept cases. */
  readonly name: string;
  /** How many new inputs the tests try; 5 by default. */
  readonly tested?: number;
  /** An input, as bytes: the same for the same random numbers. */
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

/** An input as JSON; undefined for a part that minimising has left. */
export function parseInput(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decode(bytes));
  } catch {
    return undefined;
  }
}

/** An input as text; what isn't UTF-8 is replaced. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
