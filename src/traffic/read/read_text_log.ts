import type { Interaction } from "../../http/interaction.ts";
import { FORMATS } from "../formats/formats.ts";
import type { EntryStream, RecordingFormat } from "../formats/recording_format.ts";
import type { ByteCursor } from "../stream/byte_cursor.ts";
import { textLines } from "../stream/text_lines.ts";
import { passer } from "./pass_list.ts";
import type { ReadState } from "./read_state.ts";
import { streamEntries } from "./stream_entries.ts";

/** A format of text with an entry on each line. */
type TextFormat = RecordingFormat & { readonly stream: EntryStream };

/** Bytes that are looked at for a line that says the format. */
const SAMPLE_BYTES = 1 << 16;
/** Programs write a greeting before the first request. */
const SAMPLE_LINES = 200;
/** The first line of YAML. */
const YAML = /^(?:%YAML|---(?:\s|$)|- |["']?[\w-]+["']?:(?:\s|$))/;

const decoder = new TextDecoder();

/**
 * Finds the format of a log in text, by its first lines; undefined if it is none. The cursor stays.
 *
 * @param cursor Keeps everything from its beginning on.
 */
export async function textLogOf(
  cursor: ByteCursor,
  formats: readonly RecordingFormat[],
): Promise<TextFormat | undefined> {
  if (formats.every(({ stream }) => stream?.isText !== true)) return undefined;
  while (cursor.bytes.length - cursor.indexOf(0) < SAMPLE_BYTES && await cursor.more());
  const start = cursor.indexOf(0);
  const sample = decoder.decode(cursor.bytes.subarray(start, start + SAMPLE_BYTES));
  return formatOfText(sample, formats);
}

/**
 * The format of the first line that has one; undefined if no line has. YAML may have such lines in its texts.
 *
 * @param sample The beginning of a file.
 */
export function formatOfText(
  sample: string,
  formats: readonly RecordingFormat[] = FORMATS,
): TextFormat | undefined {
  const texts = formats.filter((format): format is TextFormat => format.stream?.isText === true);
  const lines = sample.split(/\r?\n/, SAMPLE_LINES).filter((line) => line.trim() !== "");
  if (YAML.test(lines[0] ?? "")) return undefined;
  for (const line of lines) {
    const format = texts.find((candidate) => candidate.recognize(line));
    if (format !== undefined) return format;
  }
  return undefined;
}

/** Reads a log line by line, from its beginning. */
export async function* readTextLog(
  format: TextFormat,
  cursor: ByteCursor,
  state: ReadState,
): AsyncGenerator<readonly Interaction[]> {
  cursor.position = cursor.indexOf(0);
  cursor.release();
  const list = { format: format.name, isOnLines: true };
  const pass = format.stream.begin === undefined ? passer(list, cursor, state) : undefined;
  yield* streamEntries(textLines(cursor, pass), list, state);
}
