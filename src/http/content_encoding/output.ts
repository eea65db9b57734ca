export type FailureCode = "corrupt" | "truncated" | "too_large" | "no_decoder";

/** Thrown by the decoders; `decodeContent` says it in a sentence. */
export class DecodingFailure extends Error {
  readonly code: FailureCode;

  /** Makes the failure, with what is wrong with the data where that is known. */
  constructor(code: FailureCode, detail = "") {
    super(detail);
    this.name = "DecodingFailure";
    this.code = code;
  }
}

const FIRST_CAPACITY = 4096;

/** Bytes that grow as a decoder adds to them, up to a limit. */
export interface Output {
  /** The bytes added so far, and room for more. {@linkcode Output.reserve} may replace the array. */
  bytes: Uint8Array;
  length: number;
  /** Makes room for more bytes; throws a DecodingFailure before it allocates more than the limit. */
  reserve(count: number): void;
  append(bytes: Uint8Array): void;
  /** Adds `count` bytes that begin `distance` bytes before the end; they may overlap with what is added. */
  repeat(distance: number, count: number): void;
}

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
