/** The byte that ends a line. */
export const LINE_FEED = 0x0a;

/**
 * About as many bytes are parsed together. What is parsed is soon let go, but the collector may come before that, and
 * keeps what it finds for long: more at a time is not faster, and takes memory.
 */
export const BATCH_BYTES = 1 << 15;

/** The end of the last line of the next batch of bytes; -1 where not even one line ends. */
export function endOfLines(bytes: Uint8Array, start: number): number {
  const limit = start + BATCH_BYTES;
  if (limit < bytes.length) {
    const end = bytes.lastIndexOf(LINE_FEED, limit);
    return end >= start ? end : bytes.indexOf(LINE_FEED, limit);
  }
  const end = bytes.lastIndexOf(LINE_FEED);
  return end >= start ? end : -1;
}
