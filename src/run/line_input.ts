import { STANDARD_INPUT } from "../files/file_identity.ts";
import { recordBatches } from "../record/record_batches.ts";
import { formatAmount } from "../report/wording/amounts.ts";
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
interface LineInput {
  /** The bytes, with empty lines for those that are left out, so that line numbers stay right; undefined without any line that can be read. */
  readonly pieces: AsyncIterable<Uint8Array> | undefined;
  /** A sentence about the lines that are left out at the beginning, if there are any. */
  readonly warnings: readonly string[];
}

const LOCATION = "standard input";
/** Formats are recognized by this much of their beginning. */
const HEAD_BYTES = 1 << 16;
const LINE_FEED = 0x0a;

/** Finds the first line that can be read: who divides lines among processes may begin anywhere, such as in a cut line. */
async function openLines(
  source: AsyncIterable<Uint8Array>,
  logFormat: string | undefined,
): Promise<LineInput> {
  const pieces = source[Symbol.asyncIterator]();
  let kept: Uint8Array = new Uint8Array();
  const readMore = async (): Promise<boolean> => {
    const next = await pieces.next();
    if (next.done === true) return false;
    kept = concatBytes([kept, next.value]);
    return true;
  };
  const rest = async function* (...before: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
    yield* [...before, kept];
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      yield next.value;
    }
  };
  while (kept.length < HEAD_BYTES && await readMore());
  const head = kept.length < HEAD_BYTES ? kept : kept.subarray(0, kept.lastIndexOf(LINE_FEED) + 1);
  // What is packed, or longer than formats need, is no lines.
  const areLines = recognizePacking(kept) === "utf-8" && (head.length > 0 || kept.length === 0);
  if (!areLines || await inputProblem(head, logFormat) === undefined) {
    return { pieces: rest(), warnings: [] };
  }
  const readLine = async (): Promise<Uint8Array> => {
    let end = kept.indexOf(LINE_FEED);
    for (let searched = kept.length; end < 0 && await readMore();) {
      end = kept.indexOf(LINE_FEED, searched);
      searched = kept.length;
    }
    const line = end < 0 ? kept : kept.subarray(0, end + 1);
    kept = kept.subarray(line.length);
    return line;
  };
  let skipped = 0;
  let blanks = 0;
  let first: string | undefined;
  const warnings = (what: (lines: string) => string): string[] =>
    first === undefined ? [] : [`${LOCATION}: ${what(formatAmount(skipped, "line"))} ${first}`];
  for (let line = await readLine(); line.length > 0; line = await readLine()) {
    if (line.every((byte) => byte <= 0x20)) {
      blanks++;
      continue;
    }
    const problem = await inputProblem(line, logFormat);
    if (problem === undefined) {
      const before = new Uint8Array(skipped + blanks).fill(LINE_FEED);
      const are = skipped === 1 ? "is" : "are";
      return {
        pieces: rest(before, line),
        warnings: warnings((lines) =>
          `${lines} at the beginning cannot be read and ${are} left out.`
        ),
      };
    }
    first ??= `Line ${skipped + blanks + 1}: ${problem}`;
    skipped++;
  }
  return {
    pieces: undefined,
    warnings: warnings((lines) => `Nothing is counted, because no line can be read (${lines}).`),
  };
}

/** The beginning of an error, whose place is that in a part of the stream. */
const PLACE = /^Cannot read .*?: (?:line \d+, column \d+: )?/;

/** Why nothing in some lines can be read: sentences; undefined if something can. */
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
    return error.message.replace(PLACE, "");
  }
}

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
  const { pieces, warnings } = await openLines(host.stdin(), options.logFormat);
  if (pieces === undefined) return { map, warnings };
  const lines = { ...host, stdin: () => pieces };
  const recordings = await RecordingsReader.find([STANDARD_INPUT], lines, options);
  await recordBatches(map, recordings.batches());
  return { map, warnings: [...warnings, ...recordings.warnings] };
}
