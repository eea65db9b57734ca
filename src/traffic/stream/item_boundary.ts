const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Names longer than this are cut: what is left tells items apart from what is in them well enough. */
const LONGEST_NAME = 40;

/** The bytes between two items of a list, or between lines. */
export interface Separator {
  /** Bytes that stand there and, but for items that are nested, nowhere else. */
  readonly bytes: Uint8Array;
  /** The length of the part of them that ends where the next item, or the white space before it, begins. */
  readonly length: number;
}

/**
 * The bytes from the end of one item of a list to the first name in the next, as in `},{"request"`. A program writes
 * them alike between all items of a list, and in a string they cannot stand, since quotes are escaped there: so where
 * they stand, an item ends, at this depth or deeper.
 *
 * @param end The index after the first item.
 * @param start The index of the second item.
 * @returns Undefined if the items aren't objects with names.
 */
export function boundaryOf(bytes: Uint8Array, end: number, start: number): Uint8Array | undefined {
  if (bytes[end - 1] !== CLOSE_OBJECT || bytes[start] !== OPEN_OBJECT) return undefined;
  const quote = bytes.indexOf(QUOTE, start);
  const close = bytes.indexOf(QUOTE, quote + 1);
  if (quote === -1 || close === -1 || close - start > LONGEST_NAME) return undefined;
  return bytes.slice(end - 1, close + 1);
}

/**
 * Finds the last boundary in a part of the bytes.
 *
 * @returns The index after the item before it; -1 where there is none.
 */
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
    if (startsWith(bytes, index, boundary)) return index + 1;
    index--;
  }
  return -1;
}

/**
 * Finds the first place where one item ends and the next begins.
 *
 * @returns The index at which the next item begins; -1 where none is seen.
 */
export function firstCut(bytes: Uint8Array, { bytes: wanted, length }: Separator): number {
  const [first = -1] = wanted;
  let index = bytes.indexOf(first);
  while (index !== -1) {
    if (startsWith(bytes, index, wanted)) return index + length;
    index = bytes.indexOf(first, index + 1);
  }
  return -1;
}

function startsWith(bytes: Uint8Array, index: number, wanted: Uint8Array): boolean {
  for (let offset = 0; offset < wanted.length; offset++) {
    if (bytes[index + offset] !== wanted[offset]) return false;
  }
  return true;
}
