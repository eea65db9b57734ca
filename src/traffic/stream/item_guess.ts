import { boundaryOf, lastBoundary, type Separator } from "./item_boundary.ts";
import { parseList } from "./parse_list.ts";

const COMMA = 0x2c;

/** After so many guesses that failed, a list is not guessed at any longer. */
const FAILED_GUESSES = 3;

/** Items that were parsed together, and the index of the next. */
export interface Guess {
  readonly values: readonly unknown[];
  readonly next: number;
}

/**
 * Reads the items of a list without looking for the ends of all of them: goes to the last place in a batch of bytes that
 * looks like the end of an item, and parses what is before it. That it parses is the proof: no part of an item, and
 * nothing that goes beyond the list, is JSON between two brackets.
 */
export class ItemGuess {
  #boundary: Uint8Array | undefined;
  #failures = 0;

  /** True if there is something to go by, and it has proved true. */
  get isOn(): boolean {
    return this.#boundary !== undefined && this.#failures < FAILED_GUESSES;
  }

  /** The bytes between two items; undefined while they are unknown. */
  get separator(): Separator | undefined {
    const bytes = this.#boundary;
    return bytes && { bytes, length: bytes.indexOf(COMMA) + 1 };
  }

  /** Begins with what is known of the list. */
  constructor(separator?: Separator) {
    this.#boundary = separator?.bytes;
  }

  /** Learns from two items that follow each other: the end of the first, the start of the second. */
  learn(bytes: Uint8Array, end: number, start: number): void {
    this.#boundary ??= boundaryOf(bytes, end, start);
  }

  /**
   * Reads items.
   *
   * @param from Where one begins.
   * @param lengths How many bytes to read; each is tried where no item is seen to end in fewer.
   * @returns Undefined if none is seen to end in as many.
   */
  read(bytes: Uint8Array, from: number, lengths: readonly number[]): Guess | undefined {
    const boundary = this.#boundary;
    if (boundary === undefined) return undefined;
    let end = -1;
    for (const length of lengths) {
      if (end === -1) {
        end = lastBoundary(bytes, from, Math.min(bytes.length, from + length), boundary);
      }
    }
    if (end === -1) return undefined;
    const values = parseList(bytes.subarray(from, end));
    if (values !== undefined) return { values, next: end + boundary.indexOf(COMMA) };
    this.#failures++;
    return undefined;
  }
}
