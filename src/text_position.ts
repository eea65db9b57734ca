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
  const starts = lineStarts(text);
  let line = 0;
  return (offset) => {
    // Offsets mostly come in the order of the text: the line is the last one again, or the next.
    if (!isLineOf(starts, line, offset)) {
      line = isLineOf(starts, line + 1, offset) ? line + 1 : findLine(starts, offset);
    }
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  if (text.includes("\r")) {
    const lineEnd = /\r\n|\n|\r/g;
    while (lineEnd.exec(text) !== null) starts.push(lineEnd.lastIndex);
  } else {
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) {
      starts.push(end + 1);
    }
  }
  return starts;
}

function isLineOf(starts: readonly number[], line: number, offset: number): boolean {
  return (starts[line] ?? Infinity) <= offset && offset < (starts[line + 1] ?? Infinity);
}

function findLine(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
