import type { EntryReader } from "../formats/recording.ts";
import { readList } from "../formats/recording.ts";
import type { RecordingFormat } from "../formats/recording_format.ts";

/** A format of entries of bytes that follow each other. */
export interface BinaryLog {
  /** The name of one such recording, with its article. */
  readonly name: string;
  /** The name in lists of what covtool reads. */
  readonly title: string;
  /** True for the first bytes of such a recording. */
  isStart(bytes: Uint8Array): boolean;
  /** The index after the entry that begins at an index; -1 if it isn't there to its end, -2 if none can begin there. */
  endOfEntry(bytes: Uint8Array, start: number): number;
  /** Makes a reader for the entries of one recording; they are bytes. */
  begin(): EntryReader;
}

/** Makes an entry of the registry of a format of entries of bytes. */
export function binaryLog({ name, title, isStart, endOfEntry, begin }: BinaryLog): RecordingFormat {
  return {
    name,
    title,
    recognize: (value) => value instanceof Uint8Array && isStart(value),
    read: (value, location) => {
      const bytes = value as Uint8Array;
      const entries: Uint8Array[] = [];
      for (let start = 0, end = 0; start < bytes.length; start = end) {
        end = endOfEntry(bytes, start);
        if (end < 0) break;
        entries.push(bytes.subarray(start, end));
      }
      return readList(entries, "entry ", location, begin());
    },
    stream: {
      list: "",
      isLog: true,
      begin,
      readEntry: (entry, place, problems) => begin()(entry, place, problems),
      endOfEntry,
    },
  };
}
