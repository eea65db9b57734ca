import { DecodingFailure, type FailureCode } from "./failure.ts";
import { createOutput, type Output } from "./output.ts";
import { xxhash64 } from "./xxhash64.ts";
import {
  createBackwardReader,
  createConstantTable,
  createFseTable,
  decodeHuffman,
  type FseTable,
  type HuffmanTable,
  readFseTable,
  readHuffmanTable,
} from "./zstd_entropy.ts";

const MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a5;
const LARGEST_BLOCK = 128 * 1024;

/** One of the three numbers that a sequence is made of, and how it is coded (section 3.1.1.3.2). */
interface Field {
  readonly largestAccuracy: number;
  readonly largestCode: number;
  readonly accuracy: number;
  readonly distribution: readonly number[];
}

function shares(...runs: readonly (readonly [share: number, count: number])[]): number[] {
  return runs.flatMap(([share, count]) => new Array<number>(count).fill(share));
}

const LITERALS: Field = {
  largestAccuracy: 9,
  largestCode: 35,
  accuracy: 6,
  distribution: shares([4, 1], [3, 1], [2, 11], [1, 3], [2, 9], [3, 1], [2, 1], [1, 5], [-1, 4]),
};
const OFFSETS: Field = {
  largestAccuracy: 8,
  largestCode: 31,
  accuracy: 5,
  distribution: shares([1, 6], [2, 3], [1, 15], [-1, 5]),
};
const MATCHES: Field = {
  largestAccuracy: 9,
  largestCode: 52,
  accuracy: 6,
  distribution: shares([1, 1], [4, 1], [3, 1], [2, 6], [1, 37], [-1, 7]),
};
const LITERAL_BITS = [
  ...shares([0, 16], [1, 4], [2, 2], [3, 2]),
  4,
  6,
  7,
  8,
  9,
  10,
  11,
  12,
  13,
  14,
  15,
  16,
];
const MATCH_BITS = [
  ...shares([0, 32], [1, 4], [2, 2], [3, 2], [4, 2]),
  5,
  7,
  8,
  9,
  10,
  11,
  12,
  13,
  14,
  15,
  16,
];

function basesFrom(first: number, bits: readonly number[]): number[] {
  let base = first;
  return bits.map((count) => {
    const own = base;
    base += 2 ** count;
    return own;
  });
}

const LITERAL_BASES = basesFrom(0, LITERAL_BITS);
const MATCH_BASES = basesFrom(3, MATCH_BITS);

/** The state that blocks of one frame pass to the next. */
interface Frame {
  readonly output: Output;
  /** The offset of the frame in the output. */
  readonly start: number;
  readonly largestBlock: number;
  huffman: HuffmanTable | null;
  readonly tables: Map<Field, FseTable>;
  offsets: readonly [number, number, number];
}

function corrupt(detail: string): never {
  throw new DecodingFailure("corrupt", detail);
}

/** Takes bytes one part after the other. */
interface Bytes {
  readonly left: number;
  take(count: number): Uint8Array;
  /** A number of up to 6 bytes, the lowest first. */
  number(size: number): number;
  rest(): Uint8Array;
}

/** Takes parts of bytes; `missing` says what it means that there are too few. */
function createBytes(bytes: Uint8Array, missing: FailureCode): Bytes {
  let at = 0;
  return {
    get left(): number {
      return bytes.length - at;
    },
    take(count) {
      if (at + count > bytes.length) throw new DecodingFailure(missing);
      return bytes.subarray(at, at += count);
    },
    number(size) {
      return this.take(size).reduceRight((value, byte) => value * 256 + byte, 0);
    },
    rest() {
      return bytes.subarray(at);
    },
  };
}

