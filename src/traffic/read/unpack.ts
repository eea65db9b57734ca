import { Inflate } from "pako";
import { InputLimitError } from "../../values/input_limits.ts";
import type { Problems } from "../formats/recording.ts";

export type Packing = "gzip" | "zip" | "zlib" | "utf-16be" | "utf-16le" | "utf-8";

/** Size of the pieces to decompress: if the data are broken, at most one piece is lost. */
const PIECE = 1 << 14;

/** Limit for nested compression: there are files that decompress to themselves. */
const MAX_PACKED = 3;

/** zlib's `Z_SYNC_FLUSH`: outputs all available data after each piece. */
const SYNC_FLUSH = 2;
/** zlib's `Z_BUF_ERROR`: the input ended too early. */
const NO_INPUT = -5;

export function recognizePacking(start: Uint8Array): Packing {
  const [first = 0, second = 0, third = 0, fourth = 0] = start;
  if (first === 0x1f && second === 0x8b) return "gzip";
  if (first === 0x50 && second === 0x4b && third === 3 && fourth === 4) return "zip";
  // RFC 1950, section 2.2: deflate with a window of 32 KiB, and a checksum.
  if (first === 0x78 && (first * 256 + second) % 31 === 0 && (second & 0x20) === 0) return "zlib";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return "utf-8";
}

/** Decompresses gzip and zlib and converts UTF-16 to UTF-8, as bytes arrive. Yields all data before an error. */
export async function* unpack(
  source: AsyncIterable<Uint8Array>,
  problems: Problems,
  depth = 0,
): AsyncGenerator<Uint8Array> {
  const [start, chunks] = await peek(source);
  const packing = recognizePacking(start);
  switch (packing) {
    case "gzip":
    case "zlib":
      if (depth === MAX_PACKED) {
        throw new InputLimitError(
          `It is compressed more than ${MAX_PACKED} times over. Decompress it first.`,
        );
      }
      yield* unpack(inflate(chunks, packing, problems), problems, depth + 1);
      return;
    case "utf-16be":
    case "utf-16le":
      yield* transcode(chunks, packing);
      return;
    default:
      yield* withoutMark(start, chunks);
  }
}

/** Returns the first four bytes, or all if there are fewer, and a source that still includes them. */
export async function peek(
  source: AsyncIterable<Uint8Array>,
): Promise<[start: Uint8Array, chunks: AsyncGenerator<Uint8Array>]> {
  const iterator = source[Symbol.asyncIterator]();
  const start: number[] = [];
  const waiting: Uint8Array[] = [];
  while (start.length < 4) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    waiting.push(value);
    start.push(...value.subarray(0, 4 - start.length));
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      while (true) {
        const chunk = waiting.shift();
        if (chunk !== undefined) {
          yield chunk;
          continue;
        }
        const { done, value } = await iterator.next();
        if (done === true) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return [Uint8Array.from(start), chunks()];
}

async function* inflate(
  source: AsyncIterable<Uint8Array>,
  packing: "gzip" | "zlib",
  problems: Problems,
): AsyncGenerator<Uint8Array> {
  const done: Uint8Array[] = [];
  const begin = (): Inflate => {
    const inflator = new Inflate({ windowBits: packing === "gzip" ? 31 : 15 });
    inflator.onData = (bytes): void => void done.push(bytes);
    return inflator;
  };
  let inflator = begin();
  let offset = 0;
  const push = (bytes: Uint8Array, flush: boolean | 2): boolean => {
    if (inflator.ended) {
      // Within a piece, pako goes on with the next of several joined files; zeros after the last one are padding.
      if ((bytes[0] ?? 0) === 0) return true;
      inflator = begin();
    }
    inflator.push(bytes, flush);
    if (inflator.err === 0) return true;
    const isCut = inflator.err === NO_INPUT;
    problems.add(
      `the compressed data ${
        isCut ? "ends too early" : `is damaged (${inflator.msg})`
      }: the rest is left out`,
      `byte ${offset.toLocaleString("en-US")}`,
    );
    return false;
  };
  for await (const chunk of source) {
    for (let start = 0; start < chunk.length; start += PIECE) {
      const piece = chunk.subarray(start, start + PIECE);
      const isWhole = push(piece, SYNC_FLUSH);
      yield* done.splice(0);
      if (!isWhole) return;
      offset += piece.length;
    }
  }
  push(new Uint8Array(0), true);
  yield* done;
}

async function* transcode(
  source: AsyncIterable<Uint8Array>,
  encoding: "utf-16be" | "utf-16le",
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of source) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}

async function* withoutMark(
  start: Uint8Array,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let left = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? 3 : 0;
  for await (const chunk of source) {
    const skipped = Math.min(left, chunk.length);
    left -= skipped;
    yield skipped === 0 ? chunk : chunk.subarray(skipped);
  }
}
