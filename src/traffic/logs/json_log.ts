import type { Visibility } from "../../http/visibility.ts";
import { type Fields, isFields } from "../decode/fields.ts";
import type { Problems } from "../formats/problems.ts";
import { type EntryContent, type ReadEntry, readList } from "../formats/recording.ts";
import type { RecordingFormat } from "../formats/recording_format.ts";
import { FOREIGN_LINE } from "./text_log.ts";

/** A format of logs with an object of JSON on each line, or with a list of them. */
export interface JsonLog {
  /** The name of one such log, with its article: `a log of Caddy`. */
  readonly name: string;
  /** The name in lists of what covtool reads. */
  readonly title: string;
  /** What it can show, unless its entries say that themselves. */
  readonly visibility?: Visibility;
  /** True if an object can only be an entry of this format. */
  isEntry(entry: Fields): boolean;
  /** Reads an entry for which that holds. */
  readEntry(entry: Fields, place: string, problems: Problems): EntryContent;
}

/** Makes an entry of the registry of a format of logs. */
export function jsonLog(log: JsonLog): RecordingFormat {
  const { name, title, visibility } = log;
  const isEntry = (value: unknown): value is Fields => isFields(value) && log.isEntry(value);
  const readEntry: ReadEntry = (entry, place, problems) => {
    if (isEntry(entry)) return log.readEntry(entry, place, problems);
    problems.add(FOREIGN_LINE, place);
    return undefined;
  };
  return {
    name,
    title,
    ...(visibility !== undefined && { visibility }),
    recognize: (value) => isEntry(Array.isArray(value) ? value[0] : value),
    read: (value, location) => {
      const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
      return readList(entries, "", location, readEntry);
    },
    stream: { list: "", isLog: true, isBare: true, readEntry },
  };
}
