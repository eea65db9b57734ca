/** A position in a text, with columns in UTF-16 units. */
export interface TextPosition {
  /** The line, counted from 1. */
  readonly line: number;
  /** The column, counted from 1. */
  readonly column: number;
}

/** Returns a function that converts offsets into lines and columns. Lines end with `\n`, `\r\n` or `\r`. */
export function textPositions(text: string): (offset: number) => TextPosition {
  const starts = [0];
  const next = lineStarts(text);
  let last = 0;
  let line = 0;
  return (offset) => {
    // Lines after the largest offset so far are not searched: texts are long, and few offsets are needed.
    while (last <= offset) starts.push(last = next());
    // Offsets mostly ascend, so the line is usually the previous one or the one after it.
    if (!isInLine(starts, line, offset)) {
      line = isInLine(starts, line + 1, offset) ? line + 1 : findLine(starts, offset);
    }
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/** Returns a function that returns the offset of each line after the first, in order, then Infinity. */
function lineStarts(text: string): () => number {
  if (text.includes("\r")) {
    const lineEnd = /\r\n|\n|\r/g;
    return () => lineEnd.exec(text) === null ? Infinity : lineEnd.lastIndex;
  }
  let start = 0;
  return () => {
    const end = text.indexOf("\n", start);
    return start = end < 0 ? Infinity : end + 1;
  };
}

function isInLine(starts: readonly number[], line: number, offset: number): boolean {
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
