const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Strings longer than this are searched by the engine, which is faster than a loop but has to be called. */
const SHORT_STRING = 64;

/**
 * Finds where a JSON value ends, without parsing it: strings and brackets are all that is looked at, so that what is
 * broken inside the value is found by whoever parses it. A value may come in several pieces.
 *
 * @example
 * ```ts
 * import { ValueScanner } from "./value_scanner.ts";
 * import assert from "node:assert/strict";
 *
 * const bytes = new TextEncoder().encode('{"a": "}"}, 12');
 * const scanner = new ValueScanner();
 * assert.equal(scanner.scan(bytes, 0), 10);
 * ```
 */
export class ValueScanner {
  #depth = 0;
  #inString = false;
  /** True if the next byte is part of an escape. */
  #isEscaped = false;
  #isScalar = false;

  /**
   * Goes on with the value.
   *
   * @param start Where the value begins, or where the last piece ended.
   * @returns The index after the value, after which the next one can be scanned; -1 where more bytes are needed.
   */
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

  /** The index after the string; -1 where it does not end. */
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

  /** Numbers and words end before the next byte that can't be part of them. */
  #scanScalar(bytes: Uint8Array, start: number): number {
    for (let position = start; position < bytes.length; position++) {
      const byte = bytes[position];
      if (
        byte === 0x2c || byte === 0x5d || byte === 0x7d || byte === 0x3a || byte === 0x20 ||
        byte === 0x0a || byte === 0x0d || byte === 0x09
      ) return this.#finish(position);
    }
    return -1;
  }
}
