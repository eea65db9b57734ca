import { Inflate } from "pako";
import { platformZlib } from "../values/builtin.ts";
import { concatBytes } from "../values/collections.ts";

type FailureCode = "corrupt" | "truncated" | "too_large" | "no_decoder";

/** Thrown by the decoders; `decodeContent` turns it into an error with a sentence. */
class DecodingFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, detail = "") {
    super(detail);
    this.name = "DecodingFailure";
    this.code = code;
  }
}

const FRAME_MAGIC = 0xfd2fb528;
/** The magic number of skippable frames, whose last four bits vary. */
const SKIPPABLE_MAGIC = 0x184d2a50;
const RLE_BLOCK = 1;

/** Decodes Zstandard (RFC 8878), frame by frame: the platform's decoder reads a truncated frame as an empty one. */
function decodeZstd(bytes: Uint8Array, limit: number): Uint8Array {
  const { zstdDecompressSync: decompress } = platformZlib();
  if (decompress === undefined) throw new DecodingFailure("no_decoder");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const output = new LimitedOutput(limit);
  for (let at = 0; at < bytes.length;) {
    const magic = readNumber(view, at, 4);
    const isSkippable = ((magic ^ SKIPPABLE_MAGIC) >>> 0) < 16;
    if (!isSkippable && magic !== FRAME_MAGIC) {
      throw new DecodingFailure("corrupt", "no frame of Zstandard begins here");
    }
    const end = isSkippable ? at + 8 + readNumber(view, at + 4, 4) : frameEnd(view, at + 4);
    if (end > bytes.length) throw new DecodingFailure("truncated");
    const frame = bytes.subarray(at, end);
    if (!isSkippable) {
      output.append(runDecoder(() => decompress(frame, { maxOutputLength: limit })));
    }
    at = end;
  }
  return output.content();
}

/**
 * Decodes Brotli (RFC 7932). Deno's decoder reports no errors: for a truncated stream it returns what it has. Therefore
 * a byte is added, which is read only if the stream is incomplete; at an error, the decoder leaves bytes unread.
 */
function decodeBrotli(bytes: Uint8Array, limit: number): Uint8Array {
  const { brotliDecompressSync: decompress } = platformZlib();
  if (decompress === undefined) throw new DecodingFailure("no_decoder");
  const longer = new Uint8Array(bytes.length + 1);
  longer.set(bytes);
  const options = { maxOutputLength: limit, info: true } as const;
  const { buffer, engine } = runDecoder(() => decompress(longer, options));
  if (engine.bytesWritten > bytes.length) throw new DecodingFailure("truncated");
  if (engine.bytesWritten < bytes.length) throw new DecodingFailure("corrupt");
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}

function runDecoder<Result>(decompress: () => Result): Result {
  try {
    return decompress();
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    if (code === "ERR_BUFFER_TOO_LARGE") throw new DecodingFailure("too_large");
    if (code === "Z_BUF_ERROR") throw new DecodingFailure("truncated");
    throw new DecodingFailure("corrupt", message.replace(/^Zstd decompress error: /, ""));
  }
}

