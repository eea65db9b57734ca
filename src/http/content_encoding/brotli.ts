import { latin1Bytes } from "../body_text.ts";
import { createOutput, DecodingFailure, type Output } from "./output.ts";
import {
  type BitReader,
  createBitReader,
  createPrefixCode,
  type PrefixCode,
} from "./prefix_code.ts";
import { BROTLI_DICTIONARY, BROTLI_TRANSFORMS } from "./brotli_dictionary.ts";
import { decodeBareDeflate } from "./inflate.ts";

const DICTIONARY_SIZE = 122_784;
const SHORTEST = 4;
/** The number of bits that number the words of each length, beginning with the shortest (section 8). */
const INDEX_BITS = [10, 10, 11, 11, 10, 10, 10, 10, 10, 9, 9, 8, 7, 7, 8, 7, 7, 6, 6, 5, 5];

let dictionary: Uint8Array | undefined;

/** Unpacked when the first body refers to it. */
function getDictionary(): Uint8Array {
  return dictionary ??= decodeBareDeflate(latin1Bytes(atob(BROTLI_DICTIONARY)), DICTIONARY_SIZE);
}

/** Changes letters of one, two and three bytes as section 8 does: what it does is upper case for most. */
function raise(word: Uint8Array, all: boolean): void {
  for (let at = 0; at < word.length;) {
    const byte = word[at] ?? 0;
    const size = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : 3;
    const changed = at + size - 1;
    const old = word[changed];
    if (old !== undefined && (size > 1 || (byte >= 0x61 && byte <= 0x7a))) {
      word[changed] = old ^ (size === 3 ? 5 : 32);
    }
    if (!all) return;
    at += size;
  }
}

/** The bytes of a reference to the dictionary (RFC 7932, section 8); null for none. */
function transformWord(reference: number, length: number): Uint8Array | null {
  const bits = INDEX_BITS[length - SHORTEST];
  if (bits === undefined) return null;
  const [before, change, after] = BROTLI_TRANSFORMS[reference >> bits] ?? [];
  if (before === undefined || change === undefined || after === undefined) return null;
  const words = INDEX_BITS.slice(0, length - SHORTEST);
  const first = words.reduce((sum, count, index) => sum + (index + SHORTEST) * 2 ** count, 0);
  const start = first + (reference & ((1 << bits) - 1)) * length;
  const word = getDictionary().slice(start, start + length);
  if (change.startsWith("^")) raise(word, change === "^^");
  const count = Number(change.slice(1)) || 0;
  const kept = change.startsWith("<")
    ? word.subarray(count)
    : change.startsWith(">")
    ? word.subarray(0, Math.max(0, length - count))
    : word;
  return Uint8Array.from([...latin1Bytes(before), ...kept, ...latin1Bytes(after)]);
}

/** Chooses one of 64 codes for a literal by the two bytes before it (RFC 7932, section 7.1). */
type Context = (last: number, beforeLast: number) => number;

/** Classes of the last byte where it is ASCII: digits of base 16, to be taken times four. */
const ASCII_CLASSES =
  "000000000110010000000000000000002343353467338393bbbbbbbbbb886a733cdddcdddcdddddcdddddcddddd637333efffefffefffffefffffefffff63730";

function lastClass(byte: number): number {
  if (byte < 0x80) return Number.parseInt(ASCII_CLASSES.charAt(byte), 16) * 4;
  return (byte < 0xc0 ? 0 : 2) + (byte & 1);
}

function beforeLastClass(byte: number): number {
  if (byte >= 0xe0) return 2;
  if (byte <= 0x20 || byte >= 0x7f) return 0;
  const character = String.fromCharCode(byte);
  if (/[a-z]/.test(character)) return 3;
  return /[A-Z\d]/.test(character) ? 2 : 1;
}

function signedClass(byte: number): number {
  const steps = [0x01, 0x10, 0x40, 0x80, 0xc0, 0xf0, 0xff];
  return steps.filter((step) => byte >= step).length;
}

function makeTable(classOf: (byte: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => classOf(byte));
}

let contexts: readonly Context[] | undefined;

function createContexts(): readonly Context[] {
  const last = makeTable(lastClass);
  const beforeLast = makeTable(beforeLastClass);
  const signed = makeTable(signedClass);
  return [
    (one) => one & 0x3f,
    (one) => one >> 2,
    (one, other) => (last[one] ?? 0) | (beforeLast[other] ?? 0),
    (one, other) => (signed[one] ?? 0) << 3 | (signed[other] ?? 0),
  ];
}

