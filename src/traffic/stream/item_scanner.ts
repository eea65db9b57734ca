import { parseList, parseValue } from "./parse_list.ts";
import { ValueScanner } from "./value_scanner.ts";

const COMMA = 0x2c;
const COLON = 0x3a;

/** The state of scanning after a piece of bytes. */
export type ScanState = "items" | "done" | "broken";

/** Goes through the items of a list, or values that follow each other, by where each of them ends. */
export class ItemScanner {
  readonly #scanner = new ValueScanner();
  readonly #closer: number;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #needsComma = false;

  /** The index at which the item begins in which scanning stands; -1 between items. */
  start = -1;

  /** @param closer The byte that ends the list; -1 for values without commas between them. */
  constructor(closer: number) {
    this.#closer = closer;
  }

  /** True if the next thing is an item or the end of the list. */
  get isBeforeItem(): boolean {
    return this.start === -1 && !this.#needsComma;
  }

  /** The end of the first scanned item and the start of the second, where there are two. */
  get firstBoundary(): readonly [end: number, start: number] | undefined {
    const [end] = this.#ends;
    const [, start] = this.#starts;
    return end === undefined || start === undefined ? undefined : [end, start];
  }

  /**
   * Scans on.
   *
   * @param isOne Whether to stop before the item that follows the next one.
   * @returns What comes next, and the index from which.
   */
  scan(
    bytes: Uint8Array,
    from: number,
    to: number,
    isOne: boolean,
  ): { readonly state: ScanState; readonly position: number } {
    let position = from;
    while (position < to) {
      if (this.start === -1) {
        const byte = bytes[position] ?? 0;
        if (isSpace(byte)) {
          position++;
          continue;
        }
        if (byte === this.#closer) return { state: "done", position: position + 1 };
        if (this.#needsComma) {
          if (byte !== COMMA) return { state: "broken", position };
          this.#needsComma = false;
          position++;
          if (isOne) break;
          continue;
        }
        if (byte === COMMA || byte === COLON) return { state: "broken", position };
        this.start = position;
      }
      const end = this.#scanner.scan(bytes, position);
      if (end === -1) return { state: "items", position: bytes.length };
      this.#starts.push(this.start);
      this.#ends.push(end);
      this.start = -1;
      this.#needsComma = this.#closer !== -1;
      position = end;
    }
    return { state: "items", position };
  }

  /** Parses the items that were scanned since it was asked last; undefined stands for those that are no JSON. */
  take(bytes: Uint8Array): readonly unknown[] {
    const starts = this.#starts.splice(0);
    const ends = this.#ends.splice(0);
    // Calls cost more than bytes where items are small.
    const together = this.#closer === -1 || starts.length < 2
      ? undefined
      : parseList(bytes.subarray(starts[0], ends.at(-1)));
    if (together?.length === starts.length) return together;
    return starts.map((start, index) => parseValue(bytes.subarray(start, ends[index])));
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
