import type { ByteCursor } from "./byte_cursor.ts";
import { endOfLines, LINE_FEED, type Separator } from "./item_boundary.ts";

export interface Batch {
  readonly index: number;
  /** Parsed values; undefined if one is not valid JSON, {@linkcode BLANK} for an empty line. */
  readonly values: readonly unknown[];
  /** True for a last line without a line break, which may be incomplete. */
  readonly isOpen?: boolean;
}

/** Has items read in parallel, moves the cursor after them, and returns their number. */
export type ReadInParallel = (separator: Separator, index: number) => Promise<number>;

export const BLANK: unique symbol = Symbol("blank");

const LINE_END: Separator = { bytes: Uint8Array.of(LINE_FEED), length: 1 };

/** Longer lines are not requests: servers reject requests long before they reach this length. */
const MAX_LINE_LENGTH = 1 << 20;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads lines from the cursor on; undefined for a line over {@linkcode MAX_LINE_LENGTH}, which is not kept. */
export function textLines(
  cursor: ByteCursor,
  readInParallel?: ReadInParallel,
): AsyncGenerator<Batch> {
  return lineBatches(cursor, readTexts, readInParallel, MAX_LINE_LENGTH);
}

/** Reads lines in the batches of {@linkcode endOfLines}; undefined for lines longer than `maxLength`. */
export async function* lineBatches(
  cursor: ByteCursor,
  read: (lines: Uint8Array) => readonly unknown[],
  readInParallel?: ReadInParallel,
  maxLength: number = Infinity,
): AsyncGenerator<Batch> {
  let index = await readInParallel?.(LINE_END, 0) ?? 0;
  let searched = 0;
  while (true) {
    const { bytes, position } = cursor;
    const end = endOfLines(bytes, position, position + searched);
    searched = end === -1 ? bytes.length - position : 0;
    if (end !== -1) {
      cursor.position = end + 1;
      const values = end - position > maxLength ? [undefined] : read(bytes.subarray(position, end));
      yield { index, values };
      index += values.length;
      continue;
    }
    if (searched > maxLength) {
      await skipLine(cursor);
      yield { index, values: [undefined] };
      index++;
      searched = 0;
      continue;
    }
    if (await cursor.more()) continue;
    const last = cursor.bytes.subarray(cursor.position);
    cursor.position = cursor.bytes.length;
    if (last.length > 0) yield { index, values: read(last), isOpen: true };
    return;
  }
}

async function skipLine(cursor: ByteCursor): Promise<void> {
  do {
    const end = cursor.bytes.indexOf(LINE_FEED, cursor.position);
    if (end !== -1) {
      cursor.position = end + 1;
      return;
    }
    cursor.position = cursor.bytes.length;
  } while (await cursor.more());
}

function readTexts(bytes: Uint8Array): readonly unknown[] {
  const lines: unknown[] = decoder.decode(bytes).split("\n");
  for (let index = 0; index < lines.length; index++) {
    let line = lines[index] as string;
    if (line.endsWith("\r")) lines[index] = line = line.slice(0, -1);
    if (line === "") lines[index] = BLANK;
  }
  return lines;
}
