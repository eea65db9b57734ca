import { Inflate } from "pako";
import { DecodingFailure } from "./failure.ts";
import { createOutput } from "./output.ts";

const LARGEST_CHUNK = 65_536;
const SMALLEST_CHUNK = 1024;
/** zlib's `Z_BUF_ERROR`: there was no more input. */
const NO_INPUT = -5;

function inflate(bytes: Uint8Array, limit: number, windowBits: number): Uint8Array {
  const output = createOutput(limit);
  const chunkSize = Math.max(SMALLEST_CHUNK, Math.min(LARGEST_CHUNK, bytes.length * 4));
  const inflator = new Inflate({ windowBits, chunkSize });
  // An exception is what stops the decoder between two chunks.
  inflator.onData = (chunk): void => output.append(chunk);
  inflator.push(bytes, true);
  if (inflator.err === NO_INPUT) throw new DecodingFailure("truncated");
  if (inflator.err !== 0) throw new DecodingFailure("corrupt", inflator.msg);
  return output.bytes.subarray(0, output.length);
}

/**
 * Undoes gzip (RFC 1952), with all its members.
 *
 * @throws {DecodingFailure}
 */
export function decodeGzip(bytes: Uint8Array, limit: number): Uint8Array {
  return inflate(bytes, limit, 31);
}

/**
 * Undoes the bare format of DEFLATE (RFC 1951).
 *
 * @throws {DecodingFailure}
 */
export function decodeBareDeflate(bytes: Uint8Array, limit: number): Uint8Array {
  return inflate(bytes, limit, -15);
}

function hasZlibHeader(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes;
  return (method & 0x8f) === 8 && (method * 256 + flags) % 31 === 0;
}

/**
 * Undoes `deflate`: the zlib format (RFC 1950) that the name stands for, or the bare one (RFC 1951) that
 * some servers send in its place.
 *
 * @throws {DecodingFailure}
 */
export function decodeDeflate(bytes: Uint8Array, limit: number): Uint8Array {
  if (!hasZlibHeader(bytes)) return decodeBareDeflate(bytes, limit);
  try {
    return inflate(bytes, limit, 15);
  } catch (error) {
    if (!(error instanceof DecodingFailure) || error.code !== "corrupt") throw error;
    // One in a thousand bare streams begins like the zlib format.
    try {
      return decodeBareDeflate(bytes, limit);
    } catch {
      throw error;
    }
  }
}
