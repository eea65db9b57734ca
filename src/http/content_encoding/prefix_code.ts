import { DecodingFailure } from "./output.ts";

const MAX_CODE_LENGTH = 15;
const ROOT_BITS = 9;
const ROOT_MASK = (1 << ROOT_BITS) - 1;

/** Reads bits, the lowest of each byte first. */
export interface BitReader {
  /** Reads `count` bits, 24 at most, as a number. */
  read(count: number): number;
  /** The next 15 bits, without reading them; zeros after the end. */
  peek(): number;
  /** Goes on by bits that were peeked at. */
  skip(count: number): void;
  /** Goes on to the next byte; the bits between must be zero. */
  align(): void;
  /** Reads whole bytes; only after {@linkcode BitReader.align}. */
  readBytes(count: number): Uint8Array;
}

/** Makes a reader. It throws `truncated` when more is read than there is. */
export function createBitReader(bytes: Uint8Array): BitReader {
  let position = 0;
  let held = 0;
  let count = 0;

  function fill(wanted: number): void {
    while (count < wanted) {
      held |= (bytes[position++] ?? 0) << count;
      count += 8;
    }
  }

  function skip(bits: number): void {
    held >>>= bits;
    count -= bits;
    // Bytes after the end were taken for zero: as long as their bits are only held, nothing is missing.
    if (position > bytes.length && (position - bytes.length) * 8 > count) {
      throw new DecodingFailure("truncated");
    }
  }

  function read(bits: number): number {
    fill(bits);
    const value = held & ((1 << bits) - 1);
    skip(bits);
    return value;
  }

  return {
    read,
    skip,
    peek: (): number => {
      fill(MAX_CODE_LENGTH);
      return held & ((1 << MAX_CODE_LENGTH) - 1);
    },
    align: (): void => {
      if (read(count & 7) !== 0) throw new DecodingFailure("corrupt", "bits of padding are set");
    },
    readBytes: (length: number): Uint8Array => {
      const start = position - (count >> 3);
      if (start + length > bytes.length) throw new DecodingFailure("truncated");
      position = start + length;
      held = 0;
      count = 0;
      return bytes.subarray(start, position);
    },
  };
}

export type PrefixCode = (reader: BitReader) => number;

/** The canonical code of the lengths of symbols' codes (RFC 7932, section 3.2); 0 for a symbol without one. */
export function createPrefixCode(lengths: Uint8Array): PrefixCode {
  const counts = new Uint16Array(MAX_CODE_LENGTH + 1);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  counts[0] = 0;
  const used = counts.reduce((sum, count) => sum + count, 0);
  if (used === 1) {
    const only = lengths.findIndex((length) => length > 0);
    return () => only;
  }

  const symbols = new Uint16Array(used);
  const root = new Uint16Array(1 << ROOT_BITS);
  let code = 0;
  let placed = 0;
  for (let length = 1; length <= MAX_CODE_LENGTH; length++) {
    for (let symbol = 0; symbol < lengths.length && (counts[length] ?? 0) > 0; symbol++) {
      if (lengths[symbol] !== length) continue;
      symbols[placed++] = symbol;
      if (length <= ROOT_BITS) {
        let reversed = 0;
        for (let bit = 0; bit < length; bit++) {
          reversed |= ((code >> bit) & 1) << (length - 1 - bit);
        }
        for (let at = reversed; at <= ROOT_MASK; at += 1 << length) root[at] = symbol * 16 + length;
      }
      code++;
    }
    code <<= 1;
  }

  return (reader) => {
    const bits = reader.peek();
    const entry = root[bits & ROOT_MASK] ?? 0;
    if (entry !== 0) {
      reader.skip(entry & 15);
      return entry >> 4;
    }
    let prefix = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= MAX_CODE_LENGTH; length++) {
      prefix |= (bits >> (length - 1)) & 1;
      const count = counts[length] ?? 0;
      if (prefix - first < count) {
        reader.skip(length);
        return symbols[index + prefix - first] ?? 0;
      }
      index += count;
      first = (first + count) << 1;
      prefix <<= 1;
    }
    throw new DecodingFailure("corrupt", "a code stands for no symbol");
  };
}
