import type { Interaction } from "../../http/interaction.ts";
import { JsonStream } from "../stream/json_stream.ts";
import {
  type Attachments,
  type EntryContent,
  type EntryReader,
  Place,
  Problems,
  type RecordingFormat,
} from "../formats/recording.ts";
import {
  type FindFile,
  listFormat,
  type PartResult,
  ReadState,
  type StreamedList,
} from "./read_state.ts";
import { asFields, asList } from "../decode/fields.ts";
import { notRecognized } from "./not_recognized.ts";
import { FULL_VISIBILITY, type Visibility } from "../../http/visibility.ts";
import { groupItems } from "../../values/collections.ts";
import { pathToUrl, readBoundedFile } from "../../files/files.ts";
import { MAX_BYTES } from "../../values/input_limits.ts";
import { ByteCursor } from "../stream/byte_cursor.ts";
import type { Separator } from "../stream/item_boundary.ts";
import { type Batch, BLANK, type ReadInParallel, textLines } from "../stream/text_lines.ts";

/** Names of Playwright's files: the SHA-1 of the content. Other names in an untrusted recording are ignored. */
const NAME = /^[\da-f]{40}(?:\.\w{1,20})?$/;

/** Reads files that Playwright writes next to a HAR (`recordHar` with `content: "attach"`). */
export function readAttachedFiles(path: string | URL): FindFile {
  return async (name) => {
    if (!NAME.test(name)) return undefined;
    try {
      return await readBoundedFile(new URL(name, pathToUrl(path)), MAX_BYTES);
    } catch {
      // The entry has a problem of its own: its body is not in the recording.
      return undefined;
    }
  };
}

const INVALID_JSON = "an interaction that is not valid JSON is left out";
const LONG_LINE = "a line of more than 1 MiB is left out";
const CUT_LINE = "the last line is cut off and is left out";

class EntryCollector {
  readonly #format: RecordingFormat;
  readonly #state: ReadState;
  readonly #read: EntryReader;
  readonly #placeName: (index: number) => string;
  #interactions: Interaction[] = [];
  #entries = 0;

  constructor(format: RecordingFormat, state: ReadState, isOnLines: boolean, shown?: Visibility) {
    this.#format = format;
    this.#state = state;
    this.#read = format.begin(state.options);
    this.#placeName = isOnLines
      ? (index) => `line ${index + 1}`
      : (index) => `${format.list}[${index}]`;
    state.visibility = shown ?? format.visibility;
  }

  /** @param isOpen True for a last line without a line break, which may be incomplete. */
  add(value: unknown, index: number, isOpen = false, attachments?: Attachments): void {
    if (value === BLANK) return;
    const { readHead, stream } = this.#format;
    const { problems, location } = this.#state;
    const place = new Place(() => this.#placeName(index), problems);
    if (value === undefined) {
      this.#entries++;
      place.addProblem(stream === "text" ? LONG_LINE : INVALID_JSON);
      return;
    }
    const shown = readHead?.(value, place);
    if (shown !== undefined) {
      const before = this.#state.visibility ?? FULL_VISIBILITY;
      this.#state.hasVisibilityChange ||= JSON.stringify(shown) !== JSON.stringify(before);
      this.#state.visibility = shown;
    } else if (isOpen) {
      // If such a line can't be read, the reason is that it is incomplete.
      const content = this.#read(value, new Place(place.name, new Problems(location)));
      if (content === undefined) place.addProblem(CUT_LINE);
      this.#addContent(content);
    } else this.#addContent(this.#read(value, place, attachments));
  }

  finish(): void {
    this.#addContent(this.#read.finish?.(this.#state.problems) ?? []);
  }

  /** Returns the interactions since the last call. */
  takeBatch(): readonly Interaction[] {
    const interactions = this.#interactions;
    this.#state.count(this.#entries, interactions.length);
    this.#interactions = [];
    this.#entries = 0;
    return interactions;
  }

  #addContent(content: EntryContent): void {
    this.#entries += content === undefined || "request" in content ? 1 : content.length;
    if (content === undefined) return;
    const { visibility } = this.#state;
    for (const interaction of "request" in content ? [content] : content) {
      this.#interactions.push(
        visibility === undefined || interaction.visibility !== undefined
          ? interaction
          : { ...interaction, visibility },
      );
    }
  }
}

