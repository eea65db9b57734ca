import type { Interaction } from "../../http/interaction.ts";
import type { RecordingFormat } from "../formats/recording.ts";
import type { ByteCursor } from "../stream/byte_cursor.ts";
import type { ReadState } from "./read_state.ts";
import { passer, streamEntries } from "./stream_entries.ts";
import { FORMATS } from "../formats/formats.ts";
import { logFormat } from "../log_format/log_format.ts";
import { type Batch, textLines } from "../stream/text_lines.ts";

/** Bytes that are looked at for a line that says the format. */
const SAMPLE_BYTES = 1 << 16;
/** Bytes that are looked at for the end of a line if so many have none. */
const MAX_SAMPLE_BYTES = 1 << 22;
const LINE_FEED = 0x0a;
/** Programs write a greeting before the first request. */
const SAMPLE_LINES = 200;
const YAML = /^(?:%YAML|---(?:\s|$)|- |["']?[\w-]+["']?:(?:\s|$))/;

const decoder = new TextDecoder();

/** The format of a log by its first lines; undefined if it is none. The cursor stays. */
export async function recognizeTextLog(
  cursor: ByteCursor,
  { formats, options }: ReadState,
  isJson: boolean,
): Promise<RecordingFormat | undefined> {
  if (formats.every(({ stream }) => stream !== "text")) return undefined;
  const sample = decoder.decode(await readSample(cursor));
  return formatOfText(sample, isJson ? [] : formats, options.logFormat);
}

/** The beginning, with the whole first line: what is left of one that is cut may look like another format. */
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

/** The format of the first line that has one, else the log format that was given, so its reader can complain. */
export function formatOfText(
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
  yield* streamEntries(textLines(cursor, passer(list, cursor, state)), list, state);
}

type BinaryFormat = RecordingFormat & Required<Pick<RecordingFormat, "endOfEntry">>;

const START_BYTES = 256;
const BATCH = 64;

/** Finds the format of entries of bytes, by the first of them; undefined if it has none. The cursor stays. */
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
      values.push(cursor.bytes.subarray(cursor.position, end));
      cursor.position = end;
    }
    if (values.length > 0) {
      yield { index, values };
      index += values.length;
      continue;
    }
    if (end === -2) {
      state.noteBroken(cursor.offset);
      return;
    }
    if (await cursor.more()) continue;
    if (cursor.position < cursor.bytes.length) state.noteCut(cursor.offset);
    return;
  }
}
