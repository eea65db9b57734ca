import type { Interaction } from "../../http/interaction.ts";
import type { FindFile } from "./files_beside.ts";
import { ReadState } from "./read_state.ts";
import { streamEntries } from "./stream_entries.ts";
import { type PartResult, type StreamedList, streamOf } from "./streamed_list.ts";
import { ByteCursor } from "../stream/byte_cursor.ts";
import type { Separator } from "../stream/item_boundary.ts";
import { JsonStream } from "../stream/json_stream.ts";
import { textLines } from "../stream/text_lines.ts";

/**
 * Reads a part of a list that was cut between two of its items: yields the interactions, and returns the counts and
 * problems. If it returns undefined, the bytes don't begin and end between two items, and the interactions must not be
 * used. If all parts from the first on could be read, each begins and ends between two items of the list itself, since
 * the first does, and no part of an item is a list of items.
 *
 * @param pieces The bytes of the part, which end where the next part begins.
 * @param findFile Finds bodies that are files of their own.
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
    const batches = streamOf(list).isText === true
      ? textLines(cursor)
      : list.isOnLines
      ? json.lines()
      : json.part(separator);
    const items = yield* streamEntries(batches, list, state);
    if (json.interruption !== undefined) return undefined;
    return {
      items,
      entries: state.entries,
      used: state.used,
      problems: state.problems.kinds(),
    };
  } finally {
    await cursor.close();
  }
}
