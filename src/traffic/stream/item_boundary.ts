import { findBytes } from "../../values/collections.ts";

export const LINE_FEED = 0x0a;

/** Number of bytes that are parsed together. More isn't faster, and would keep garbage alive longer. */
export const BATCH_BYTES = 1 << 15;

/** Returns the end of the last line in the next batch; -1 if none ends. None ends before `searched`. */
export function endOfLines(bytes: Uint8Array, start: number, searched: number = start): number {
  const limit = start + BATCH_BYTES;
  if (limit < bytes.length) {
    if (searched > limit) return bytes.indexOf(LINE_FEED, searched);
    const end = bytes.lastIndexOf(LINE_FEED, limit);
    return end >= start ? end : bytes.indexOf(LINE_FEED, limit);
  }
  const end = bytes.lastIndexOf(LINE_FEED);
  return end >= start ? end : -1;
}

const WINDOW = 1 << 20;
const FIRST_WINDOW = 1 << 16;

type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/**
 * Finds offsets at which a list can be cut into parts, by reading only a few bytes near each. A cut may be inside an
 * item that contains a similar list; only reading both parts shows that.
 */
export async function findCuts(
  readAt: ReadAt,
  from: number,
  size: number,
  length: number,
  separator: Separator,
): Promise<readonly number[]> {
  // The rest after the last cut is not read in parallel, so the last cut should be near the end.
  const targets = [size - FIRST_WINDOW];
  for (let target = from + length; target < size; target += length) targets.push(target);
  const cuts = [from];
  for (const target of targets.sort((left, right) => left - right)) {
    const last = cuts.at(-1) ?? from;
    const cut = target > last ? await cutNear(readAt, target, separator) : undefined;
    if (cut !== undefined) cuts.push(cut);
  }
  return cuts;
}

async function cutNear(
  readAt: ReadAt,
  target: number,
  separator: Separator,
): Promise<number | undefined> {
  for (const window of [FIRST_WINDOW, WINDOW]) {
    const bytes = await readAt(target, window);
    const index = findBytes(bytes, separator.bytes);
    if (index !== -1) return target + index + separator.length;
    if (bytes.length < window) return undefined;
  }
  return undefined;
}

const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Maximum length of a separator's name, which distinguishes items from their content well enough. */
const MAX_NAME_LENGTH = 40;

export interface Separator {
  /** Bytes that occur only between items (possibly of a nested list). */
  readonly bytes: Uint8Array;
  /** The number of these bytes that precede the next item, or the white space before it. */
  readonly length: number;
}

/**
 * Returns the bytes from the end of one item of a list to the first name in the next, such as `},{"request"`. A program
 * writes the same bytes between all items of a list. They can't be in a string, since quotes are escaped there, so they
 * always end an item: of this list, or of a nested one.
 */
export function findBoundary(
  bytes: Uint8Array,
  end: number,
  start: number,
): Uint8Array | undefined {
  if (bytes[end - 1] !== CLOSE_OBJECT || bytes[start] !== OPEN_OBJECT) return undefined;
  const quote = bytes.indexOf(QUOTE, start);
  const close = bytes.indexOf(QUOTE, quote + 1);
  if (quote === -1 || close === -1 || close - start > MAX_NAME_LENGTH) return undefined;
  return bytes.slice(end - 1, close + 1);
}

/** Returns the index after the last item that a boundary follows; -1 if there is none. */
export function lastBoundary(
  bytes: Uint8Array,
  from: number,
  to: number,
  boundary: Uint8Array,
): number {
  let index = to - boundary.length;
  while (index >= from) {
    index = bytes.lastIndexOf(CLOSE_OBJECT, index);
    if (index < from) return -1;
    if (boundary.every((byte, offset) => bytes[index + offset] === byte)) return index + 1;
    index--;
  }
  return -1;
}
