import type { Interaction } from "../../http/interaction.ts";
import { InputLimitError } from "../../values/input_limits.ts";
import type { FindFile } from "./files_beside.ts";
import { FORMATS, type RecordingFormat } from "../formats/formats.ts";
import type { ListParts } from "./list_parts.ts";
import { readJsonStream } from "./read_json_stream.ts";
import { readYamlBytes } from "./read_text.ts";
import { Reading } from "./reading.ts";
import { ByteCursor } from "../stream/byte_cursor.ts";
import { packingOf, peek, unpack } from "./unpack.ts";

/** Where a recording comes from: bytes as they arrive, all of its bytes, or its text. */
export type RecordingSource = AsyncIterable<Uint8Array> | Uint8Array | string;

const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
/** The first byte of the mark of UTF-8. */
const BYTE_ORDER_MARK = 0xef;

/** A text becomes bytes in pieces of this many UTF-16 units. */
const PIECE = 1 << 18;

/**
 * Reads a recording of any format, recognized by what is in it: plain, gzip, zlib, or a zip of Playwright. Traffic files
 * and HTTP Archives are read while their bytes arrive, so that memory does not grow with them; other formats are read
 * whole. Nothing is read before the interactions are asked for.
 *
 * @param location What errors and warnings call it: a path, `standard input`.
 * @param formats Those that it may have; all of them by default.
 * @param parts Reads the middle of long lists elsewhere, where the recording is not packed; by default all is read here.
 * @param findFile Finds bodies that are files of their own, where the recording has such.
 *
 * @example
 * ```ts
 * import { readRecording } from "./read_recording.ts";
 * import assert from "node:assert/strict";
 *
 * const text = '{"log": {"entries": [{"request": {"method": "GET", "url": "http://localhost/books"}}]}}';
 * const recording = readRecording(text, "shop.har");
 * const urls: string[] = [];
 * for await (const { request } of recording) urls.push(request.url);
 * assert.deepEqual(urls, ["http://localhost/books"]);
 * assert.deepEqual(recording.warnings, []);
 * ```
 */
export function readRecording(
  source: RecordingSource,
  location: string,
  formats: readonly RecordingFormat[] = FORMATS,
  parts?: ListParts,
  findFile?: FindFile,
): RecordingReader {
  return new RecordingReader(source, new Reading(location, formats, parts, findFile));
}

/** The interactions of a recording in its order, read as they are asked for, once. */
export class RecordingReader implements AsyncIterable<Interaction> {
  readonly #reading: Reading;
  #source: RecordingSource | undefined;

  /** Reads nothing yet; {@linkcode readRecording} makes it. */
  constructor(source: RecordingSource, reading: Reading) {
    this.#source = source;
    this.#reading = reading;
  }

  /** What was left out so far and why: one sentence for each kind. Complete after the last interaction. */
  get warnings(): readonly string[] {
    return this.#reading.warnings;
  }

  /**
   * The interactions one by one.
   *
   * @throws {RecordingError} where the recording is broken, has no known format, or nothing in it can be used.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Interaction> {
    for await (const batch of this.batches()) yield* batch;
  }

  /**
   * The interactions, as many at a time as were read together: faster where there are millions.
   *
   * @throws {RecordingError} where the recording is broken, has no known format, or nothing in it can be used.
   * @throws {TypeError} where it was read before.
   */
  async *batches(): AsyncGenerator<readonly Interaction[]> {
    const source = this.#source;
    if (source === undefined) throw new TypeError("A recording can be read once only.");
    this.#source = undefined;
    try {
      yield* readPacked(source, this.#reading);
    } catch (error) {
      if (!(error instanceof InputLimitError)) throw error;
      throw this.#reading.error(error.message, "too_large", error);
    }
  }
}

async function* readPacked(
  source: RecordingSource,
  reading: Reading,
): AsyncGenerator<readonly Interaction[]> {
  const [start, chunks] = await peek(chunksOf(source));
  const packing = packingOf(start);
  // What is read elsewhere is found by its place in the file, which has to be that in the text.
  if (packing !== "utf-8" || start[0] === BYTE_ORDER_MARK) reading.parts = undefined;
  if (packing === "zip") {
    const bytes = await new ByteCursor(chunks).rest();
    // Few recordings are packed so, and the others do not wait for this code.
    const { readZip } = await import("./read_zip.ts");
    yield reading.add(readZip(bytes, reading.location));
    return;
  }
  const cursor = new ByteCursor(unpack(chunks, reading.problems));
  try {
    yield* readUnpacked(cursor, reading);
  } finally {
    await cursor.close();
  }
  reading.finish();
}

async function* readUnpacked(
  cursor: ByteCursor,
  reading: Reading,
): AsyncGenerator<readonly Interaction[]> {
  cursor.keep();
  const first = await firstByte(cursor);
  if (first === undefined) {
    const [problem] = reading.warnings;
    throw reading.error(
      problem === undefined
        ? "The recording is empty: check whether what should have written it did."
        : `Nothing of it can be read: ${
          problem.slice(reading.location.length + 2).replace(/: what comes after.*/, "")
        }. Get or compress the file again.`,
      "empty",
    );
  }
  cursor.position = 0;
  if (first === OPEN_OBJECT || first === OPEN_LIST) yield* readJsonStream(cursor, reading);
  else yield readYamlBytes(await cursor.rest(), reading);
}

/** The first byte that is no white space, while everything is kept; undefined where there is none. */
async function firstByte(cursor: ByteCursor): Promise<number | undefined> {
  do {
    for (; cursor.position < cursor.bytes.length; cursor.position++) {
      const byte = cursor.bytes[cursor.position] ?? 0;
      if (byte > 0x20) return byte;
    }
  } while (await cursor.more());
  return undefined;
}

async function* chunksOf(source: RecordingSource): AsyncGenerator<Uint8Array> {
  if (typeof source !== "string") {
    if (source instanceof Uint8Array) yield source;
    else yield* source;
    return;
  }
  const encoder = new TextEncoder();
  for (let start = 0; start < source.length;) {
    const end = Math.min(source.length, start + PIECE);
    // A pair of surrogates is one character, which must not be cut in two.
    const code = source.charCodeAt(end - 1);
    const isCut = end < source.length && code >= 0xd800 && code < 0xdc00;
    yield encoder.encode(source.slice(start, isCut ? end - 1 : end));
    start = isCut ? end - 1 : end;
  }
}
