import type { Interaction } from "../../http/interaction.ts";
import { type Batch, BLANK } from "../stream/json_stream.ts";
import { Problems } from "../formats/problems.ts";
import { addContent } from "../formats/recording.ts";
import type { ReadState } from "./read_state.ts";
import { entryPlaces, streamedFormat, type StreamedList } from "./streamed_list.ts";

const INVALID_JSON = "an interaction that is not valid JSON is left out";
const LONG_LINE = "a line of more than 1 MiB is left out";
const CUT_LINE = "the last line is cut off and is left out";

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
  const readEntry = stream.begin?.() ?? stream.readEntry;
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
      const file = stream.attachmentOf?.(value);
      const body = file === undefined ? undefined : await state.findFile?.(file);
      entries += addContent(
        interactions,
        readEntry(value, place, problems, () => body),
        visibility,
      );
    }
    items = index + values.length;
    state.count(entries, interactions.length);
    yield interactions;
  }
  return items;
}