/** Reads documents; documents of the same format are one recording. Those without a known format are left out. */
export function readDocuments(
  documents: readonly unknown[],
  state: ReadState,
  attachments?: Attachments,
): readonly Interaction[] {
  const { formats, location, problems } = state;
  const byFormat = groupItems(
    documents.entries(),
    ([, one]) => formats.find((format) => format.recognize(one)),
  );
  if (byFormat.get(undefined)?.length === documents.length) {
    throw notRecognized(documents[0], location, formats);
  }
  return [...byFormat].flatMap(([format, group]) => {
    if (format === undefined) {
      for (const [index] of group) {
        problems.add("a document that isn't a recording is left out", `document ${index + 1}`);
      }
      return [];
    }
    const reading = new EntryCollector(format, state, false);
    const findEntries = format.findEntries?.bind(format) ??
      ((one: unknown) =>
        Array.isArray(one)
          ? one
          : asList(format.list.split(".").reduce((inner, name) => asFields(inner)[name], one)));
    group.flatMap(([, one]) => findEntries(one)).forEach((entry, at) =>
      reading.add(entry, at, false, attachments)
    );
    reading.finish();
    return reading.takeBatch();
  });
}

export async function* streamEntries(
  batches: AsyncIterable<Batch>,
  list: StreamedList,
  state: ReadState,
): AsyncGenerator<readonly Interaction[], number> {
  const format = listFormat(list);
  const reading = new EntryCollector(format, state, list.isOnLines, list.visibility);
  if (format.isLog === true) state.isLog = true;
  let items = 0;
  for await (const { index, values, isOpen } of batches) {
    for (let offset = 0; offset < values.length; offset++) {
      const value = values[offset];
      const files = format.listAttachments?.(value) ?? [];
      const attachments = files.length === 0 ? undefined : await findFiles(files, state);
      reading.add(value, index + offset, isOpen, attachments);
    }
    items = index + values.length;
    yield reading.takeBatch();
  }
  reading.finish();
  const rest = reading.takeBatch();
  if (rest.length > 0) yield rest;
  return items;
}

async function findFiles(
  names: readonly string[],
  { options: { findFile } }: ReadState,
): Promise<Attachments> {
  const found = new Map<string, Uint8Array | undefined>();
  for (const name of names) found.set(name, await findFile?.(name));
  return (name) => found.get(name);
}

/** Returns a function that has the middle of a list read in parallel and moves the cursor after it, if possible. */
export function parallelReader(
  list: StreamedList,
  cursor: ByteCursor,
  state: ReadState,
): ReadInParallel | undefined {
  const { parts } = state;
  if (parts === undefined || listFormat(list).isOrdered === true) return undefined;
  return async (separator, index) => {
    const shown = { ...list, visibility: state.visibility };
    const read = await parts.read({ list: shown, separator, offset: cursor.offset });
    if (read === undefined) return 0;
    await cursor.continueAt(read.end, read.rest);
    let items = 0;
    for (const part of read.results) {
      state.addPart(part, index + items);
      items += part.items;
    }
    return items;
  };
}

/**
 * Reads a part of a list that was cut between two items: yields the interactions, and returns counts and problems. If
 * it returns undefined, the part doesn't begin and end between two items, and its interactions must not be used. If all
 * parts from the first one on can be read, all of them are parts of this very list: the first one is, and no part of an
 * item is a list of items.
 */
export async function* readPart(
  pieces: AsyncIterable<Uint8Array>,
  list: StreamedList,
  separator: Separator,
  findFile?: FindFile,
): AsyncGenerator<readonly Interaction[], PartResult | undefined> {
  const cursor = new ByteCursor(pieces);
  const json = new JsonStream(cursor);
  const state = new ReadState("", { findFile });
  try {
    const batches = listFormat(list).stream === "text"
      ? textLines(cursor)
      : list.isOnLines
      ? json.lines()
      : json.part(separator);
    const items = yield* streamEntries(batches, list, state);
    // Several files were joined: the visibility of entries in later parts depends on this part.
    if (json.interruption !== undefined || state.hasVisibilityChange) return undefined;
    return { items, entries: state.entries, used: state.used, problems: state.problems.kinds() };
  } finally {
    await cursor.close();
  }
}
