import { DecodingFailure } from "./failure.ts";

const LARGEST_ACCURACY_OF_WEIGHTS = 6;
const LONGEST_HUFFMAN_CODE = 11;

/** A table of finite state entropy (RFC 8878, section 4.1): what each state stands for. */
export interface FseTable {
  readonly accuracy: number;
  readonly symbols: Uint8Array;
  /** The number of bits that lead to the next state, and the state that they are added to. */
  readonly bits: Uint8Array;
  readonly bases: Uint16Array;
}

/** A table of Huffman codes (section 4.2): the symbol of each number of `longest` bits, and its length. */
export interface HuffmanTable {
  readonly longest: number;
  readonly symbols: Uint8Array;
  readonly lengths: Uint8Array;
}

/** Reads bits from the end of bytes to their start. */
export interface BackwardReader {
  /** The number of bits left; below zero if more were read. */
  left: number;
  /** Reads `count` bits, 31 at most; zeros before the start. */
  read(count: number): number;
}

function corrupt(detail: string): never {
  throw new DecodingFailure("corrupt", detail);
}

/** Makes a reader; the highest bit that is set in the last byte says where the bits begin. */
export function createBackwardReader(bytes: Uint8Array): BackwardReader {
  const last = bytes.at(-1) ?? 0;
  if (last === 0) return corrupt("a bit stream does not begin");
  const reader: BackwardReader = {
    left: bytes.length * 8 - Math.clz32(last) + 23,
    read(count) {
      reader.left -= count;
      let value = 0;
      // Whole bytes from the highest to the lowest, then the bits that are below the range.
      const low = reader.left >> 3;
      for (let at = (reader.left + count - 1) >> 3; at >= low; at--) {
        value = value * 256 + (bytes[at] ?? 0);
      }
      return Math.floor(value / 2 ** (reader.left - low * 8)) % 2 ** count;
    },
  };
  return reader;
}

