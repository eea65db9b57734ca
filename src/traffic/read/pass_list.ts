import type { ByteCursor } from "../stream/byte_cursor.ts";
import type { PassItems } from "../stream/json_stream.ts";
import type { ReadState } from "./read_state.ts";
import { type StreamedList, streamOf } from "./streamed_list.ts";

/** Has the middle of a list read elsewhere if that is possible, and goes on after it. */
export function passer(
  list: StreamedList,
  cursor: ByteCursor,
  state: ReadState,
): PassItems | undefined {
  const { parts } = state;
  if (parts === undefined || streamOf(list).begin !== undefined) return undefined;
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