function findContext(mode: number): Context {
  contexts ??= createContexts();
  return contexts[mode] ?? (() => 0);
}

/** Codes for ranges of numbers: the least number of each, and how many bits say how much more it is. */
interface Ranges {
  readonly bases: readonly number[];
  readonly bits: readonly number[];
}

function rangesFrom(first: number, bits: readonly number[]): Ranges {
  const bases: number[] = [];
  let base = first;
  for (const count of bits) {
    bases.push(base);
    base += 2 ** count;
  }
  return { bases, bits };
}

const BLOCK_COUNTS = rangesFrom(
  1,
  [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 24],
);
const INSERT_LENGTHS = rangesFrom(
  0,
  [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24],
);
const COPY_LENGTHS = rangesFrom(
  2,
  [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24],
);
/** The first insert and copy codes of each 64 of the combined codes (section 5). */
const FIRST_INSERT_CODES = [0, 0, 0, 0, 8, 8, 0, 16, 8, 16, 16];
const FIRST_COPY_CODES = [0, 8, 0, 8, 0, 8, 16, 0, 16, 8, 16];
/** Combined codes below this one use the last distance again. */
const FIRST_WITH_DISTANCE = 128;
const LENGTH_CODE_ORDER = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/** The numbers that short distance codes add to one of the last distances (section 4). */
const RECENT = [0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1];
const ADDED = [0, 0, 0, 0, -1, 1, -2, 2, -3, 3, -1, 1, -2, 2, -3, 3];

function corrupt(detail: string): never {
  throw new DecodingFailure("corrupt", detail);
}

function readRange(reader: BitReader, ranges: Ranges, code: number): number {
  return (ranges.bases[code] ?? 0) + reader.read(ranges.bits[code] ?? 0);
}

function readCount(reader: BitReader): number {
  if (reader.read(1) === 0) return 1;
  const bits = reader.read(3);
  return (1 << bits) + reader.read(bits) + 1;
}

function readWindowSize(reader: BitReader): number {
  if (reader.read(1) === 0) return (1 << 16) - 16;
  const large = reader.read(3);
  if (large !== 0) return (1 << (17 + large)) - 16;
  const small = reader.read(3);
  if (small === 1) return corrupt("the window size is invalid");
  return (1 << (small === 0 ? 17 : 8 + small)) - 16;
}

function readSimpleCode(reader: BitReader, alphabetSize: number): PrefixCode {
  const lengths = new Uint8Array(alphabetSize);
  const bits = 32 - Math.clz32(alphabetSize - 1);
  const symbols = Array.from({ length: reader.read(2) + 1 }, () => reader.read(bits));
  if (new Set(symbols).size < symbols.length) return corrupt("a symbol stands twice in a code");
  if (symbols.some((symbol) => symbol >= alphabetSize)) return corrupt("a symbol is out of range");
  const shape = [[1], [1, 1], [1, 2, 2], reader.peek() & 1 ? [1, 2, 3, 3] : [2, 2, 2, 2]][
    symbols.length - 1
  ];
  if (symbols.length === 4) reader.skip(1);
  symbols.forEach((symbol, index) => lengths[symbol] = shape?.[index] ?? 0);
  return createPrefixCode(lengths);
}

/** Reads how long the codes of the lengths are, in a code of its own that never changes. */
function readLengthCode(reader: BitReader, skipped: number): PrefixCode {
  const lengths = new Uint8Array(18);
  let space = 32;
  let used = 0;
  for (let at = skipped; at < 18 && space > 0; at++) {
    const bits = reader.peek() & 15;
    const [length, taken] = (bits & 3) !== 3
      ? [[0, 4, 3][bits & 3] ?? 0, 2]
      : (bits & 7) === 3
      ? [2, 3]
      : [bits === 7 ? 1 : 5, 4];
    reader.skip(taken);
    lengths[LENGTH_CODE_ORDER[at] ?? 0] = length;
    if (length === 0) continue;
    space -= 32 >> length;
    used++;
  }
  if (space !== 0 && used !== 1) return corrupt("a code of code lengths is incomplete");
  return createPrefixCode(lengths);
}

