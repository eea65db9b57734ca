import type { Interaction } from "../../http/interaction.ts";
import { type Batch, BLANK } from "../stream/json_stream.ts";
import type { ReadState } from "./read_state.ts";
import { entryPlaces, streamedFormat, type StreamedList } from "./streamed_list.ts";

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
  const placeOf = entryPlaces(list);
  let items = 0;
  for await (const { index, values } of batches) {
    const interactions: Interaction[] = [];
    let entries = 0;
    for (let offset = 0; offset < values.length; offset++) {
      const value = values[offset];
      if (value === BLANK) continue;
      entries++;
      const place = placeOf(index + offset);
      if (value === undefined) {
        problems.add("an interaction that is not valid JSON is left out", place);
        continue;
      }
      const file = stream.attachmentOf?.(value);
      const body = file === undefined ? undefined : await state.findFile?.(file);
      const interaction = stream.readEntry(value, place, problems, () => body);
      if (interaction === undefined) continue;
      interactions.push(visibility === undefined ? interaction : { visibility, ...interaction });
    }
    items = index + values.length;
    state.count(entries, interactions.length);
    yield interactions;
  }
  return items;
}
