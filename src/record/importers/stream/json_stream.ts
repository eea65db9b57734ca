import type { ByteCursor } from "./byte_cursor.ts";
import { boundaryOf, lastBoundary } from "./item_boundary.ts";
import { ValueScanner } from "./value_scanner.ts";

/** Values that were parsed together. */
export interface Batch {
  /** The number of the first one, counted from 0. */
  readonly index: number;
  /** Parsed values; undefined for those that are no JSON, {@linkcode BLANK} for lines without a value. */
  readonly values: readonly unknown[];
}

/** Why a stream of JSON does not go on to its end. */
export interface Interruption {
  /** `cut`: the bytes end too early; `broken`: something stands where JSON allows no such thing. */
  readonly kind: "cut" | "broken";
  /** How many bytes come before that place. */
  readonly offset: number;
}

/** Stands for a line that has nothing in it. */
export const BLANK: unique symbol = Symbol("blank");

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const LINE_FEED = 0x0a;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** About as many bytes are parsed together; more at a time is not faster, and takes memory. */
const BATCH_BYTES = 1 << 18;

/** After so many guesses that failed, a list is not guessed at any longer. */
const FAILED_GUESSES = 3;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Reads JSON piece by piece: goes into objects and lists and parses what is wanted, so that of the rest nothing is
 * kept. A list or object that is cut off or broken ends there, and {@linkcode JsonStream.interruption} says so.
 */
export class JsonStream {
  readonly #cursor: ByteCursor;
  readonly #scanner = new ValueScanner();
  #interruption: Interruption | undefined;

  /** Reads from where the cursor stands. */
  constructor(cursor: ByteCursor) {
    this.#cursor = cursor;
  }

  /** What kept the stream from going on; undefined where nothing did. */
  get interruption(): Interruption | undefined {
    return this.#interruption;
  }

  /** The next byte that is no white space, which is not passed; -1 at the end. */
  async peek(): Promise<number> {
    const cursor = this.#cursor;
    while (true) {
      const { bytes } = cursor;
      while (cursor.position < bytes.length) {
        const byte = bytes[cursor.position] ?? 0;
        if (!isSpace(byte)) return byte;
        cursor.position++;
      }
      if (!await cursor.more()) return -1;
    }
  }

  /** Passes a value; false where it is cut off. */
  async skip(): Promise<boolean> {
    const cursor = this.#cursor;
    while (true) {
      const end = this.#scanner.scan(cursor.bytes, cursor.position);
      if (end !== -1) {
        cursor.position = end;
        return true;
      }
      cursor.position = cursor.bytes.length;
      if (!await cursor.more()) return this.#interrupt("cut");
    }
  }

  /** Passes and parses a value; undefined where it is cut off or no JSON. */
  async value(): Promise<unknown> {
    const cursor = this.#cursor;
    const { offset, isKeeping } = cursor;
    if (!isKeeping) cursor.keep();
    const isWhole = await this.skip();
    if (!isKeeping) cursor.release();
    return isWhole
      ? parse(cursor.bytes.subarray(cursor.indexOf(offset), cursor.position))
      : undefined;
  }

