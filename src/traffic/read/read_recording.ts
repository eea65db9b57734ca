import type { Interaction } from "../../http/interaction.ts";
import { InputLimitError, MAX_BYTES } from "../../values/input_limits.ts";
import { HITS_START } from "../../values/version.ts";
import { isStackOverflow } from "../../values/errors.ts";
import { FORMATS, formatTitles } from "../formats/formats.ts";
import { expectedFormats } from "./not_recognized.ts";
import { readJsonStream } from "./read_json_stream.ts";
import { readBinaryLog, readTextLog, recognizeBinaryLog, recognizeTextLog } from "./read_logs.ts";
import { readYamlBytes } from "./read_text.ts";
import { readDocuments } from "./stream_entries.ts";
import { type OnHitsLine, type ReadOptions, ReadState } from "./read_state.ts";
import { ByteCursor } from "../stream/byte_cursor.ts";
import { peek, recognizePacking, unpack } from "./unpack.ts";

export type RecordingSource = AsyncIterable<Uint8Array> | Uint8Array | string;

const LINE_FEED = 0x0a;
const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
const BYTE_ORDER_MARK = 0xef;

/** Number of UTF-16 units of a text that are encoded at a time. */
const PIECE = 1 << 18;

const HITS_BYTES = new TextEncoder().encode(HITS_START);

/** Less than the cursor's limit, so that the error message is about hits. */
const MAX_HITS_LINE = MAX_BYTES - 2 ** 24;

/** Nothing is read before the first interaction is needed. */
export function readRecording(
  source: RecordingSource,
  location: string,
  options: ReadOptions = {},
): RecordingReader {
  return new RecordingReader(source, new ReadState(location, options));
}

/** The interactions of a recording in order. They are read on demand, and only once. */
export class RecordingReader implements AsyncIterable<Interaction> {
  readonly #state: ReadState;
  #source: RecordingSource | undefined;

  constructor(source: RecordingSource, state: ReadState) {
    this.#source = source;
    this.#state = state;
  }

  /** The problems so far, one sentence for each kind. Complete after the last interaction. */
  get warnings(): readonly string[] {
    return this.#state.warnings;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Interaction> {
    for await (const batch of this.batches()) yield* batch;
  }

