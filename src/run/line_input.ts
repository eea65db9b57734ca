import { STANDARD_INPUT } from "../files/file_identity.ts";
import { recordBatches } from "../record/record_batches.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import { readRecording } from "../traffic/read/read_recording.ts";
import { recognizePacking } from "../traffic/read/unpack.ts";
import { concatBytes } from "../values/collections.ts";
import { RecordingError } from "../values/errors.ts";
import type { GivenValues } from "./options/options.ts";
import type { Host } from "./host.ts";
import { type Descriptions, loadMaps, standardInputError } from "./load_apis.ts";
import type { Measurement } from "./measure.ts";
import { RecordingsReader } from "./recordings_reader.ts";

interface LineInput {
  /** The bytes, with empty lines for skipped ones to keep line numbers; undefined if no line can be read. */
  readonly pieces: AsyncIterable<Uint8Array> | undefined;
  /** Sentences about the skipped lines at the start; undefined if there are none. */
  readonly warning?: string;
}

const LOCATION = "standard input";
/** The number of bytes at the start by which formats are recognized. */
const HEAD_BYTES = 1 << 16;
const LINE_FEED = 0x0a;

/** Skips unreadable lines at the start: an input that is one part of several may begin with a cut line. */
async function openLines(
  source: AsyncIterable<Uint8Array>,
  logFormat: string | undefined,
): Promise<LineInput> {
  const lines = new Lines(source);
  const head = await lines.peek();
  if (head === undefined || await inputProblem(head, logFormat) === undefined) {
    return { pieces: lines.remaining() };
  }
  let skipped = 0;
  let blanks = 0;
  let first: string | undefined;
  for (let line = await lines.next(); line.length > 0; line = await lines.next()) {
    if (line.every((byte) => byte <= 0x20)) {
      blanks++;
      continue;
    }
    const problem = await inputProblem(line, logFormat);
    if (problem === undefined) {
      const pieces = lines.remaining(new Uint8Array(skipped + blanks).fill(LINE_FEED), line);
      if (first === undefined) return { pieces };
      const verb = skipped === 1 ? "is" : "are";
      const what = `at the beginning cannot be read and ${verb} left out.`;
      return { pieces, warning: `${formatAmount(skipped, "line")} ${what} ${first}` };
    }
    first ??= `Line ${skipped + blanks + 1}: ${problem}`;
    skipped++;
  }
  if (first === undefined) return { pieces: undefined };
  const count = formatAmount(skipped, "line");
  const warning = `Nothing is counted, because no line can be read (${count}). ${first}`;
  return { pieces: undefined, warning };
}

class Lines {
  readonly #source: AsyncIterator<Uint8Array>;
  #buffer: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Returns the lines at the start, without taking them; undefined if compressed, or if a line is too long. */
  async peek(): Promise<Uint8Array | undefined> {
    while (this.#buffer.length < HEAD_BYTES && await this.#readMore());
    if (recognizePacking(this.#buffer) !== "utf-8") return undefined;
    if (this.#buffer.length < HEAD_BYTES) return this.#buffer;
    const end = this.#buffer.lastIndexOf(LINE_FEED);
    return end < 0 ? undefined : this.#buffer.subarray(0, end + 1);
  }

  /** Takes the next line; returns an empty array at the end. */
  async next(): Promise<Uint8Array> {
    let end = this.#buffer.indexOf(LINE_FEED);
    for (let searched = this.#buffer.length; end < 0 && await this.#readMore();) {
      end = this.#buffer.indexOf(LINE_FEED, searched);
      searched = this.#buffer.length;
    }
    const line = end < 0 ? this.#buffer : this.#buffer.subarray(0, end + 1);
    this.#buffer = this.#buffer.subarray(line.length);
    return line;
  }

  /** Yields some other bytes, and then all that wasn't taken. */
  async *remaining(...first: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
    yield* [...first, this.#buffer];
    for (let next = await this.#source.next(); next.done !== true;) {
      yield next.value;
      next = await this.#source.next();
    }
  }

  async #readMore(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done === true) return false;
    this.#buffer = concatBytes([this.#buffer, next.value]);
    return true;
  }
}

/** Matches the start of an error message, whose line number counts within a part of the stream. */
const ERROR_PLACE = /^Cannot read .*?: (?:line \d+, column \d+: )?/;

/** Returns sentences about why nothing in some lines can be read; undefined if something can. */
async function inputProblem(
  lines: Uint8Array,
  logFormat: string | undefined,
): Promise<string | undefined> {
  try {
    for await (const batch of readRecording(lines, LOCATION, { logFormat }).batches()) {
      if (batch.length > 0) return undefined;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof RecordingError) || error.code === "hits") throw error;
    return error.message.replace(ERROR_PLACE, "");
  }
}

/** Records the lines of standard input in one thread; skips unreadable lines, with a warning. */
export async function measureLines(
  options: Descriptions & GivenValues<"recordingOptions">,
  host: Host,
): Promise<Measurement> {
  if (options.schema === STANDARD_INPUT) throw standardInputError();
  const map = await loadMaps(options);
  const { pieces, warning } = await openLines(host.stdin(), options.logFormat);
  const warnings = warning === undefined ? [] : [`${LOCATION}: ${warning}`];
  if (pieces === undefined) return { map, warnings };
  const lines = { ...host, stdin: () => pieces };
  const recordings = await RecordingsReader.find([STANDARD_INPUT], lines, options);
  await recordBatches(map, recordings.batches());
  return { map, warnings: [...warnings, ...recordings.warnings] };
}