/** Reads the literals of a block (section 3.1.1.3.1). */
function readLiterals(block: Bytes, frame: Frame): Uint8Array {
  const [head = 0] = block.rest();
  const type = head & 3;
  const format = (head >> 2) & 3;
  if (type < 2) {
    const size = format === 1 ? 2 : format === 3 ? 3 : 1;
    const count = block.number(size) >> (size === 1 ? 3 : 4);
    if (count > frame.largestBlock) return corrupt("literals are larger than a block");
    return type === 0 ? block.take(count) : new Uint8Array(count).fill(block.number(1));
  }
  const bits = format < 2 ? 10 : format === 2 ? 14 : 18;
  const sizes = block.number(format < 2 ? 3 : format + 2);
  const count = Math.floor(sizes / 16) % 2 ** bits;
  const coded = createBytes(block.take(Math.floor(sizes / 2 ** (4 + bits))), "corrupt");
  if (count > frame.largestBlock) return corrupt("literals are larger than a block");
  if (type === 2) {
    const { table, size } = readHuffmanTable(coded.rest());
    coded.take(size);
    frame.huffman = table;
  }
  const { huffman } = frame;
  if (huffman === null) return corrupt("there is no Huffman table to use again");
  const literals = new Uint8Array(count);
  if (format === 0) {
    decodeHuffman(huffman, coded.rest(), literals);
    return literals;
  }
  const lengths = [coded.number(2), coded.number(2), coded.number(2)];
  const quarter = (count + 3) >> 2;
  if (quarter * 3 > count) return corrupt("four streams share too few literals");
  lengths.forEach((length, index) => {
    const part = literals.subarray(index * quarter, (index + 1) * quarter);
    decodeHuffman(huffman, coded.take(length), part);
  });
  decodeHuffman(huffman, coded.rest(), literals.subarray(quarter * 3));
  return literals;
}

const predefined = new Map<Field, FseTable>();

/** The table of a field that blocks without tables of their own use; made when the first of them needs it. */
function predefinedTable(field: Field): FseTable {
  let table = predefined.get(field);
  if (table === undefined) {
    predefined.set(field, table = createFseTable(field.distribution, field.accuracy));
  }
  return table;
}

function readTable(block: Bytes, frame: Frame, field: Field, mode: number): FseTable {
  let table: FseTable | undefined;
  if (mode === 0) {
    table = predefinedTable(field);
  } else if (mode === 1) {
    const code = block.number(1);
    if (code > field.largestCode) return corrupt("a code is too large");
    table = createConstantTable(code);
  } else if (mode === 2) {
    const read = readFseTable(block.rest(), field.largestAccuracy, field.largestCode);
    block.take(read.size);
    table = read.table;
  } else {
    table = frame.tables.get(field);
  }
  if (table === undefined) return corrupt("there is no table to use again");
  frame.tables.set(field, table);
  return table;
}

function readSequenceCount(block: Bytes): number {
  const first = block.number(1);
  if (first < 128) return first;
  return first < 255 ? (first - 128) * 256 + block.number(1) : block.number(2) + 0x7f00;
}

/** Finds the offset that a value stands for, and notes it (section 3.1.1.5). */
function resolveOffset(frame: Frame, value: number, literalLength: number): number {
  const [first, second, third] = frame.offsets;
  const recent = value + (literalLength === 0 ? 1 : 0);
  if (value > 3) frame.offsets = [value - 3, first, second];
  else if (recent === 2) frame.offsets = [second, first, third];
  else if (recent === 3) frame.offsets = [third, first, second];
  else if (recent === 4) frame.offsets = [first - 1, first, second];
  return frame.offsets[0];
}