function readPrefixCode(reader: BitReader, alphabetSize: number): PrefixCode {
  const kind = reader.read(2);
  if (kind === 1) return readSimpleCode(reader, alphabetSize);
  const readLength = readLengthCode(reader, kind);
  const lengths = new Uint8Array(alphabetSize);
  let space = 1 << 15;
  let previous = 8;
  let repeated = -1;
  let run = 0;
  for (let symbol = 0; symbol < alphabetSize && space > 0;) {
    const length = readLength(reader);
    if (length < 16) {
      lengths[symbol++] = length;
      repeated = -1;
      if (length > 0) {
        previous = length;
        space -= (1 << 15) >> length;
      }
      continue;
    }
    const value = length === 16 ? previous : 0;
    if (repeated !== value) run = 0;
    repeated = value;
    const bits = length - 14;
    const longer = (run > 0 ? (run - 2) << bits : 0) + reader.read(bits) + 3;
    const added = longer - run;
    run = longer;
    if (symbol + added > alphabetSize) return corrupt("a code has too many symbols");
    lengths.fill(value, symbol, symbol + added);
    symbol += added;
    if (value > 0) space -= added * ((1 << 15) >> value);
  }
  if (space !== 0) return corrupt("a prefix code is not complete");
  return createPrefixCode(lengths);
}

function readContextMap(reader: BitReader, size: number): { map: Uint8Array; trees: number } {
  const trees = readCount(reader);
  const map = new Uint8Array(size);
  if (trees === 1) return { map, trees };
  const runs = reader.read(1) === 0 ? 0 : reader.read(4) + 1;
  const readSymbol = readPrefixCode(reader, trees + runs);
  for (let at = 0; at < size;) {
    const symbol = readSymbol(reader);
    if (symbol > runs) map[at++] = symbol - runs;
    else at += symbol === 0 ? 1 : (1 << symbol) + reader.read(symbol);
    if (at > size) return corrupt("a context map is too long");
  }
  if (reader.read(1) === 1) {
    const recent = Array.from({ length: 256 }, (_, index) => index);
    map.forEach((index, at) => {
      const [value = 0] = recent.splice(index, 1);
      recent.unshift(value);
      map[at] = value;
    });
  }
  return { map, trees };
}

/** The changes of block types in one category (section 6). */
interface Blocks {
  readonly types: number;
  next(): number;
}

function readBlocks(reader: BitReader): Blocks {
  const types = readCount(reader);
  if (types === 1) return { types, next: () => 0 };
  const readType = readPrefixCode(reader, types + 2);
  const readLength = readPrefixCode(reader, 26);
  let left = readRange(reader, BLOCK_COUNTS, readLength(reader));
  let type = 0;
  let previous = 1;
  return {
    types,
    next: (): number => {
      if (left === 0) {
        const code = readType(reader);
        const chosen = code === 0 ? previous : code === 1 ? (type + 1) % types : code - 2;
        previous = type;
        type = chosen;
        left = readRange(reader, BLOCK_COUNTS, readLength(reader));
      }
      left--;
      return type;
    },
  };
}

interface Stream {
  readonly reader: BitReader;
  readonly output: Output;
  readonly windowSize: number;
  /** The last four distances, the latest first. */
  distances: readonly number[];
}

/** Adds the word of the dictionary that a distance beyond the output stands for (section 8). */
function appendWord(output: Output, word: number, length: number, most: number): number {
  const bytes = transformWord(word, length);
  if (bytes === null) return corrupt("a distance leads before the start");
  if (bytes.length > most) return corrupt("a word is longer than its block");
  output.append(bytes);
  return bytes.length;
}

