import { HITS_START } from "../../values/hits_start.ts";
import type { ByteCursor } from "../stream/byte_cursor.ts";

const LINE_FEED = 0x0a;
const START = new TextEncoder().encode(HITS_START);

/** Takes one line of a hits file. */
export type TakeHits = (line: Uint8Array) => void;

/** True if a hits file begins at the cursor, which keeps its place. */
export async function startsHits(cursor: ByteCursor): Promise<boolean> {
  const { offset } = cursor;
  for (const [index, byte] of START.entries()) {
    while (cursor.indexOf(offset) + index >= cursor.bytes.length) {
      if (!await cursor.more()) return false;
    }
    if (cursor.bytes[cursor.indexOf(offset) + index] !== byte) return false;
  }
  return true;
}

/** Passes on the lines of a hits file one by one, so that only the longest has to be in memory. */
export async function readHitsLines(cursor: ByteCursor, take: TakeHits): Promise<void> {
  while (true) {
    cursor.keep();
    const start = cursor.offset;
    let searched = cursor.position;
    let feed = cursor.bytes.indexOf(LINE_FEED, searched);
    while (feed < 0) {
      searched = cursor.bytes.length - cursor.indexOf(start);
      if (!await cursor.more()) break;
      feed = cursor.bytes.indexOf(LINE_FEED, cursor.indexOf(start) + searched);
    }
    const end = feed < 0 ? cursor.bytes.length : feed;
    const line = cursor.bytes.subarray(cursor.indexOf(start), end);
    if (line.some((byte) => byte > 0x20)) take(line);
    if (feed < 0) return;
    cursor.position = feed + 1;
  }
}