/** Makes the table of a distribution; -1 stands for "less than 1" (section 4.1.1). */
export function createFseTable(distribution: readonly number[], accuracy: number): FseTable {
  const size = 1 << accuracy;
  const symbols = new Uint8Array(size);
  const next = new Uint16Array(distribution.length);
  let high = size;
  distribution.forEach((share, symbol) => {
    next[symbol] = Math.abs(share);
    if (share === -1) symbols[--high] = symbol;
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  distribution.forEach((share, symbol) => {
    for (let count = share; count > 0; count--) {
      symbols[at] = symbol;
      do at = (at + step) & (size - 1); while (at >= high);
    }
  });
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  symbols.forEach((symbol, state) => {
    const number = next[symbol] ?? 0;
    next[symbol] = number + 1;
    const count = accuracy - (31 - Math.clz32(number));
    bits[state] = count;
    bases[state] = (number << count) - size;
  });
  return { accuracy, symbols, bits, bases };
}

/** The table that always gives one symbol. */
export function createConstantTable(symbol: number): FseTable {
  return {
    accuracy: 0,
    symbols: Uint8Array.of(symbol),
    bits: new Uint8Array(1),
    bases: new Uint16Array(1),
  };
}

/** Reads a distribution and makes its table; also tells how many bytes it took. */
export function readFseTable(
  bytes: Uint8Array,
  largestAccuracy: number,
  largestSymbol: number,
): { table: FseTable; size: number } {
  let position = 0;
  const peek = (count: number): number => {
    const at = position >> 3;
    const word = (bytes[at] ?? 0) | (bytes[at + 1] ?? 0) << 8 | (bytes[at + 2] ?? 0) << 16;
    return (word >> (position & 7)) & ((1 << count) - 1);
  };
  const accuracy = peek(4) + 5;
  position += 4;
  if (accuracy > largestAccuracy) return corrupt("a table is too accurate");
  const distribution: number[] = [];
  let left = 1 << accuracy;
  while (left > 0 && distribution.length <= largestSymbol) {
    const bits = 32 - Math.clz32(left + 1);
    const short = (1 << bits) - 1 - (left + 1);
    const value = peek(bits);
    const low = value & ((1 << (bits - 1)) - 1);
    position += low < short ? bits - 1 : bits;
    const share = (low < short ? low : value >= 1 << (bits - 1) ? value - short : value) - 1;
    left -= Math.abs(share);
    distribution.push(share);
    for (let zeros = 3; share === 0 && zeros === 3;) {
      zeros = peek(2);
      position += 2;
      for (let count = zeros; count > 0; count--) distribution.push(0);
      if (distribution.length > largestSymbol + 1) return corrupt("a table has too many symbols");
    }
  }
  const size = (position + 7) >> 3;
  if (left !== 0) return corrupt("the shares of a table do not add up");
  if (size > bytes.length) return corrupt("a table is longer than its block");
  return { table: createFseTable(distribution, accuracy), size };
}

/** Reads Huffman weights that are coded with a table of their own (section 4.2.1.2). */
function readCodedWeights(bytes: Uint8Array): number[] {
  const { table, size } = readFseTable(bytes, LARGEST_ACCURACY_OF_WEIGHTS, 255);
  const reader = createBackwardReader(bytes.subarray(size));
  const weights: number[] = [];
  let state = reader.read(table.accuracy);
  let other = reader.read(table.accuracy);
  if (reader.left < 0) return corrupt("weights end too early");
  while (weights.length < 255) {
    weights.push(table.symbols[state] ?? 0);
    const bits = table.bits[state] ?? 0;
    if (reader.left < bits) {
      weights.push(table.symbols[other] ?? 0);
      return weights;
    }
    // Two states take turns.
    [state, other] = [other, (table.bases[state] ?? 0) + reader.read(bits)];
  }
  return corrupt("there are too many weights");
}

/** Reads a Huffman table; also tells how many bytes it took. */
export function readHuffmanTable(bytes: Uint8Array): { table: HuffmanTable; size: number } {
  const head = bytes[0] ?? 0;
  const count = head - 127;
  const size = 1 + (head < 128 ? head : (count + 1) >> 1);
  if (size > bytes.length) return corrupt("a table is longer than its block");
  const weights = head < 128
    ? readCodedWeights(bytes.subarray(1, size))
    : Array.from({ length: count }, (_, index) => {
      const pair = bytes[1 + (index >> 1)] ?? 0;
      return index % 2 === 0 ? pair >> 4 : pair & 15;
    });
  const sum = weights.reduce((total, weight) => total + (weight > 0 ? 2 ** (weight - 1) : 0), 0);
  const longest = 32 - Math.clz32(sum);
  if (sum === 0 || longest > LONGEST_HUFFMAN_CODE) return corrupt("a Huffman table is invalid");
  // The last weight is not written: it is what makes the sum a power of two.
  const rest = 2 ** longest - sum;
  const last = 31 - Math.clz32(rest);
  if (rest !== 2 ** last) return corrupt("a Huffman table is not complete");
  weights.push(last + 1);
  const symbols = new Uint8Array(2 ** longest);
  const lengths = new Uint8Array(2 ** longest);
  let at = 0;
  for (let weight = 1; weight <= longest; weight++) {
    weights.forEach((own, symbol) => {
      if (own !== weight) return;
      const end = at + 2 ** (weight - 1);
      symbols.fill(symbol, at, end);
      lengths.fill(longest + 1 - weight, at, end);
      at = end;
    });
  }
  return { table: { longest, symbols, lengths }, size };
}

/** Decodes one stream of Huffman codes that fills `output` exactly. */
export function decodeHuffman(table: HuffmanTable, bytes: Uint8Array, output: Uint8Array): void {
  const { longest, symbols, lengths } = table;
  const reader = createBackwardReader(bytes);
  const start = reader.left;
  let position = start - longest;
  const mask = (1 << longest) - 1;
  for (let at = 0; at < output.length; at++) {
    // Below the start, the bits of the last codes are followed by zeros.
    const index = position >> 3;
    const word = (bytes[index] ?? 0) | (bytes[index + 1] ?? 0) << 8 | (bytes[index + 2] ?? 0) << 16;
    const code = (word >> (position & 7)) & mask;
    output[at] = symbols[code] ?? 0;
    position -= lengths[code] ?? 0;
    if (position + longest < 0) corrupt("a literal is missing");
  }
  if (position + longest !== 0) corrupt("literals are left over");
}
