import type { Interaction } from "../../http/interaction.ts";
import { Place, Problems, type RecordingFormat } from "../formats/recording.ts";
import { notRecognized } from "./not_recognized.ts";
import { readJsonBytes } from "./read_text.ts";
import type { ReadState } from "./read_state.ts";
import { parallelReader, readDocuments, streamEntries } from "./stream_entries.ts";
import type { ByteCursor } from "../stream/byte_cursor.ts";
import { JsonStream } from "../stream/json_stream.ts";
import { BLANK } from "../stream/text_lines.ts";
import { tryParseJson } from "../../values/parse_json.ts";

type Interactions = readonly Interaction[];

const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const LINE_FEED = 0x0a;

/** Reads a JSON recording: entry by entry if its format can be streamed, else as a whole. */
export async function* readJsonStream(
  cursor: ByteCursor,
  state: ReadState,
): AsyncGenerator<Interactions> {
  const json = new JsonStream(cursor);
  // Until the format is known, all bytes may be needed again.
  cursor.keep();
  const opening = await json.peek();
  const isKnown = opening === OPEN_OBJECT
    ? yield* readObject(json, state)
    : yield* readList(json, state);
  if (isKnown) {
    await reportEnd(json, state);
  } else if (opening === OPEN_OBJECT && !json.interruption && await json.peek() !== -1) {
    yield* readValues(json, state);
  } else yield readJsonBytes(await cursor.rest(), json.interruption?.kind === "cut", state);
}

async function* readObject(
  json: JsonStream,
  state: ReadState,
): AsyncGenerator<Interactions, boolean> {
  const formats = streamedFormats(state);
  let isKnown = false;
  for await (const name of json.members()) {
    const opening = await json.peek();
    const format = opening === OPEN_OBJECT
      ? formats.find(({ list }) => list.startsWith(`${name}.`))
      : opening === OPEN_LIST
      ? await recognizeList(
        formats.filter(({ list }) => list === name),
        json,
        (list) => ({ [name]: list }),
      )
      : undefined;
    if (format === undefined) {
      await json.skip();
      continue;
    }
    if (opening === OPEN_OBJECT) isKnown = (yield* readNestedList(format, json, state)) || isKnown;
    else {
      // Only this format has such a member, so the bytes before it aren't needed again.
      json.cursor.release();
      yield* readItems(format, json, state);
      isKnown = true;
    }
  }
  return isKnown;
}

async function* readNestedList(
  format: RecordingFormat,
  json: JsonStream,
  state: ReadState,
): AsyncGenerator<Interactions, boolean> {
  const { cursor } = json;
  const [within = "", list] = format.list.split(".");
  let isFound = false;
  for await (const name of json.members()) {
    const isList = await json.peek() === OPEN_LIST;
    // Lines of logs have such objects, too, but rarely with lists, which can be too long to be kept in memory.
    if (isList) cursor.release();
    if (name === list && isList) {
      isFound = true;
      yield* readItems(format, json, state);
    } else {
      await json.skip();
    }
  }
  if (isFound || cursor.isKeeping) return isFound;
  throw notRecognized({ [within]: {} }, state.location, state.formats);
}

async function* readList(
  json: JsonStream,
  state: ReadState,
): AsyncGenerator<Interactions, boolean> {
  const format = await recognizeList(bareFormats(state), json, (list) => list);
  if (format === undefined) {
    await json.skip();
    return false;
  }
  json.cursor.release();
  yield* readItems(format, json, state);
  return true;
}

function streamedFormats({ formats }: ReadState): readonly RecordingFormat[] {
  return formats.filter(({ stream }) => stream === "json");
}

function bareFormats(state: ReadState): readonly RecordingFormat[] {
  return streamedFormats(state).filter(({ isBare }) => isBare === true);
}

