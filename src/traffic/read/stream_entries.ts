import type { Interaction } from "../../http/interaction.ts";
import { type Batch, BLANK, JsonStream, type PassItems } from "../stream/json_stream.ts";
import { addContent, Place, Problems } from "../formats/recording.ts";
import { type FindFile, ReadState } from "./read_state.ts";
import {
  entryPlaces,
  entryStream,
  type PartResult,
  streamedFormat,
  type StreamedList,
} from "./streamed_list.ts";
import { FULL_VISIBILITY } from "../../http/visibility.ts";
import { pathToUrl, readBoundedFile } from "../../files/files.ts";
import { MAX_BYTES } from "../../values/input_limits.ts";
import { ByteCursor } from "../stream/byte_cursor.ts";
import type { Separator } from "../stream/item_boundary.ts";
import { textLines } from "../stream/text_lines.ts";

/** The names that Playwright gives them: the SHA-1 of their bytes. A recording from elsewhere names nothing else. */
const NAME = /^[\da-f]{40}(?:\.\w{1,20})?$/;

/** Finds the files that Playwright puts beside a HAR (`recordHar` with `content: "attach"`). */
export function filesBeside(path: string | URL): FindFile {
  return async (name) => {
    if (!NAME.test(name)) return undefined;
    try {
      return await readBoundedFile(new URL(name, pathToUrl(path)), { most: MAX_BYTES });
    } catch {
      // Said of the entry: its body does not come with the recording.
      return undefined;
    }
  };
}

const INVALID_JSON = "an interaction that is not valid JSON is left out";
const LONG_LINE = "a line of more than 1 MiB is left out";
const CUT_LINE = "the last line is cut off and is left out";

const NO_FILES: ReadonlyMap<string, Uint8Array | undefined> = new Map();

export async function* streamEntries(
  batches: AsyncIterable<Batch>,
  list: StreamedList,
  state: ReadState,
): AsyncGenerator<readonly Interaction[], number> {
  const { problems } = state;
  const { stream, visibility: shownByFormat } = streamedFormat(list);
  let visibility = list.shown ?? shownByFormat;
  const begun = stream.begin?.();
  const readEntry = begun ?? stream.readEntry;
  if (stream.isLog === true) state.isLog = true;
  const placeOf = entryPlaces(list);
  let items = 0;
  for await (const { index, values, isOpen } of batches) {
    const interactions: Interaction[] = [];
    let entries = 0;
    for (let offset = 0; offset < values.length; offset++) {
      const value = values[offset];
      if (value === BLANK) continue;
      const place = new Place(() => placeOf(index + offset), problems);
      if (value === undefined) {
        entries++;
        place.note(stream.isText === true ? LONG_LINE : INVALID_JSON);
        continue;
      }
      const shown = stream.readHead?.(value, place);
      if (shown !== undefined) {
        state.hasHeads ||= JSON.stringify(shown) !== JSON.stringify(visibility ?? FULL_VISIBILITY);
        visibility = shown;
        continue;
      }
      if (isOpen === true) {
        // What keeps a line from being read that was not written to its end is that.
        const content = readEntry(value, new Place(place.name, new Problems(state.location)));
        if (content === undefined) place.note(CUT_LINE);
        entries += addContent(interactions, content, visibility);
        continue;
      }
      const files = stream.listAttachments?.(value) ?? [];
      const bodies = files.length === 0 ? NO_FILES : await findFiles(files, state);
      entries += addContent(
        interactions,
        readEntry(value, place, (name) => bodies.get(name)),
        visibility,
      );
    }
    items = index + values.length;
    state.count(entries, interactions.length);
    yield interactions;
  }
  const rest: Interaction[] = [];
  const entries = addContent(rest, begun?.finish?.() ?? [], visibility);
  if (entries > 0) {
    state.count(entries, rest.length);
    yield rest;
  }
  return items;
}

async function findFiles(
  names: readonly string[],
  { options: { findFile } }: ReadState,
): Promise<ReadonlyMap<string, Uint8Array | undefined>> {
  const found = new Map<string, Uint8Array | undefined>();
  for (const name of names) found.set(name, await findFile?.(name));
  return found;
}

/** Has the middle of a list read elsewhere if that is possible, and goes on after it. */
export function passer(
  list: StreamedList,
  cursor: ByteCursor,
  state: ReadState,
): PassItems | undefined {
  const { parts } = state;
  if (parts === undefined || entryStream(list).begin !== undefined) return undefined;
  return async (separator, index) => {
    const read = await parts.read({ list, separator, offset: cursor.offset });
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
 * Reads a part of a list that was cut between two of its items: yields the interactions, and returns the counts and
 * problems. If it returns undefined, the bytes don't begin and end between two items, and the interactions must not be
 * used. If all parts from the first on could be read, each begins and ends between two items of the list itself, since
 * the first does, and no part of an item is a list of items.
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
    const batches = entryStream(list).isText === true
      ? textLines(cursor)
      : list.isOnLines
      ? json.lines()
      : json.part(separator);
    const items = yield* streamEntries(batches, list, state);
    // Heads of several files in one: what the parts after this one can show depends on it.
    if (json.interruption !== undefined || state.hasHeads) return undefined;
    return { items, entries: state.entries, used: state.used, problems: state.problems.kinds() };
  } finally {
    await cursor.close();
  }
}
