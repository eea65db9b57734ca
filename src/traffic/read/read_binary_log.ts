import type { Interaction } from "../../http/interaction.ts";
import type { EntryStream, RecordingFormat } from "../formats/recording_format.ts";
import type { ByteCursor } from "../stream/byte_cursor.ts";
import type { Batch } from "../stream/json_stream.ts";
import type { ReadState } from "./read_state.ts";
import { streamEntries } from "./stream_entries.ts";

/** A format of entries of bytes. */
type BinaryFormat = RecordingFormat & {
  readonly stream: EntryStream & Required<Pick<EntryStream, "endOfEntry">>;
};

/** Bytes that tell a format. */
const START_BYTES = 256;
/** Entries are read together up to so many. */
const BATCH = 64;

/**
 * Finds the format of entries of bytes, by the first of them; undefined if it has none. The cursor stays.
 *
 * @param cursor At the beginning.
 */
export async function binaryLogOf(
  cursor: ByteCursor,
  formats: readonly RecordingFormat[],
): Promise<BinaryFormat | undefined> {
  while (cursor.bytes.length - cursor.indexOf(0) < START_BYTES && await cursor.more());
  const start = cursor.bytes.subarray(cursor.indexOf(0));
  return formats.find((format): format is BinaryFormat =>
    format.stream?.endOfEntry !== undefined && format.recognize(start)
  );
}

/** Reads entries of bytes one after the other, from the beginning. */
export async function* readBinaryLog(
  format: BinaryFormat,
  cursor: ByteCursor,
  state: ReadState,
): AsyncGenerator<readonly Interaction[]> {
  cursor.position = cursor.indexOf(0);
  cursor.release();
  const list = { format: format.name, isOnLines: false };
  yield* streamEntries(entriesOf(format.stream.endOfEntry, cursor, state), list, state);
}

async function* entriesOf(
  endOfEntry: (bytes: Uint8Array, start: number) => number,
  cursor: ByteCursor,
  state: ReadState,
): AsyncGenerator<Batch> {
  let index = 0;
  while (true) {
    const values: Uint8Array[] = [];
    let end = 0;
    while (values.length < BATCH && cursor.position < cursor.bytes.length) {
      end = endOfEntry(cursor.bytes, cursor.position);
      if (end < 0) break;
      values.push(cursor.bytes.subarray(cursor.position, end));
      cursor.position = end;
    }
    if (values.length > 0) {
      yield { index, values };
      index += values.length;
      continue;
    }
    if (end === -2) {
      state.noteBroken(cursor.offset);
      return;
    }
    if (await cursor.more()) continue;
    if (cursor.position < cursor.bytes.length) state.noteCut(cursor.offset);
    return;
  }
}