/** Recognizes the format of the list at the cursor by its first item. The cursor doesn't move. */
async function recognizeList(
  formats: readonly RecordingFormat[],
  json: JsonStream,
  wrap: (list: readonly unknown[]) => unknown,
): Promise<RecordingFormat | undefined> {
  if (formats.length === 0) return undefined;
  const { cursor } = json;
  const { offset } = cursor;
  cursor.position++;
  const list = await json.peek() === CLOSE_LIST ? [] : [await json.value()];
  cursor.position = cursor.indexAt(offset);
  return formats.find((format) => format.recognize(wrap(list)));
}

/** Reads a sequence of values, usually one on each line. The cursor is after the first value. */
async function* readValues(json: JsonStream, state: ReadState): AsyncGenerator<Interactions> {
  const { cursor } = json;
  cursor.position = cursor.indexAt(0);
  await json.peek();
  const { offset } = cursor;
  const first = await json.value();
  // If the first value has several lines, values aren't separated by lines.
  const text = cursor.bytes.subarray(cursor.indexAt(offset), cursor.position);
  const isOnLines = !text.includes(LINE_FEED) && (await json.peek() !== OPEN_OBJECT ||
    cursor.bytes.subarray(cursor.indexAt(offset), cursor.position).includes(LINE_FEED));
  cursor.position = cursor.indexAt(0);
  const bare = bareFormats(state);
  const format = bare.find((candidate) => candidate.recognize(first)) ??
    (isOnLines ? await recognizeLines(bare, cursor) : undefined);
  cursor.release();
  if (format !== undefined) {
    const shown = format.readHead?.(
      first,
      new Place("line 1", new Problems(state.location)),
    );
    const list = { format: format.name, isOnLines, visibility: shown };
    const values = isOnLines ? json.lines(parallelReader(list, cursor, state)) : json.sequence();
    yield* streamEntries(values, list, state);
    await reportEnd(json, state);
    return;
  }
  const documents: unknown[] = [];
  for await (const { index, values } of isOnLines ? json.lines() : json.sequence()) {
    for (const [offset, value] of values.entries()) {
      if (value === undefined) {
        const place = `${isOnLines ? "line" : "value"} ${index + offset + 1}`;
        state.problems.add("a line that is not valid JSON is left out", place);
      } else if (value !== BLANK) documents.push(value);
    }
  }
  // The first value counts even if the rest of its line makes the line invalid.
  if (documents.length === 0) documents.push(first);
  const isOne = state.formats.some((candidate) => candidate.recognize(documents));
  const interactions = readDocuments(isOne ? [documents] : documents, state);
  await reportEnd(json, state);
  yield interactions;
}

/** Number of lines in which a known format is looked for: servers also log their start. */
const SAMPLE_LINES = 200;
const SAMPLE_BYTES = 1 << 16;

/** Recognizes the format of one of the first lines; undefined if none has one. All bytes are kept. */
async function recognizeLines(
  formats: readonly RecordingFormat[],
  cursor: ByteCursor,
): Promise<RecordingFormat | undefined> {
  while (cursor.bytes.length - cursor.indexAt(0) < SAMPLE_BYTES && await cursor.more());
  const start = cursor.indexAt(0);
  const sample = new TextDecoder().decode(cursor.bytes.subarray(start, start + SAMPLE_BYTES));
  for (const line of sample.split("\n", SAMPLE_LINES)) {
    const value = tryParseJson(line);
    if (value === undefined) continue;
    const format = formats.find((candidate) => candidate.recognize(value));
    if (format !== undefined) return format;
  }
  return undefined;
}

async function* readItems(
  format: RecordingFormat,
  json: JsonStream,
  state: ReadState,
): AsyncGenerator<Interactions> {
  const list = { format: format.name, isOnLines: false };
  yield* streamEntries(json.items(parallelReader(list, json.cursor, state)), list, state);
}

async function reportEnd(json: JsonStream, state: ReadState): Promise<void> {
  const { interruption } = json;
  if (interruption === undefined) {
    if (await json.peek() !== -1) state.addBrokenProblem(json.cursor.offset);
  } else if (interruption.kind === "cut") state.addCutProblem(interruption.offset);
  else state.addBrokenProblem(interruption.offset);
}