function decodeBlock(stream: Stream, length: number): void {
  const { reader, output, windowSize } = stream;
  const literalBlocks = readBlocks(reader);
  const commandBlocks = readBlocks(reader);
  const distanceBlocks = readBlocks(reader);
  const postfixBits = reader.read(2);
  const directCodes = reader.read(4) << postfixBits;
  const contexts: readonly Context[] = Array.from(
    { length: literalBlocks.types },
    () => findContext(reader.read(2)),
  );
  const literalMap = readContextMap(reader, literalBlocks.types * 64);
  const distanceMap = readContextMap(reader, distanceBlocks.types * 4);
  const readCodes = (count: number, size: number): PrefixCode[] =>
    Array.from({ length: count }, () => readPrefixCode(reader, size));
  const literalCodes = readCodes(literalMap.trees, 256);
  const commandCodes = readCodes(commandBlocks.types, 704);
  const distanceCodes = readCodes(distanceMap.trees, 16 + directCodes + (48 << postfixBits));

  function decodeSymbol(codes: readonly PrefixCode[], index: number): number {
    const code = codes[index];
    return code === undefined ? corrupt("a code is missing") : code(reader);
  }

  function readDistance(copyLength: number): number {
    const context = distanceBlocks.next() * 4 + Math.min(copyLength, 5) - 2;
    const code = decodeSymbol(distanceCodes, distanceMap.map[context] ?? 0);
    if (code < 16) {
      const distance = (stream.distances[RECENT[code] ?? 0] ?? 0) + (ADDED[code] ?? 0);
      return code === 0
        ? -distance
        : distance > 0
        ? distance
        : corrupt("a distance is not positive");
    }
    if (code < 16 + directCodes) return code - 15;
    const rest = code - directCodes - 16;
    const high = rest >> postfixBits;
    const low = rest & ((1 << postfixBits) - 1);
    const bits = 1 + (high >> 1);
    const offset = (2 + (high & 1)) * 2 ** bits - 4 + reader.read(bits);
    return offset * 2 ** postfixBits + low + directCodes + 1;
  }

  let left = length;
  while (left > 0) {
    const command = decodeSymbol(commandCodes, commandBlocks.next());
    const cell = command >> 6;
    const insertCode = (FIRST_INSERT_CODES[cell] ?? 0) + ((command >> 3) & 7);
    const copyCode = (FIRST_COPY_CODES[cell] ?? 0) + (command & 7);
    const insertLength = readRange(reader, INSERT_LENGTHS, insertCode);
    const copyLength = readRange(reader, COPY_LENGTHS, copyCode);
    if (insertLength > left) corrupt("literals are more than their block");
    output.reserve(insertLength);
    const { bytes } = output;
    const end = output.length + insertLength;
    while (output.length < end) {
      const type = literalBlocks.next();
      const context = contexts[type]?.(
        bytes[output.length - 1] ?? 0,
        bytes[output.length - 2] ?? 0,
      );
      const code = literalMap.map[type * 64 + (context ?? 0)] ?? 0;
      bytes[output.length++] = decodeSymbol(literalCodes, code);
    }
    left -= insertLength;
    if (left === 0) return;

    // A negative distance is the last one again, which is not noted anew.
    const found = command < FIRST_WITH_DISTANCE
      ? -(stream.distances[0] ?? 0)
      : readDistance(copyLength);
    const distance = Math.abs(found);
    const farthest = Math.min(windowSize, output.length);
    if (distance > farthest) {
      left -= appendWord(output, distance - farthest - 1, copyLength, left);
      continue;
    }
    if (copyLength > left) corrupt("a copy is longer than its block");
    if (found > 0) stream.distances = [found, ...stream.distances.slice(0, 3)];
    output.repeat(distance, copyLength);
    left -= copyLength;
  }
}

/** Reads the length of a meta-block; null for one of metadata, which it skips. */
function readBlockLength(reader: BitReader): number | null {
  const nibbles = reader.read(2) + 4;
  if (nibbles === 7) {
    if (reader.read(1) !== 0) return corrupt("a reserved bit is set");
    const count = reader.read(2);
    const length = count === 0 ? 0 : reader.read(count * 8) + 1;
    if (count > 1 && length - 1 < 2 ** (8 * (count - 1))) return corrupt("a length is too long");
    reader.align();
    reader.readBytes(length);
    return null;
  }
  const low = reader.read(16);
  const high = reader.read((nibbles - 4) * 4);
  if (nibbles > 4 && high < 2 ** ((nibbles - 5) * 4)) return corrupt("a length is too long");
  return high * 2 ** 16 + low + 1;
}

/** Undoes Brotli (RFC 7932); throws a DecodingFailure. */
export function decodeBrotli(bytes: Uint8Array, limit: number): Uint8Array {
  const reader = createBitReader(bytes);
  const output = createOutput(limit);
  const stream: Stream = {
    reader,
    output,
    windowSize: readWindowSize(reader),
    distances: [4, 11, 15, 16],
  };
  for (let last = false; !last;) {
    last = reader.read(1) === 1;
    if (last && reader.read(1) === 1) break;
    const length = readBlockLength(reader);
    if (length === null) continue;
    if (!last && reader.read(1) === 1) {
      reader.align();
      output.append(reader.readBytes(length));
    } else {
      decodeBlock(stream, length);
    }
  }
  return output.bytes.subarray(0, output.length);
}