/** Returns the end of a frame whose header, after the magic number, begins at `start` (section 3.1.1). */
function frameEnd(view: DataView, start: number): number {
  const descriptor = readNumber(view, start, 1);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const checksumBytes = (descriptor & 4) === 0 ? 0 : 4;
  let at = start + 1 + (isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes;
  for (let isLast = false; !isLast;) {
    const header = readNumber(view, at, 3);
    isLast = (header & 1) === 1;
    at += 3 + (((header >> 1) & 3) === RLE_BLOCK ? 1 : header >> 3);
  }
  return at + checksumBytes;
}

/** Reads a little-endian number of up to four bytes. */
function readNumber(view: DataView, at: number, size: number): number {
  if (at + size > view.byteLength) throw new DecodingFailure("truncated");
  let value = 0;
  for (let index = size - 1; index >= 0; index -= 1) {
    value = value * 256 + view.getUint8(at + index);
  }
  return value;
}

class LimitedOutput {
  readonly #limit: number;
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  append(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > this.#limit) throw new DecodingFailure("too_large");
    this.#parts.push(bytes);
  }

  content(): Uint8Array {
    return concatBytes(this.#parts);
  }
}

const MAX_CHUNK = 65_536;
const SMALLEST_CHUNK = 1024;
/** zlib's `Z_BUF_ERROR`: the input ended too early. */
const NO_INPUT = -5;
/** Window bits for gzip (RFC 1952) with all its members, the zlib format (RFC 1950), and raw DEFLATE (RFC 1951). */
const [GZIP, ZLIB, RAW] = [31, 15, -15] as const;

function inflate(bytes: Uint8Array, limit: number, windowBits: number): Uint8Array {
  const output = new LimitedOutput(limit);
  const chunkSize = Math.max(SMALLEST_CHUNK, Math.min(MAX_CHUNK, bytes.length * 4));
  const inflator = new Inflate({ windowBits, chunkSize });
  // Only an exception stops the decoder between two chunks.
  inflator.onData = (chunk): void => output.append(chunk);
  inflator.push(bytes, true);
  if (inflator.err === NO_INPUT) throw new DecodingFailure("truncated");
  if (inflator.err !== 0) throw new DecodingFailure("corrupt", inflator.msg);
  return output.content();
}

function hasZlibHeader(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes;
  return (method & 0x8f) === 8 && (method * 256 + flags) % 31 === 0;
}

/** Decodes `deflate`: the zlib format (RFC 1950), or raw DEFLATE (RFC 1951), which some servers send instead. */
function decodeDeflate(bytes: Uint8Array, limit: number): Uint8Array {
  if (!hasZlibHeader(bytes)) return inflate(bytes, limit, RAW);
  try {
    return inflate(bytes, limit, ZLIB);
  } catch (error) {
    if (!(error instanceof DecodingFailure) || error.code !== "corrupt") throw error;
    // One in a thousand raw streams begins like the zlib format.
    try {
      return inflate(bytes, limit, RAW);
    } catch {
      throw error;
    }
  }
}

export const DEFAULT_MAX_BYTES: number = 64 * 1024 * 1024;

type Decoder = (bytes: Uint8Array, limit: number) => Uint8Array;

const decodeGzip: Decoder = (bytes, limit) => inflate(bytes, limit, GZIP);

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ["identity", (bytes) => bytes],
  ["gzip", decodeGzip],
  ["x-gzip", decodeGzip],
  ["deflate", decodeDeflate],
  ["br", decodeBrotli],
  ["zstd", decodeZstd],
]);

export class ContentEncodingError extends TypeError {
  readonly code: "unknown_encoding" | FailureCode;
  /** The encoding that failed, in lower case. */
  readonly encoding: string;

  constructor(
    sentence: string,
    details: { code: ContentEncodingError["code"]; encoding: string; cause?: unknown },
  ) {
    super(sentence, { cause: details.cause });
    this.name = "ContentEncodingError";
    this.code = details.code;
    this.encoding = details.encoding;
  }
}

function failureSentence(failure: DecodingFailure, encoding: string, limit: number): string {
  const start = `Cannot undo the Content-Encoding ${encoding}: `;
  switch (failure.code) {
    case "truncated":
      return `${start}the body ends too early.`;
    case "too_large":
      return `${start}the body would be larger than the limit of ${limit} bytes.`;
    case "no_decoder":
      return `${start}this platform has no decoder for it.`;
    case "corrupt":
      return `${start}the body is corrupt${failure.message === "" ? "" : ` (${failure.message})`}.`;
  }
}

export function tryDecodeContent(
  bytes: Uint8Array,
  contentEncoding: string,
): Uint8Array | undefined {
  try {
    return decodeContent(bytes, contentEncoding);
  } catch (error) {
    if (error instanceof ContentEncodingError) return undefined;
    throw error;
  }
}

/**
 * Undoes the encodings of a Content-Encoding header (RFC 9110, section 8.4), the last one first: `gzip`, `x-gzip`,
 * `deflate`, `br`, `zstd` and `identity`. An empty body stays empty, as in the response to a HEAD request.
 * Throws a ContentEncodingError.
 */
export function decodeContent(
  bytes: Uint8Array,
  contentEncoding: string,
  limit: number = DEFAULT_MAX_BYTES,
): Uint8Array {
  let content = bytes;
  for (const name of contentEncoding.split(",").reverse()) {
    const encoding = name.trim().toLowerCase();
    if (encoding === "") continue;
    const decode = DECODERS.get(encoding);
    if (decode === undefined) {
      throw new ContentEncodingError(
        `Cannot undo the Content-Encoding ${JSON.stringify(encoding)}: ` +
          `the encodings that covtool knows are ${[...DECODERS.keys()].join(", ")}.`,
        { code: "unknown_encoding", encoding },
      );
    }
    if (content.length === 0) continue;
    try {
      content = decode(content, limit);
    } catch (error) {
      if (!(error instanceof DecodingFailure)) throw error;
      const sentence = failureSentence(error, encoding, limit);
      throw new ContentEncodingError(sentence, { code: error.code, encoding, cause: error });
    }
  }
  return content;
}
