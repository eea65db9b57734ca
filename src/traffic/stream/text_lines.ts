import type { ByteCursor } from "./byte_cursor.ts";
import { type Batch, BLANK, LINE_END, type PassItems } from "./json_stream.ts";
import { endOfLines, LINE_FEED } from "./line_batch.ts";

/** Servers refuse requests long before their line in a log would have so many bytes. */
const LONGEST_LINE = 1 << 20;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Goes through lines of text from the cursor on, to the end; the values are their texts, `undefined` for a line that is
 * longer than any line of a log, which is passed without being kept.
 *
 * @param pass Asked before the first line.
 */
export async function* textLines(cursor: ByteCursor, pass?: PassItems): AsyncGenerator<Batch> {
  let index = await pass?.(LINE_END, 0) ?? 0;
  while (true) {
    const { bytes, position } = cursor;
    const end = endOfLines(bytes, position);
    if (end !== -1) {
      cursor.position = end + 1;
      const values = end - position > LONGEST_LINE
        ? [undefined]
        : linesOf(bytes.subarray(position, end));
      yield { index, values };
      index += values.length;
      continue;
    }
    if (bytes.length - position > LONGEST_LINE) {
      await passLine(cursor);
      yield { index, values: [undefined] };
      index++;
      continue;
    }
    if (await cursor.more()) continue;
    const last = cursor.bytes.subarray(cursor.position);
    cursor.position = cursor.bytes.length;
    if (last.length > 0) yield { index, values: linesOf(last), isOpen: true };
    return;
  }
}

/** Passes the rest of a line. */
async function passLine(cursor: ByteCursor): Promise<void> {
  do {
    const end = cursor.bytes.indexOf(LINE_FEED, cursor.position);
    if (end !== -1) {
      cursor.position = end + 1;
      return;
    }
    cursor.position = cursor.bytes.length;
  } while (await cursor.more());
}

/** The texts of lines, {@linkcode BLANK} for empty ones. */
function linesOf(bytes: Uint8Array): readonly unknown[] {
  const lines: unknown[] = decoder.decode(bytes).split("\n");
  for (let index = 0; index < lines.length; index++) {
    let line = lines[index] as string;
    if (line.endsWith("\r")) lines[index] = line = line.slice(0, -1);
    if (line === "") lines[index] = BLANK;
  }
  return lines;
}
