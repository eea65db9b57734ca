import type { ByteCursor } from "./byte_cursor.ts";
import { type Batch, BLANK, LINE_END, type PassItems } from "./json_stream.ts";
import { endOfLines, LINE_FEED } from "./item_boundary.ts";

/** Servers refuse requests long before their line in a log would have so many bytes. */
const MAX_LINE_LENGTH = 1 << 20;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The texts of lines from the cursor on; undefined for a line that is longer than any log's, which isn't kept. */
export async function* textLines(cursor: ByteCursor, pass?: PassItems): AsyncGenerator<Batch> {
  let index = await pass?.(LINE_END, 0) ?? 0;
  while (true) {
    const { bytes, position } = cursor;
    const end = endOfLines(bytes, position);
    if (end !== -1) {
      cursor.position = end + 1;
      const values = end - position > MAX_LINE_LENGTH
        ? [undefined]
        : parseLines(bytes.subarray(position, end));
      yield { index, values };
      index += values.length;
      continue;
    }
    if (bytes.length - position > MAX_LINE_LENGTH) {
      await passLine(cursor);
      yield { index, values: [undefined] };
      index++;
      continue;
    }
    if (await cursor.more()) continue;
    const last = cursor.bytes.subarray(cursor.position);
    cursor.position = cursor.bytes.length;
    if (last.length > 0) yield { index, values: parseLines(last), isOpen: true };
    return;
  }
}

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

function parseLines(bytes: Uint8Array): readonly unknown[] {
  const lines: unknown[] = decoder.decode(bytes).split("\n");
  for (let index = 0; index < lines.length; index++) {
    let line = lines[index] as string;
    if (line.endsWith("\r")) lines[index] = line = line.slice(0, -1);
    if (line === "") lines[index] = BLANK;
  }
  return lines;
}
