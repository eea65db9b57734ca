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
  /** The member that has the entries, where an object holds all of them. */
  readonly list?: string;
  /** What it can show, unless its entries say that themselves. */
  readonly visibility?: Visibility;
  /** True if an object can only be an entry of this format. */
  isEntry(entry: Fields): boolean;
  /** Reads an entry for which that holds. */
  readEntry?(entry: Fields, place: string, problems: Problems): EntryContent;
  /** Makes a reader for the entries of one log, where one depends on those before it. */
  begin?(): NonNullable<JsonLog["readEntry"]>;
}

/** Makes an entry of the registry of a format of logs. */
export function jsonLog(log: JsonLog): RecordingFormat {
  const { name, title, list = "", visibility } = log;
  const entriesOf = (value: unknown): readonly unknown[] => {
    if (Array.isArray(value)) return value;
    const inside = isFields(value) && list !== "" ? value[list] : undefined;
    return Array.isArray(inside) ? inside : [value];
  };
  const isEntry = (value: unknown): value is Fields => isFields(value) && log.isEntry(value);
  const begin = (): ReadEntry => {
    const read = log.begin?.() ?? log.readEntry;
    return (entry, place, problems) => {
      if (isEntry(entry)) return read?.(entry, place, problems);
      problems.add(FOREIGN_LINE, place);
      return undefined;
    };
  };
  // The first entry makes it, as what a format needs may be declared after it.
  let read: ReadEntry | undefined;
  const readEntry: ReadEntry = (entry, place, problems) =>
    (read ??= begin())(entry, place, problems);
  return {
    name,
    title,
    ...(visibility !== undefined && { visibility }),
    recognize: (value) => isEntry(entriesOf(value)[0]),
    read: (value, location) => readList(entriesOf(value), list, location, begin()),
    stream: { list, isLog: true, isBare: true, readEntry, ...(log.begin && { begin }) },
  };
}