/** Decodes a compressed block (section 3.1.1.3). */
function decodeBlock(bytes: Uint8Array, frame: Frame): void {
  const { output } = frame;
  const block = createBytes(bytes, "corrupt");
  const literals = readLiterals(block, frame);
  const count = readSequenceCount(block);
  if (count === 0) {
    if (block.left > 0) corrupt("a block is longer than its content");
    output.append(literals);
    return;
  }
  const modes = block.number(1);
  if ((modes & 3) !== 0) corrupt("a reserved bit is set");
  const literalTable = readTable(block, frame, LITERALS, modes >> 6);
  const offsetTable = readTable(block, frame, OFFSETS, (modes >> 4) & 3);
  const matchTable = readTable(block, frame, MATCHES, (modes >> 2) & 3);
  const reader = createBackwardReader(block.rest());
  let literalState = reader.read(literalTable.accuracy);
  let offsetState = reader.read(offsetTable.accuracy);
  let matchState = reader.read(matchTable.accuracy);
  const end = output.length + frame.largestBlock;
  let used = 0;

  const follow = (table: FseTable, state: number): number =>
    (table.bases[state] ?? 0) + reader.read(table.bits[state] ?? 0);

  for (let left = count; left > 0; left--) {
    const offsetCode = offsetTable.symbols[offsetState] ?? 0;
    const matchCode = matchTable.symbols[matchState] ?? 0;
    const literalCode = literalTable.symbols[literalState] ?? 0;
    const value = 2 ** offsetCode + reader.read(offsetCode);
    const matchLength = (MATCH_BASES[matchCode] ?? 0) + reader.read(MATCH_BITS[matchCode] ?? 0);
    const literalLength = (LITERAL_BASES[literalCode] ?? 0) +
      reader.read(LITERAL_BITS[literalCode] ?? 0);
    if (left > 1) {
      literalState = follow(literalTable, literalState);
      matchState = follow(matchTable, matchState);
      offsetState = follow(offsetTable, offsetState);
    }
    if (reader.left < 0) corrupt("sequences end too early");
    if (used + literalLength > literals.length) corrupt("literals are missing");
    output.append(literals.subarray(used, used += literalLength));
    const offset = resolveOffset(frame, value, literalLength);
    if (offset < 1 || offset > output.length - frame.start) {
      corrupt("an offset leads before the start");
    }
    if (output.length + matchLength > end) corrupt("a block is too large");
    output.repeat(offset, matchLength);
  }
  if (reader.left !== 0) corrupt("sequences are left over");
  output.append(literals.subarray(used));
  if (output.length > end) corrupt("a block is too large");
}

/** Decodes a frame after its magic number (section 3.1.1). */
function decodeFrame(bytes: Bytes, output: Output): void {
  const descriptor = bytes.number(1);
  const single = (descriptor & 0x20) !== 0;
  if ((descriptor & 0x08) !== 0) corrupt("a reserved bit is set");
  const window = single ? 0 : bytes.number(1);
  const base = 2 ** (10 + (window >> 3));
  if (bytes.number([0, 1, 2, 4][descriptor & 3] ?? 0) !== 0) corrupt("it needs a dictionary");
  const sizeBytes = [single ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const size = sizeBytes === 8
    ? bytes.number(4) + bytes.number(4) * 2 ** 32
    : bytes.number(sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  const start = output.length;
  if (sizeBytes > 0) output.reserve(size);
  const windowSize = single ? size : base + (base / 8) * (window & 7);
  const frame: Frame = {
    output,
    start,
    largestBlock: Math.min(LARGEST_BLOCK, windowSize),
    huffman: null,
    tables: new Map(),
    offsets: [1, 4, 8],
  };
  for (let last = false; !last;) {
    const head = bytes.number(3);
    last = (head & 1) === 1;
    const type = (head >> 1) & 3;
    const length = head >> 3;
    if (type === 3) corrupt("a block has no known type");
    if (length > frame.largestBlock) corrupt("a block is too large");
    if (type === 0) {
      output.append(bytes.take(length));
    } else if (type === 1) {
      const byte = bytes.number(1);
      output.reserve(length);
      output.bytes.fill(byte, output.length, output.length += length);
    } else {
      decodeBlock(bytes.take(length), frame);
    }
  }
  if (sizeBytes > 0 && output.length - start !== size) {
    corrupt("a frame is not as large as it says");
  }
  if ((descriptor & 0x04) === 0) return;
  const checksum = bytes.number(4);
  if (checksum !== xxhash64(output.bytes.subarray(start, output.length))) {
    corrupt("the checksum is wrong");
  }
}

/**
 * Undoes Zstandard (RFC 8878): all its frames, with their checksums where they have some.
 *
 * @throws {DecodingFailure}
 */
export function decodeZstd(bytes: Uint8Array, limit: number): Uint8Array {
  const input = createBytes(bytes, "truncated");
  const output = createOutput(limit);
  while (input.left > 0) {
    const magic = input.number(4);
    if (magic === MAGIC) decodeFrame(input, output);
    else if (Math.floor(magic / 16) === SKIPPABLE_MAGIC) input.take(input.number(4));
    else corrupt("it does not begin as a frame");
  }
  return output.bytes.subarray(0, output.length);
}
