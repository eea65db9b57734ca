import { HITS_START } from "../../values/version.ts";
import { InputLimitError, MAX_BYTES } from "../../values/input_limits.ts";
import type { ByteCursor } from "../stream/byte_cursor.ts";

const LINE_FEED = 0x0a;
const START = new TextEncoder().encode(HITS_START);

/** Less than the cursor's limit, so that the error message is about hits. */
const MAX_LINE_LENGTH = MAX_BYTES - 2 ** 24;

export type OnHitsLine = (line: Uint8Array) => void;

/** The cursor doesn't move. */
export async function startsHits(cursor: ByteCursor): Promise<boolean> {
  const { offset } = cursor;
  for (const [index, byte] of START.entries()) {
    while (cursor.indexAt(offset) + index >= cursor.bytes.length) {
      if (!await cursor.more()) return false;
    }
    if (cursor.bytes[cursor.indexAt(offset) + index] !== byte) return false;
  }
  return true;
}

/** One by one, so that only one line must fit into memory. */
export async function readHitsLines(
  cursor: ByteCursor,
  onLine: OnHitsLine,
  maxLength: number = MAX_LINE_LENGTH,
): Promise<void> {
  while (true) {
    cursor.keep();
    const start = cursor.offset;
    let searched = cursor.position;
    let feed = cursor.bytes.indexOf(LINE_FEED, searched);
    while (feed < 0) {
      searched = cursor.bytes.length - cursor.indexAt(start);
      if (searched > maxLength) throw tooLong(maxLength);
      if (!await cursor.more()) break;
      feed = cursor.bytes.indexOf(LINE_FEED, cursor.indexAt(start) + searched);
    }
    const end = feed < 0 ? cursor.bytes.length : feed;
    const line = cursor.bytes.subarray(cursor.indexAt(start), end);
    if (line.length > maxLength) throw tooLong(maxLength);
    if (line.some((byte) => byte > 0x20)) onLine(line);
    if (feed < 0) return;
    cursor.position = feed + 1;
  }
}

function tooLong(most: number): InputLimitError {
  const size = most >= 2 ** 20 ? `${most / 2 ** 20} MiB` : `${most.toLocaleString("en-US")} bytes`;
  return new InputLimitError(
    `One of its lines has more than ${size}, and a line has to fit into memory. Hits grow with the description and with the names of tests, not with the number of requests: write them again from fewer tests at a time, and leave those out that make a name for each request.`,
  );
}
