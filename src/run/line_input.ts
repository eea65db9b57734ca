import { STANDARD_INPUT } from "../files/file_identity.ts";
import { recordBatches } from "../record/record_batches.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import type { FormatOptions } from "../traffic/formats/recording.ts";
import { readRecording } from "../traffic/read/read_recording.ts";
import { recognizePacking } from "../traffic/read/unpack.ts";
import { concatBytes } from "../values/collections.ts";
import { RecordingError } from "../values/errors.ts";
import { CommandError } from "./command_error.ts";
import type { GivenValues } from "./options/options.ts";
import type { Host } from "./host.ts";
import { type Descriptions, loadMaps } from "./load_apis.ts";
import type { Measurement } from "./measure.ts";
import { RecordingsReader } from "./recordings_reader.ts";

/** Lines as they came in, from the first that can be read on. */
export interface LineInput {
  /** The bytes, with empty lines for those that are left out, so that line numbers stay right; undefined without any line that can be read. */
  readonly pieces: AsyncIterable<Uint8Array> | undefined;
  /** The number of lines left out at the beginning, or of all of them. */
  readonly skipped: number;
  /** The first of them, and why it cannot be read; undefined if none is left out. */
  readonly first: { readonly line: number; readonly reason: string } | undefined;
}

/** Formats are recognized by this much of their beginning. */
const HEAD_BYTES = 1 << 16;
const LINE_FEED = 0x0a;

/** Finds the first line that can be read: who divides lines among processes may begin anywhere, such as in a cut line. */
export async function openLines(
  source: AsyncIterable<Uint8Array>,
  location: string,
  options: FormatOptions = {},
): Promise<LineInput> {
  const input = new Lines(source);
  const head = await input.head();
  if (head === undefined || await inputProblem(head, location, options) === undefined) {
    return { pieces: input.rest(), skipped: 0, first: undefined };
  }
  let skipped = 0;
  let blanks = 0;
  let first: LineInput["first"];
  for (let line = await input.line(); line !== undefined; line = await input.line()) {
    if (line.every((byte) => byte <= 0x20)) {
      blanks++;
      continue;
    }
    const problem = await inputProblem(line, location, options);
    if (problem === undefined) {
      const before = new Uint8Array(skipped + blanks).fill(LINE_FEED);
      return { pieces: joined([before, line], input.rest()), skipped, first };
    }
    first ??= { line: skipped + blanks + 1, reason: problem };
    skipped++;
  }
  return { pieces: undefined, skipped, first };
}

/** The beginning of an error, whose place is that in a part of the stream. */
const PLACE = /^Cannot read .*?: (?:line \d+, column \d+: )?/;

/** Why nothing in some lines can be read: sentences; undefined if something can. */
async function inputProblem(
  lines: Uint8Array,
  location: string,
  { logFormat }: FormatOptions,
): Promise<string | undefined> {
  try {
    for await (const batch of readRecording(lines, location, { logFormat }).batches()) {
      if (batch.length > 0) return undefined;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof RecordingError) || error.code === "hits") throw error;
    return error.message.replace(PLACE, "");
  }
}

async function* joined(
  first: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* first;
  yield* rest;
}

class Lines {
  readonly #source: AsyncIterator<Uint8Array>;
  #kept: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The lines at the beginning, which stay; undefined if they are no lines: packed, or longer than formats need. */
  async head(): Promise<Uint8Array | undefined> {
    while (this.#kept.length < HEAD_BYTES && await this.#more());
    if (recognizePacking(this.#kept) !== "utf-8") return undefined;
    if (this.#kept.length < HEAD_BYTES) return this.#kept;
    const end = this.#kept.lastIndexOf(LINE_FEED);
    return end < 0 ? undefined : this.#kept.subarray(0, end + 1);
  }

  async line(): Promise<Uint8Array | undefined> {
    let end = this.#kept.indexOf(LINE_FEED);
    for (let searched = this.#kept.length; end < 0 && await this.#more();) {
      end = this.#kept.indexOf(LINE_FEED, searched);
      searched = this.#kept.length;
    }
    if (this.#kept.length === 0) return undefined;
    const line = end < 0 ? this.#kept : this.#kept.subarray(0, end + 1);
    this.#kept = this.#kept.subarray(line.length);
    return line;
  }

  async *rest(): AsyncGenerator<Uint8Array> {
    yield this.#kept;
    for (let next = await this.#source.next(); next.done !== true;) {
      yield next.value;
      next = await this.#source.next();
    }
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done === true) return false;
    this.#kept = concatBytes([this.#kept, next.value]);
    return true;
  }
}

const LOCATION = "standard input";

/** Records the lines on standard input, in one thread; those that cannot be read are left out, with a warning. */
export async function measureLines(
  options: Descriptions & GivenValues<"recordingOptions">,
  host: Host,
): Promise<Measurement> {
  if (options.schema === STANDARD_INPUT) {
    throw new CommandError(
      "Only traffic can come from standard input. Give the description as a file or URL.",
    );
  }
  const map = await loadMaps(options);
  const input = await openLines(host.stdin(), LOCATION, { ...options, values: undefined });
  const skipped = skippedWarnings(input);
  const { pieces } = input;
  if (pieces === undefined) return { map, warnings: skipped };
  const recordings = await RecordingsReader.find(
    [STANDARD_INPUT],
    { ...host, stdin: () => pieces },
    { env: options.env, logFormat: options.logFormat },
  );
  await recordBatches(map, recordings.batches());
  return { map, warnings: [...skipped, ...recordings.warnings] };
}

function skippedWarnings({ pieces, skipped, first }: LineInput): string[] {
  if (first === undefined) return [];
  const lines = formatAmount(skipped, "line");
  const what = pieces === undefined
    ? `Nothing is counted, because no line can be read (${lines}).`
    : `${lines} at the beginning cannot be read and ${skipped === 1 ? "is" : "are"} left out.`;
  return [`${LOCATION}: ${what} Line ${first.line}: ${first.reason}`];
}
