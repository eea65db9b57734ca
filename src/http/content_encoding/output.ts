import { DecodingFailure } from "./failure.ts";

const FIRST_CAPACITY = 4096;

/** Bytes that grow as a decoder adds to them, up to a limit. */
export interface Output {
  /** The bytes added so far, and room for more. {@linkcode Output.reserve} may replace the array. */
  bytes: Uint8Array;
  /** The number of bytes that have been added. */
  length: number;
  /**
   * Makes room for `count` more bytes.
   *
   * @throws {DecodingFailure} before anything is allocated, if that is more than the limit.
   */
  reserve(count: number): void;
  /** Adds bytes. */
  append(bytes: Uint8Array): void;
  /** Adds `count` bytes that begin `distance` bytes before the end; they may overlap with what is added. */
  repeat(distance: number, count: number): void;
}

/** Makes an empty output that takes `limit` bytes at most. */
export function createOutput(limit: number): Output {
  const output: Output = {
    bytes: new Uint8Array(Math.min(limit, FIRST_CAPACITY)),
    length: 0,
    reserve(count) {
      const needed = output.length + count;
      if (needed > limit) throw new DecodingFailure("too_large");
      if (needed <= output.bytes.length) return;
      const larger = new Uint8Array(Math.min(limit, Math.max(needed, output.bytes.length * 2)));
      larger.set(output.bytes.subarray(0, output.length));
      output.bytes = larger;
    },
    append(added) {
      output.reserve(added.length);
      output.bytes.set(added, output.length);
      output.length += added.length;
    },
    repeat(distance, count) {
      output.reserve(count);
      const { bytes, length } = output;
      const start = length - distance;
      if (distance === 1) {
        bytes.fill(bytes[start] ?? 0, length, length + count);
      } else if (distance >= count) {
        bytes.copyWithin(length, start, start + count);
      } else {
        for (let index = 0; index < count; index++) {
          bytes[length + index] = bytes[start + index] ?? 0;
        }
      }
      output.length += count;
    },
  };
  return output;
}
