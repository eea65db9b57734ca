import type { Interaction } from "../../http/interaction.ts";
import { type Batch, BLANK } from "../stream/json_stream.ts";
import { Problems } from "../formats/problems.ts";
import { addContent } from "../formats/recording.ts";
import type { ReadState } from "./read_state.ts";
import { entryPlaces, streamedFormat, type StreamedList } from "./streamed_list.ts";

const INVALID_JSON = "an interaction that is not valid JSON is left out";
const LONG_LINE = "a line of more than 1 MiB is left out";
const CUT_LINE = "the last line is cut off and is left out";

const NO_FILES: ReadonlyMap<string, Uint8Array | undefined> = new Map();

/**
 * Makes interactions of the entries of a list while they are parsed.
 *
 * @returns The number of items, empty lines included.
 */
export async function* streamEntries(
  batches: AsyncIterable<Batch>,
  list: StreamedList,
  state: ReadState,
): AsyncGenerator<readonly Interaction[], number> {
  const { problems } = state;
  const { stream, visibility } = streamedFormat(list);
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
      const place = placeOf(index + offset);
      if (value === undefined) {
        entries++;
        problems.add(stream.isText === true ? LONG_LINE : INVALID_JSON, place);
        continue;
      }
      if (isOpen === true) {
        // What keeps a line from being read that was not written to its end is that.
        const content = readEntry(value, place, new Problems(problems.location));
        if (content === undefined) problems.add(CUT_LINE, place);
        entries += addContent(interactions, content, visibility);
        continue;
      }
      const files = stream.attachmentsOf?.(value) ?? [];
      const bodies = files.length === 0 ? NO_FILES : await findFiles(files, state);
      entries += addContent(
        interactions,
        readEntry(value, place, problems, (name) => bodies.get(name)),
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
  { findFile }: ReadState,
): Promise<ReadonlyMap<string, Uint8Array | undefined>> {
  const found = new Map<string, Uint8Array | undefined>();
  for (const name of names) found.set(name, await findFile?.(name));
  return found;
}
