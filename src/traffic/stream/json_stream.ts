import { checkComplexity } from "../../values/input_limits.ts";
import type { ByteCursor } from "./byte_cursor.ts";
import { BATCH_BYTES, findBoundary, lastBoundary, type Separator } from "./item_boundary.ts";
import { isSpace, ItemScanner, parseList, parseValue, ValueScanner } from "./item_scanner.ts";
import { type Batch, BLANK, lineBatches, type ReadInParallel } from "./text_lines.ts";
import { tryParseJson } from "../../values/parse_json.ts";

const COMMA = 0x2c;

/** After this many failed guesses, a list is scanned instead. */
const FAILED_GUESSES = 3;

interface Guess {
  readonly values: readonly unknown[];
  readonly next: number;
}

/** Parses a batch up to its last item boundary. The boundary is a guess, which is proved if the text parses. */
class BoundaryGuess {
  #boundary: Uint8Array | undefined;
  #failures = 0;

  get isUsable(): boolean {
    return this.#boundary !== undefined && this.#failures < FAILED_GUESSES;
  }

  get separator(): Separator | undefined {
    const bytes = this.#boundary;
    return bytes && { bytes, length: bytes.indexOf(COMMA) + 1 };
  }

  constructor(separator?: Separator) {
    this.#boundary = separator?.bytes;
  }

  /** Learns the boundary from two consecutive items: the end of the first and the start of the second. */
  learn(bytes: Uint8Array, end: number, start: number): void {
    this.#boundary ??= findBoundary(bytes, end, start);
  }

  /** Reads items up to a boundary within the first length or, if there is none, within the next one. */
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

export interface Interruption {
  /** `cut`: the bytes end too early; `broken`: the bytes are not valid JSON. */
  readonly kind: "cut" | "broken";
  readonly offset: number;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** Maximum size of an item that is guessed although it is longer than a batch. */
const MAX_BYTES = 1 << 18;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads JSON in pieces, and parses parts of it. {@linkcode JsonStream.interruption} is the first syntax error. */
export class JsonStream {
  readonly cursor: ByteCursor;
  readonly #scanner = new ValueScanner();
  #interruption: Interruption | undefined;

  constructor(cursor: ByteCursor) {
    this.cursor = cursor;
  }

  get interruption(): Interruption | undefined {
    return this.#interruption;
  }

  async peek(): Promise<number> {
    const cursor = this.cursor;
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

  async skip(): Promise<boolean> {
    const cursor = this.cursor;
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

  async value(): Promise<unknown> {
    const cursor = this.cursor;
    const { offset, isKeeping } = cursor;
    if (!isKeeping) cursor.keep();
    const isWhole = await this.skip();
    if (!isKeeping) cursor.release();
    return isWhole
      ? parseValue(cursor.bytes.subarray(cursor.indexAt(offset), cursor.position))
      : undefined;
  }

  /** Yields each name of an object, with the cursor at its value, which the caller must read or skip. */
  async *members(): AsyncGenerator<string> {
    const cursor = this.cursor;
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
      let next = typeof name === "string" ? await this.peek() : byte;
      if (typeof name === "string" && next === COLON) {
        cursor.position++;
        next = await this.peek();
        if (next !== -1) {
          yield name;
          if (this.#interruption !== undefined) return;
          continue;
        }
      }
      this.#interrupt(next === -1 ? "cut" : "broken");
      return;
    }
  }

  /** Reads a list and parses its items. The cursor must be at the opening bracket. */
  async *items(readInParallel?: ReadInParallel): AsyncGenerator<Batch> {
    this.cursor.position++;
    yield* this.#values(CLOSE_LIST, new BoundaryGuess(), readInParallel);
  }

  /** Reads items from the cursor to the end of the bytes, which must be between two items. */
  async *part(separator: Separator): AsyncGenerator<Batch> {
    yield* this.#values(CLOSE_LIST, new BoundaryGuess(separator), undefined, true);
  }

  async *sequence(): AsyncGenerator<Batch> {
    yield* this.#values(-1, new BoundaryGuess());
  }

  /** Reads lines with one value each, to the end. A broken line doesn't affect the next. */
  async *lines(readInParallel?: ReadInParallel): AsyncGenerator<Batch> {
    for await (
      const { index, values, isOpen } of lineBatches(this.cursor, parseLines, readInParallel)
    ) {
      // A last line without a line break may be incomplete.
      if (isOpen === true && values[0] === undefined) this.#interrupt("cut");
      else yield { index, values };
    }
  }

  /**
   * @param closer The byte that ends the list; -1 for a sequence without commas that ends with the bytes.
   * @param isPart True if the bytes end between two items of the list.
   */
  async *#values(
    closer: number,
    guess: BoundaryGuess,
    pass?: ReadInParallel,
    isPart = false,
  ): AsyncGenerator<Batch> {
    const cursor = this.cursor;
    const scanner = new ItemScanner(closer);
    let open = pass;
    let index = 0;
    while (true) {
      const { bytes, position } = cursor;
      if (guess.isUsable && scanner.isBeforeItem) {
        const { separator } = guess;
        if (open !== undefined && separator !== undefined) {
          index += await open(separator, index);
          open = undefined;
          continue;
        }
        const guessed = guess.read(bytes, position, [BATCH_BYTES, MAX_BYTES]);
        if (guessed !== undefined) {
          cursor.position = guessed.next;
          yield { index, values: guessed.values };
          index += guessed.values.length;
          continue;
        }
        if (bytes.length - position < MAX_BYTES && await cursor.more()) continue;
      }
      const { bytes: scanned } = cursor;
      const end = scanner.scan(
        scanned,
        cursor.position,
        Math.min(scanned.length, cursor.position + BATCH_BYTES),
        guess.isUsable,
      );
      cursor.position = end.position;
      const boundary = scanner.firstBoundary;
      if (boundary !== undefined && closer !== -1) guess.learn(scanned, ...boundary);
      const values = scanner.parseScanned(scanned);
      if (values.length > 0) yield { index, values };
      index += values.length;
      if (end.state === "broken" || (isPart && end.state === "done")) this.#interrupt("broken");
      if (end.state !== "items") return;
      if (end.position < scanned.length) continue;
      if (await this.#moreFor(scanner)) continue;
      if (isPart ? !scanner.isBeforeItem : scanner.start !== -1 || closer !== -1) {
        this.#interrupt("cut");
      }
      return;
    }
  }

  /** Waits for more bytes. Keeps those of the current item. */
  async #moreFor(scanner: ItemScanner): Promise<boolean> {
    const cursor = this.cursor;
    if (scanner.start === -1) return await cursor.more();
    const { position } = cursor;
    cursor.position = scanner.start;
    const { offset } = cursor;
    cursor.keep();
    cursor.position = position;
    const hasMore = await cursor.more();
    cursor.release();
    scanner.start = cursor.indexAt(offset);
    return hasMore;
  }

  #interrupt(kind: Interruption["kind"]): false {
    this.#interruption ??= { kind, offset: this.cursor.offset };
    return false;
  }
}

function parseLines(bytes: Uint8Array): readonly unknown[] {
  const text = decoder.decode(bytes);
  return text.split("\n").map((line) => {
    if (line.trim() === "") return BLANK;
    checkComplexity(line, "json");
    return tryParseJson(line);
  });
}
