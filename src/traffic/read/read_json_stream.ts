import type { Interaction } from "../../http/interaction.ts";
import { entryList, type EntryListName } from "./entry_list.ts";
import { HAR, TRAFFIC } from "../formats/formats.ts";
import { notRecognized, readDocument } from "./read_document.ts";
import { readEntries } from "./read_entries.ts";
import { readJsonBytes } from "./read_text.ts";
import type { Reading } from "./reading.ts";
import type { ByteCursor } from "../stream/byte_cursor.ts";
import { BLANK, JsonStream, type PassItems } from "../stream/json_stream.ts";

type Interactions = readonly Interaction[];

const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const LINE_FEED = 0x0a;

/**
 * Reads a recording in JSON: traffic files (also one interaction on each line) and HTTP Archives while their bytes
 * arrive, whatever else stands before and behind their entries; other formats when all of it is there.
 *
 * @param cursor At the beginning.
 * @throws {RecordingError} where it is no JSON, has no known format, or nothing in it can be used.
 */
export async function* readJsonStream(
  cursor: ByteCursor,
  reading: Reading,
): AsyncGenerator<Interactions> {
  const json = new JsonStream(cursor);
  // As long as the format is not known, all of it may be needed.
  cursor.keep();
  const opening = await json.peek();
  const isKnown = opening === OPEN_OBJECT
    ? yield* readObject(cursor, json, reading)
    : yield* readList(cursor, json, reading);
  if (isKnown) {
    await noteEnd(cursor, json, reading);
  } else if (opening === OPEN_OBJECT && await hasMore(json)) {
    yield* readValues(cursor, json, reading);
  } else {
    const bytes = await cursor.rest();
    yield readJsonBytes(bytes, json.interruption?.kind === "cut", reading);
  }
}

/** Goes through an object; false where nothing in it can be read piece by piece. */
async function* readObject(
  cursor: ByteCursor,
  json: JsonStream,
  reading: Reading,
): AsyncGenerator<Interactions, boolean> {
  let isKnown = false;
  for await (const name of json.members()) {
    const opening = await json.peek();
    if (name === "log" && opening === OPEN_OBJECT && reading.formats.includes(HAR)) {
      cursor.release();
      yield* readLog(cursor, json, reading);
      isKnown = true;
    } else if (
      name === "interactions" && opening === OPEN_LIST &&
      await isTraffic(cursor, json, reading, (interactions) => ({ interactions }))
    ) {
      cursor.release();
      yield* readItems("interactions", cursor, json, reading);
      isKnown = true;
    } else {
      await json.skip();
    }
  }
  return isKnown;
}

async function* readLog(
  cursor: ByteCursor,
  json: JsonStream,
  reading: Reading,
): AsyncGenerator<Interactions> {
  const names: string[] = [];
  for await (const name of json.members()) {
    names.push(name);
    if (name === "entries" && await json.peek() === OPEN_LIST) {
      yield* readItems("log.entries", cursor, json, reading);
    } else {
      await json.skip();
    }
  }
  if (names.includes("entries")) return;
  throw notRecognized({ log: {} }, reading.location, reading.formats);
}

/** Goes through a list of interactions; false where it is none. */
async function* readList(
  cursor: ByteCursor,
  json: JsonStream,
  reading: Reading,
): AsyncGenerator<Interactions, boolean> {
  if (!await isTraffic(cursor, json, reading, (interactions) => interactions)) {
    await json.skip();
    return false;
  }
  cursor.release();
  yield* readItems("interactions", cursor, json, reading);
  return true;
}

/** Whether the list at the cursor has interactions, to judge by the first; the cursor stays. */
async function isTraffic(
  cursor: ByteCursor,
  json: JsonStream,
  reading: Reading,
  documentOf: (interactions: readonly unknown[]) => unknown,
): Promise<boolean> {
  if (!reading.formats.includes(TRAFFIC)) return false;
  const { offset } = cursor;
  cursor.position++;
  const interactions = await json.peek() === CLOSE_LIST ? [] : [await json.value()];
  cursor.position = cursor.indexOf(offset);
  return TRAFFIC.recognize(documentOf(interactions));
}

async function hasMore(json: JsonStream): Promise<boolean> {
  return json.interruption === undefined && await json.peek() !== -1;
}

/** Reads several values that follow each other, as a rule one on each line. The cursor is behind the first. */
async function* readValues(
  cursor: ByteCursor,
  json: JsonStream,
  reading: Reading,
): AsyncGenerator<Interactions> {
  cursor.position = cursor.indexOf(0);
  await json.peek();
  const { offset } = cursor;
  const first = await json.value();
  // A value of several lines is followed by others of several lines.
  const text = cursor.bytes.subarray(cursor.indexOf(offset), cursor.position);
  const isOnLines = !text.includes(LINE_FEED);
  cursor.position = cursor.indexOf(0);
  const list = isOnLines ? "line" : "interactions";
  if (reading.formats.includes(TRAFFIC) && TRAFFIC.recognize(first)) {
    cursor.release();
    const values = isOnLines ? json.lines(passer(list, cursor, reading)) : json.sequence();
    yield* readEntries(values, list, reading);
    await noteEnd(cursor, json, reading);
    return;
  }
  const documents: unknown[] = [];
  const { placeOf } = entryList(list);
  for await (const { index, values } of isOnLines ? json.lines() : json.sequence()) {
    for (const [offset, value] of values.entries()) {
      if (value === undefined) {
        reading.problems.add("a line that is no JSON is left out", placeOf(index + offset));
      } else if (value !== BLANK) documents.push(value);
    }
  }
  await noteEnd(cursor, json, reading);
  yield reading.add(readDocument(documents, reading.location, reading.formats));
}

/** Has the middle of a list read elsewhere where that is possible, and goes on behind it. */
function passer(
  list: EntryListName,
  cursor: ByteCursor,
  reading: Reading,
): PassItems | undefined {
  const { parts } = reading;
  if (parts === undefined) return undefined;
  return async (separator, index) => {
    const read = await parts.read({ list, separator, offset: cursor.offset });
    if (read === undefined) return 0;
    await cursor.continueAt(read.end, read.rest);
    let items = 0;
    for (const part of read.results) {
      reading.addPart(part, list, index + items);
      items += part.items;
    }
    return items;
  };
}

/** Goes through the list at the cursor. */
async function* readItems(
  list: EntryListName,
  cursor: ByteCursor,
  json: JsonStream,
  reading: Reading,
): AsyncGenerator<Interactions> {
  yield* readEntries(json.items(passer(list, cursor, reading)), list, reading);
}

/** Says where a recording ended before its end, and whether something else follows it. */
async function noteEnd(cursor: ByteCursor, json: JsonStream, reading: Reading): Promise<void> {
  const { interruption } = json;
  if (interruption === undefined) {
    if (await json.peek() !== -1) reading.noteBroken(cursor.offset);
  } else if (interruption.kind === "cut") {
    reading.noteCut(interruption.offset);
  } else {
    reading.noteBroken(interruption.offset);
  }
}
