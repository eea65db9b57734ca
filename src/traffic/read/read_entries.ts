import type { Interaction } from "../../http/interaction.ts";
import { entryList, type EntryListName } from "./entry_list.ts";
import { attachedFile } from "../formats/har/har_body.ts";
import type { Reading } from "./reading.ts";
import { type Batch, BLANK } from "../stream/json_stream.ts";

/**
 * Makes interactions of the items of a list.
 *
 * @returns How many items there are, empty lines included.
 */
export async function* readEntries(
  batches: AsyncIterable<Batch>,
  name: EntryListName,
  reading: Reading,
): AsyncGenerator<readonly Interaction[], number> {
  const { problems } = reading;
  const list = entryList(name);
  let items = 0;
  for await (const { index, values } of batches) {
    const interactions: Interaction[] = [];
    let entries = 0;
    for (let offset = 0; offset < values.length; offset++) {
      const value = values[offset];
      if (value === BLANK) continue;
      entries++;
      const place = list.placeOf(index + offset);
      if (value === undefined) {
        problems.add("an interaction that is no JSON is left out", place);
        continue;
      }
      const file = name === "log.entries" ? attachedFile(value) : undefined;
      const body = file === undefined ? undefined : await reading.findFile?.(file);
      const interaction = list.read(value, place, problems, () => body);
      if (interaction !== undefined) interactions.push(interaction);
    }
    items = index + values.length;
    reading.count(entries, interactions.length);
    yield interactions;
  }
  return items;
}
