/** A position in a text; both are counted from 1, columns in UTF-16 units. */
export interface TextPosition {
  /** The line, counted from 1. */
  readonly line: number;
  /** The column, counted from 1. */
  readonly column: number;
}

/**
 * Turns offsets of a text into lines and columns. Lines end with `\n`, `\r\n` or `\r`.
 *
 * @example
 * ```ts
 * import { textPositions } from "./text_position.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(textPositions("a\nbc")(3), { line: 2, column: 2 });
 * ```
 */
export function textPositions(text: string): (offset: number) => TextPosition {
  const starts = [0];
  const lineEnd = /\r\n|\n|\r/g;
  while (lineEnd.exec(text) !== null) starts.push(lineEnd.lastIndex);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
