import type { Interaction } from "../../http/interaction.ts";
import { FORMATS } from "../formats/formats.ts";
import type { EntryStream, RecordingFormat } from "../formats/recording_format.ts";
import { logFormat } from "../log_format/log_format.ts";
import type { ByteCursor } from "../stream/byte_cursor.ts";
import { textLines } from "../stream/text_lines.ts";
import { passer } from "./pass_list.ts";
import type { ReadState } from "./read_state.ts";
import { streamEntries } from "./stream_entries.ts";

/** A format of text with an entry on each line. */
type TextFormat = RecordingFormat & { readonly stream: EntryStream };

/** Bytes that are looked at for a line that says the format. */
const SAMPLE_BYTES = 1 << 16;
/** Bytes that are looked at for the end of a line if so many have none. */
const MOST_SAMPLE_BYTES = 1 << 22;
const LINE_FEED = 0x0a;
/** Programs write a greeting before the first request. */
const SAMPLE_LINES = 200;
/** The first line of YAML. */
const YAML = /^(?:%YAML|---(?:\s|$)|- |["']?[\w-]+["']?:(?:\s|$))/;

const decoder = new TextDecoder();

/**
 * Finds the format of a log in text, by its first lines; undefined if it is none. The cursor stays.
 *
 * @param cursor Keeps everything from its beginning on.
 * @param isJson True if it begins as JSON does, which only a log format that was given may do.
 */
export async function textLogOf(
  cursor: ByteCursor,
  { formats, logFormat: pattern }: ReadState,
  isJson: boolean,
): Promise<TextFormat | undefined> {
  if (formats.every(({ stream }) => stream?.isText !== true)) return undefined;
  return formatOfText(decoder.decode(await sampleOf(cursor)), isJson ? [] : formats, pattern);
}

/** The beginning, with the whole first line: what is left of one that is cut may look like another format. */
async function sampleOf(cursor: ByteCursor): Promise<Uint8Array> {
  const kept = () => cursor.bytes.subarray(cursor.indexOf(0));
  while (kept().length < SAMPLE_BYTES && await cursor.more());
  let sample = kept();
  if (sample.subarray(0, SAMPLE_BYTES).includes(LINE_FEED)) return sample.subarray(0, SAMPLE_BYTES);
  let end = sample.indexOf(LINE_FEED);
  while (end === -1 && sample.length < MOST_SAMPLE_BYTES && await cursor.more()) {
    const searched = sample.length;
    sample = kept();
    end = sample.indexOf(LINE_FEED, searched);
  }
  return end === -1 ? sample.subarray(0, MOST_SAMPLE_BYTES) : sample.subarray(0, end + 1);
}

/**
 * The format of the first line that has one; undefined if no line has. YAML may have such lines in its texts.
 *
 * @param sample The beginning of a file.
 * @param pattern The log format that was given. If no line has any format, it is taken, so that its reader can say so.
 */
export function formatOfText(
  sample: string,
  formats: readonly RecordingFormat[] = FORMATS,
  pattern?: string,
): TextFormat | undefined {
  const texts = formats.filter(isTextFormat);
  const given = pattern === undefined ? undefined : logFormat(pattern);
  const own = given !== undefined && isTextFormat(given) ? given : undefined;
  const lines = sample.split(/\r?\n/, SAMPLE_LINES).filter((line) => line.trim() !== "");
  if (own !== undefined && lines.some((line) => own.recognize(line))) return own;
  if (YAML.test(lines[0] ?? "")) return undefined;
  for (const line of lines) {
    const format = texts.find((candidate) => candidate.recognize(line));
    if (format !== undefined) return format;
  }
  return texts.length === 0 || /^\s*\[/.test(sample) ? undefined : own;
}

function isTextFormat(format: RecordingFormat): format is TextFormat {
  return format.stream?.isText === true;
}

/** Reads a log line by line, from its beginning. */
export async function* readTextLog(
  format: TextFormat,
  cursor: ByteCursor,
  state: ReadState,
): AsyncGenerator<readonly Interaction[]> {
  cursor.position = cursor.indexOf(0);
  cursor.release();
  const isGiven = !FORMATS.some(({ name }) => name === format.name);
  const pattern = isGiven ? state.logFormat : undefined;
  const list = { format: format.name, isOnLines: true, logFormat: pattern };
  yield* streamEntries(textLines(cursor, passer(list, cursor, state)), list, state);
}
