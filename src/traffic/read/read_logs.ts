import type { Interaction } from "../../http/interaction.ts";
import type { RecordingFormat } from "../formats/recording.ts";
import type { ByteCursor } from "../stream/byte_cursor.ts";
import type { ReadState } from "./read_state.ts";
import { parallelReader, streamEntries } from "./stream_entries.ts";
import { FORMATS } from "../formats/formats.ts";
import { logFormat } from "../log_format/log_format.ts";
import { type Batch, textLines } from "../stream/text_lines.ts";

/** Number of bytes in which a line with a known format is looked for. */
const SAMPLE_BYTES = 1 << 16;
/** Number of bytes in which the end of the first line is looked for, if it is that long. */
const MAX_SAMPLE_BYTES = 1 << 22;
const LINE_FEED = 0x0a;
/** Programs may write other lines before the first request. */
const SAMPLE_LINES = 200;
const YAML = /^(?:%YAML|---(?:\s|$)|- |["']?[\w-]+["']?:(?:\s|$))/;

const decoder = new TextDecoder();

/** Recognizes the format of a log by its first lines; undefined if it isn't a log. The cursor doesn't move. */
export async function recognizeTextLog(
  cursor: ByteCursor,
  { formats, options }: ReadState,
  isJson: boolean,
): Promise<RecordingFormat | undefined> {
  if (formats.every(({ stream }) => stream !== "text")) return undefined;
  const sample = decoder.decode(await readSample(cursor));
  return recognizeText(sample, isJson ? [] : formats, options.logFormat);
}

/** Reads the beginning of a log with the whole first line, as a part of a line may look like another format. */
async function readSample(cursor: ByteCursor): Promise<Uint8Array> {
  const kept = () => cursor.bytes.subarray(cursor.indexAt(0));
  while (kept().length < SAMPLE_BYTES && await cursor.more());
  let sample = kept();
  if (sample.subarray(0, SAMPLE_BYTES).includes(LINE_FEED)) return sample.subarray(0, SAMPLE_BYTES);
  let end = sample.indexOf(LINE_FEED);
  while (end === -1 && sample.length < MAX_SAMPLE_BYTES && await cursor.more()) {
    const searched = sample.length;
    sample = kept();
    end = sample.indexOf(LINE_FEED, searched);
  }
  return end === -1 ? sample.subarray(0, MAX_SAMPLE_BYTES) : sample.subarray(0, end + 1);
}

/** Returns the given format if a line fits it, else that of the first line that has one, else the given one. */
export function recognizeText(
  sample: string,
  formats: readonly RecordingFormat[] = FORMATS,
  pattern?: string,
): RecordingFormat | undefined {
  const texts = formats.filter(({ stream }) => stream === "text");
  const own = pattern === undefined ? undefined : logFormat(pattern);
  const lines = sample.split(/\r?\n/, SAMPLE_LINES).filter((line) => line.trim() !== "");
  if (own !== undefined && lines.some((line) => own.recognize(line))) return own;
  if (YAML.test(lines[0] ?? "")) return undefined;
  for (const line of lines) {
    const format = texts.find((candidate) => candidate.recognize(line));
    if (format !== undefined) return format;
  }
  return texts.length === 0 || /^\s*\[/.test(sample) ? undefined : own;
}

export async function* readTextLog(
  format: RecordingFormat,
  cursor: ByteCursor,
  state: ReadState,
): AsyncGenerator<readonly Interaction[]> {
  cursor.position = cursor.indexAt(0);
  cursor.release();
  const isGiven = !FORMATS.some(({ name }) => name === format.name);
  const pattern = isGiven ? state.options.logFormat : undefined;
  const list = { format: format.name, isOnLines: true, logFormat: pattern };
  yield* streamEntries(textLines(cursor, parallelReader(list, cursor, state)), list, state);
}

type BinaryFormat = RecordingFormat & Required<Pick<RecordingFormat, "endOfEntry">>;

const START_BYTES = 256;
const BATCH = 64;

/** Recognizes a binary format by its first entry; undefined if there is none. The cursor doesn't move. */
export async function recognizeBinaryLog(
  cursor: ByteCursor,
  formats: readonly RecordingFormat[],
): Promise<BinaryFormat | undefined> {
  while (cursor.bytes.length - cursor.indexAt(0) < START_BYTES && await cursor.more());
  const start = cursor.bytes.subarray(cursor.indexAt(0));
  return formats.find((format): format is BinaryFormat =>
    format.endOfEntry !== undefined && format.recognize(start)
  );
}

export async function* readBinaryLog(
  format: BinaryFormat,
  cursor: ByteCursor,
  state: ReadState,
): AsyncGenerator<readonly Interaction[]> {
  cursor.position = cursor.indexAt(0);
  cursor.release();
  const list = { format: format.name, isOnLines: false };
  yield* streamEntries(batchEntries(format.endOfEntry, cursor, state), list, state);
}

async function* batchEntries(
  endOfEntry: (bytes: Uint8Array, start: number) => number,
  cursor: ByteCursor,
  state: ReadState,
): AsyncGenerator<Batch> {
  let index = 0;
  while (true) {
    const values: Uint8Array[] = [];
    let end = 0;
    while (values.length < BATCH && cursor.position < cursor.bytes.length) {
      end = endOfEntry(cursor.bytes, cursor.position);
      if (end < 0) break;
      values.push(cursor.bytes.slice(cursor.position, end)); // the cursor reuses its buffer
      cursor.position = end;
    }
    if (values.length > 0) {
      yield { index, values };
      index += values.length;
      continue;
    }
    if (end === -2) {
      state.addBrokenProblem(cursor.offset);
      return;
    }
    if (await cursor.more()) continue;
    if (cursor.position < cursor.bytes.length) state.addCutProblem(cursor.offset);
    return;
  }
}