  /** Yields the interactions in batches, as they are read: faster for millions of them. */
  async *batches(): AsyncGenerator<readonly Interaction[]> {
    const source = this.#source;
    if (source === undefined) throw new TypeError("A recording can be read once only.");
    this.#source = undefined;
    try {
      yield* readPacked(source, this.#state);
    } catch (error) {
      if (error instanceof InputLimitError) {
        throw this.#state.error(error.message, "too_large", error);
      }
      if (isStackOverflow(error)) {
        throw this.#state.error("The recording is nested too deeply.", "too_deep", error);
      }
      throw error;
    }
  }
}

async function* readPacked(
  source: RecordingSource,
  state: ReadState,
): AsyncGenerator<readonly Interaction[]> {
  const [start, chunks] = await peek(readChunks(source));
  const packing = recognizePacking(start);
  // Workers need offsets in the file, which differ from those in decompressed or converted text.
  if (packing !== "utf-8" || start[0] === BYTE_ORDER_MARK) state.parts = undefined;
  if (packing === "zip") {
    const bytes = await new ByteCursor(chunks).rest();
    const format = state.formats.find(({ readZip }) => readZip !== undefined);
    if (format?.readZip === undefined) {
      throw state.error(
        `This is a zip, not a recording. ${expectedFormats(state.formats)}`,
        "unknown_format",
      );
    }
    for (const [archive, attachments] of await format.readZip(bytes, state.location)) {
      yield readDocuments([archive], state, attachments);
    }
    state.finish();
    return;
  }
  const streamed = formatTitles(FORMATS.filter(({ stream }) => stream !== undefined), "and");
  const cursor = new ByteCursor(
    unpack(chunks, state.problems),
    `${streamed} are read entry by entry, other formats whole`,
  );
  try {
    yield* readUnpacked(cursor, state);
  } finally {
    await cursor.close();
  }
  state.finish();
}

async function* readUnpacked(
  cursor: ByteCursor,
  state: ReadState,
): AsyncGenerator<readonly Interaction[]> {
  cursor.keep();
  const first = await firstByte(cursor);
  if (first === undefined) {
    const [problem] = state.warnings;
    throw state.error(
      problem === undefined
        ? "The recording is empty. Check that the program that records ran."
        : `Nothing in it can be read: ${
          problem.slice(state.location.length + 2).replace(/: the rest is left out.*/, "")
        }. Download or compress the file again.`,
      "empty",
    );
  }
  if (first === OPEN_OBJECT && await startsHits(cursor)) return await readHits(cursor, state);
  cursor.position = 0;
  const binary = await recognizeBinaryLog(cursor, state.formats);
  if (binary !== undefined) return yield* readBinaryLog(binary, cursor, state);
  const isJson = first === OPEN_OBJECT;
  const log = isJson && state.options.logFormat === undefined
    ? undefined
    : await recognizeTextLog(cursor, state, isJson);
  if (log !== undefined) yield* readTextLog(log, cursor, state);
  else if (isJson || first === OPEN_LIST) yield* readJsonStream(cursor, state);
  else yield await readYamlBytes(await cursor.rest(), state);
}

async function readHits(cursor: ByteCursor, state: ReadState): Promise<void> {
  const { onHitsLine } = state.options;
  if (onHitsLine === undefined) {
    throw state.error(
      "This is a hits file, which has counts and no requests. covtool report and covtool merge read it; in code, pass its bytes to mergeHits().",
      "hits",
    );
  }
  await readHitsLines(cursor, onHitsLine);
}

/** The cursor doesn't move. */
async function startsHits(cursor: ByteCursor): Promise<boolean> {
  const { offset } = cursor;
  for (const [index, byte] of HITS_BYTES.entries()) {
    while (cursor.indexAt(offset) + index >= cursor.bytes.length) {
      if (!await cursor.more()) return false;
    }
    if (cursor.bytes[cursor.indexAt(offset) + index] !== byte) return false;
  }
  return true;
}

/** One by one, so that only one line must fit into memory. */
export async function readHitsLines(
  cursor: ByteCursor,
  onLine: OnHitsLine,
  maxLength: number = MAX_HITS_LINE,
): Promise<void> {
  while (true) {
    cursor.keep();
    const start = cursor.offset;
    let searched = cursor.position;
    let feed = cursor.bytes.indexOf(LINE_FEED, searched);
    while (feed < 0) {
      searched = cursor.bytes.length - cursor.indexAt(start);
      if (searched > maxLength) throw tooLong(maxLength);
      if (!await cursor.more()) break;
      feed = cursor.bytes.indexOf(LINE_FEED, cursor.indexAt(start) + searched);
    }
    const end = feed < 0 ? cursor.bytes.length : feed;
    const line = cursor.bytes.subarray(cursor.indexAt(start), end);
    if (line.length > maxLength) throw tooLong(maxLength);
    if (line.some((byte) => byte > 0x20)) onLine(line);
    if (feed < 0) return;
    cursor.position = feed + 1;
  }
}

function tooLong(most: number): InputLimitError {
  const size = most >= 2 ** 20 ? `${most / 2 ** 20} MiB` : `${most.toLocaleString("en-US")} bytes`;
  return new InputLimitError(
    `One of its lines has more than ${size}, and a line has to fit into memory. Hits grow with the description and with the names of tests, not with the number of requests: write them again from fewer tests at a time, and leave those out that make a name for each request.`,
  );
}

/** Returns the first byte that isn't white space; undefined if there is none. All bytes are kept. */
async function firstByte(cursor: ByteCursor): Promise<number | undefined> {
  do {
    for (; cursor.position < cursor.bytes.length; cursor.position++) {
      const byte = cursor.bytes[cursor.position] ?? 0;
      if (byte > 0x20) return byte;
    }
  } while (await cursor.more());
  return undefined;
}

async function* readChunks(source: RecordingSource): AsyncGenerator<Uint8Array> {
  if (typeof source !== "string") {
    if (source instanceof Uint8Array) yield source;
    else yield* source;
    return;
  }
  const encoder = new TextEncoder();
  for (let start = 0; start < source.length;) {
    const end = Math.min(source.length, start + PIECE);
    // A surrogate pair is one character, which must not be split.
    const code = source.charCodeAt(end - 1);
    const isCut = end < source.length && code >= 0xd800 && code < 0xdc00;
    yield encoder.encode(source.slice(start, isCut ? end - 1 : end));
    start = isCut ? end - 1 : end;
  }
}