  /**
   * Goes through an object: gives each name when the cursor is at its value, which has to be passed before the next.
   * The cursor has to be at the opening bracket.
   */
  async *members(): AsyncGenerator<string> {
    const cursor = this.#cursor;
    cursor.position++;
    for (let isFirst = true;; isFirst = false) {
      let byte = await this.peek();
      if (!isFirst && byte === COMMA) {
        cursor.position++;
        byte = await this.peek();
      } else if (!isFirst && byte !== CLOSE_OBJECT) {
        this.#interrupt(byte === -1 ? "cut" : "broken");
        return;
      }
      if (byte === CLOSE_OBJECT) {
        cursor.position++;
        return;
      }
      const name = byte === QUOTE ? await this.value() : undefined;
      const isNamed = typeof name === "string" && await this.peek() === COLON;
      if (isNamed) cursor.position++;
      const next = isNamed ? await this.peek() : byte;
      if (!isNamed || next === -1) {
        this.#interrupt(next === -1 ? "cut" : "broken");
        return;
      }
      yield name;
      if (this.#interruption !== undefined) return;
    }
  }

  /** Goes through a list, parsing its items. The cursor has to be at the opening bracket. */
  async *items(): AsyncGenerator<Batch> {
    this.#cursor.position++;
    yield* this.#values(CLOSE_LIST);
  }

  /** Goes through values that follow each other, with white space between them, to the end. */
  async *sequence(): AsyncGenerator<Batch> {
    yield* this.#values(-1);
  }

  /** Goes through lines with a value each, to the end. A broken line does not cost the next. */
  async *lines(): AsyncGenerator<Batch> {
    const cursor = this.#cursor;
    let index = 0;
    while (true) {
      const { bytes, position, offset } = cursor;
      const end = endOfLines(bytes, position);
      if (end !== -1) {
        const values = parseLines(bytes.subarray(position, end));
        cursor.position = end + 1;
        yield { index, values };
        index += values.length;
        continue;
      }
      cursor.keep();
      cursor.position = bytes.length;
      const hasMore = await cursor.more();
      cursor.release();
      if (hasMore) {
        cursor.position = cursor.indexOf(offset);
        continue;
      }
      const values = parseLines(cursor.bytes.subarray(cursor.indexOf(offset)));
      // A last line without an end may be one that was not written to its end.
      if (values[0] === undefined) this.#interrupt("cut");
      else yield { index, values };
      return;
    }
  }

  /** @param closer What ends them; -1 where that is the end of the bytes, and no commas stand between them. */
  async *#values(closer: number): AsyncGenerator<Batch> {
    const cursor = this.#cursor;
    const starts: number[] = [];
    const ends: number[] = [];
    let index = 0;
    /** Where the value that the scanner is in begins; -1 between values. */
    let start = -1;
    let needsComma = false;
    let boundary: Uint8Array | undefined;
    let failures = 0;
    while (true) {
      const { bytes } = cursor;
      if (boundary !== undefined && start === -1 && !needsComma && failures < FAILED_GUESSES) {
        const from = cursor.position;
        const end = lastBoundary(bytes, from, Math.min(bytes.length, from + BATCH_BYTES), boundary);
        // That they parse together proves that what ends there is an item of this list, and nothing within one.
        const values = end === -1 ? undefined : parseList(bytes.subarray(from, end));
        if (values !== undefined) {
          cursor.position = end + boundary.indexOf(COMMA);
          yield { index, values };
          index += values.length;
          continue;
        }
        if (end !== -1) failures++;
      }
      const limit = Math.min(bytes.length, cursor.position + BATCH_BYTES);
      let position = cursor.position;
      let isDone = false;
      while (position < limit) {
        if (start === -1) {
          const byte = bytes[position] ?? 0;
          if (isSpace(byte)) {
            position++;
            continue;
          }
          if (byte === closer) {
            position++;
            isDone = true;
            break;
          }
          if (needsComma) {
            if (byte !== COMMA) {
              cursor.position = position;
              isDone = true;
              this.#interrupt("broken");
              break;
            }
            needsComma = false;
            position++;
            continue;
          }
          start = position;
        }
        const end = this.#scanner.scan(bytes, position);
        if (end === -1) {
          position = bytes.length;
          break;
        }
        starts.push(start);
        ends.push(end);
        start = -1;
        needsComma = closer !== -1;
        position = end === position ? end + 1 : end;
      }
      cursor.position = position;
      if (starts.length > 0) {
        const [, second] = starts;
        if (second !== undefined && closer !== -1) {
          boundary ??= boundaryOf(bytes, ends[0] ?? 0, second);
        }
        const values = parseAll(bytes, starts, ends, closer !== -1);
        starts.length = 0;
        ends.length = 0;
        yield { index, values };
        index += values.length;
      }
      if (isDone) return;
      if (position < bytes.length) continue;
      const offset = cursor.offset - (start === -1 ? 0 : position - start);
      if (start !== -1) {
        cursor.position = start;
        cursor.keep();
        cursor.position = position;
      }
      const hasMore = await cursor.more();
      cursor.release();
      if (start !== -1) start = cursor.indexOf(offset);
      if (!hasMore) {
        if (start !== -1 || closer !== -1) this.#interrupt("cut");
        return;
      }
    }
  }

  #interrupt(kind: Interruption["kind"]): false {
    this.#interruption ??= { kind, offset: this.#cursor.offset };
    return false;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/** Parses the items of a list, without its brackets; undefined where they are no JSON. */
function parseList(bytes: Uint8Array): readonly unknown[] | undefined {
  try {
    return JSON.parse(`[${decoder.decode(bytes)}]`);
  } catch {
    return undefined;
  }
}

/** Parses values at once, as long as nothing is broken: calls cost more than bytes where values are small. */
function parseAll(
  bytes: Uint8Array,
  starts: readonly number[],
  ends: readonly number[],
  hasCommas: boolean,
): readonly unknown[] {
  if (hasCommas) {
    const values = parseList(bytes.subarray(starts[0], ends.at(-1)));
    if (values?.length === starts.length) return values;
  }
  return starts.map((start, index) => parse(bytes.subarray(start, ends[index])));
}

/** The end of the last line of the next batch of bytes; -1 where not even one line ends. */
function endOfLines(bytes: Uint8Array, start: number): number {
  const limit = start + BATCH_BYTES;
  if (limit < bytes.length) {
    const end = bytes.lastIndexOf(LINE_FEED, limit);
    return end >= start ? end : bytes.indexOf(LINE_FEED, limit);
  }
  const end = bytes.lastIndexOf(LINE_FEED);
  return end >= start ? end : -1;
}

function parseLines(bytes: Uint8Array): readonly unknown[] {
  return decoder.decode(bytes).split("\n").map((line) => {
    if (line.trim() === "") return BLANK;
    try {
      return JSON.parse(line);
    } catch {
      return undefined;
    }
  });
}
