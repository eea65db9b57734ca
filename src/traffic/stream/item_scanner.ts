import { checkComplexity } from "../../values/input_limits.ts";
import { tryParseJson } from "../../values/parse_json.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Longer strings are searched with a call of `indexOf()`, which is faster than a loop only for these. */
const SHORT_STRING = 64;

/** Finds the end of a JSON value by strings and brackets only. The value may arrive in several pieces. */
export class ValueScanner {
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #isScalar = false;

  /** Returns the index after the value, and is then ready for the next one; -1 if more bytes are needed. */
  scan(bytes: Uint8Array, start: number): number {
    const end = bytes.length;
    let depth = this.#depth;
    let position = start;
    if (this.#isEscaped && position < end) {
      this.#isEscaped = false;
      position++;
    }
    if (this.#isScalar) return this.#scanScalar(bytes, position);
    let inString = this.#inString;
    while (position < end) {
      if (inString) {
        const behind = this.#scanString(bytes, position);
        if (behind === -1) break;
        inString = false;
        position = behind;
        if (depth === 0) return this.#finish(position);
      }
      while (position < end) {
        const byte = bytes[position++];
        if (byte === QUOTE) {
          inString = true;
          break;
        }
        if (byte === 0x7b || byte === 0x5b) depth++;
        else if (byte === 0x7d || byte === 0x5d) {
          if (--depth <= 0) return this.#finish(position);
        } else if (depth === 0) {
          this.#isScalar = true;
          return this.#scanScalar(bytes, position);
        }
      }
    }
    this.#depth = depth;
    this.#inString = inString;
    return -1;
  }

  #finish(position: number): number {
    this.#depth = 0;
    this.#inString = false;
    this.#isScalar = false;
    return position;
  }

  /** Returns the index after the string; -1 if it doesn't end here. */
  #scanString(bytes: Uint8Array, start: number): number {
    const end = bytes.length;
    let position = start;
    while (position < end) {
      const stop = Math.min(end, position + SHORT_STRING);
      while (position < stop) {
        const byte = bytes[position++];
        if (byte === QUOTE) return position;
        if (byte === BACKSLASH) position++;
      }
      if (position >= end) break;
      const quote = bytes.indexOf(QUOTE, position);
      const limit = quote === -1 ? end : quote;
      let backslashes = 0;
      while (limit - backslashes > position && bytes[limit - backslashes - 1] === BACKSLASH) {
        backslashes++;
      }
      position = limit + backslashes % 2;
      if (quote === -1) break;
      if (backslashes % 2 === 0) return quote + 1;
    }
    this.#isEscaped = position > end;
    return -1;
  }

  /** Numbers and literals end before the next byte that can't be part of them. */
  #scanScalar(bytes: Uint8Array, start: number): number {
    for (let position = start; position < bytes.length; position++) {
      const byte = bytes[position] ?? 0;
      const isEnd = byte === COMMA || byte === COLON || byte === 0x5d || byte === 0x7d;
      if (isEnd || isSpace(byte)) return this.#finish(position);
    }
    return -1;
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function parseValue(bytes: Uint8Array): unknown {
  const text = decoder.decode(bytes);
  checkComplexity(text, "json");
  return tryParseJson(text);
}

export function parseList(bytes: Uint8Array): readonly unknown[] | undefined {
  const text = decoder.decode(bytes);
  checkComplexity(text, "json");
  return tryParseJson(`[${text}]`) as readonly unknown[] | undefined; // a list, because of the brackets
}

export type ScanState = "items" | "done" | "broken";

export class ItemScanner {
  readonly #scanner = new ValueScanner();
  readonly #closer: number;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #needsComma = false;

  /** The index at which the current item begins; -1 between items. */
  start = -1;

  /** @param closer The byte that ends the list; -1 for a sequence without commas. */
  constructor(closer: number) {
    this.#closer = closer;
  }

  /** True if an item or the end of the list is next. */
  get isBeforeItem(): boolean {
    return this.start === -1 && !this.#needsComma;
  }

  /** The end of the first scanned item and the start of the second; undefined if there are fewer than two. */
  get firstBoundary(): readonly [end: number, start: number] | undefined {
    const [end] = this.#ends;
    const [, start] = this.#starts;
    return end === undefined || start === undefined ? undefined : [end, start];
  }

  /** @param isOne True to stop after one item and its comma. */
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

  /** Parses the items that were scanned since the last call; undefined for an item that isn't JSON. */
  parseScanned(bytes: Uint8Array): readonly unknown[] {
    const starts = this.#starts.splice(0);
    const ends = this.#ends.splice(0);
    // If items are small, a call for each costs more than parsing them.
    const together = this.#closer === -1 || starts.length < 2
      ? undefined
      : parseList(bytes.subarray(starts[0], ends.at(-1)));
    if (together?.length === starts.length) return together;
    return starts.map((start, index) => parseValue(bytes.subarray(start, ends[index])));
  }
}

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
