import { readRequestLine, type RequestLine } from "./log_fields.ts";
import {
  type EntryContent,
  type EntryReader,
  type EntryStream,
  type Place,
  type ReadEntry,
  readList,
  type RecordingFormat,
} from "../formats/recording.ts";
import type { Visibility } from "../../http/visibility.ts";
import { type Fields, isFields } from "../decode/fields.ts";

/** A format of logs with one entry on each line, which isn't JSON. */
export interface TextLog {
  readonly name: string;
  isLine(line: string): boolean;
  begin(): ReadEntry;
  readonly isOrdered?: boolean;
}

export const FOREIGN_LINE = "a line of another format is left out";

export const NOT_HTTP = "a line whose request is empty or isn't HTTP is left out";

export function requestIn(requestLine: string, place: Place): RequestLine | undefined {
  const request = readRequestLine(requestLine);
  if (request === undefined) place.note(NOT_HTTP);
  return request;
}

/** The title of all formats of logs whose lines have no bodies, or only some. */
const ACCESS_LOGS = "access logs";

export function textLog({ name, isLine, begin, isOrdered }: TextLog): RecordingFormat {
  const stream: EntryStream = isOrdered === true
    ? { list: "", isText: true, begin, readEntry: (entry, place) => begin()(entry, place) }
    : { list: "", isLog: true, isText: true, readEntry: begin() };
  return {
    name,
    title: ACCESS_LOGS,
    recognize: (value) => typeof value === "string" && isLine(value),
    read: (value, location) => readList(String(value).split(/\r?\n/), "", location, begin()),
    stream,
  };
}

export function patternLog(
  name: string,
  pattern: RegExp,
  read: (match: RegExpExecArray, place: Place) => EntryContent,
): RecordingFormat {
  const readLine: ReadEntry = (entry, place) => {
    const match = pattern.exec(entry as string);
    if (match !== null) return read(match, place);
    return place.note(FOREIGN_LINE);
  };
  return textLog({ name, isLine: (line) => pattern.test(line), begin: () => readLine });
}

interface BinaryLog {
  readonly name: string;
  readonly title: string;
  isStart(bytes: Uint8Array): boolean;
  /** The index after the entry that begins at an index; -1 if it isn't there to its end, -2 if none can begin there. */
  endOfEntry(bytes: Uint8Array, start: number): number;
  begin(): EntryReader;
}

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
      readEntry: (entry, place) => begin()(entry, place),
      endOfEntry,
    },
  };
}

/** A format of logs with an object of JSON on each line, or with a list of them. */
interface JsonLog {
  readonly name: string;
  readonly title?: string;
  /** The member that has the entries, where an object holds all of them. */
  readonly list?: string;
  readonly visibility?: Visibility;
  isEntry(entry: Fields): boolean;
  readEntry?(entry: Fields, place: Place): EntryContent;
  /** Makes a reader for the entries of one log, where one depends on those before it. */
  begin?(): NonNullable<JsonLog["readEntry"]>;
}

export function jsonLog(log: JsonLog): RecordingFormat {
  const { name, title = ACCESS_LOGS, list = "", visibility } = log;
  const entriesOf = (value: unknown): readonly unknown[] => {
    if (Array.isArray(value)) return value;
    const inside = isFields(value) && list !== "" ? value[list] : undefined;
    return Array.isArray(inside) ? inside : [value];
  };
  const isEntry = (value: unknown): value is Fields => isFields(value) && log.isEntry(value);
  const begin = (): ReadEntry => {
    const read = log.begin?.() ?? log.readEntry;
    return (entry, place) => {
      if (isEntry(entry)) return read?.(entry, place);
      return place.note(FOREIGN_LINE);
    };
  };
  // The first entry makes it, as what a format needs may be declared after it.
  let read: ReadEntry | undefined;
  const readEntry: ReadEntry = (entry, place) => (read ??= begin())(entry, place);
  return {
    name,
    title,
    ...(visibility !== undefined && { visibility }),
    recognize: (value) => isEntry(entriesOf(value)[0]),
    read: (value, location) => readList(entriesOf(value), list, location, begin()),
    stream: { list, isLog: true, isBare: true, readEntry, ...(log.begin && { begin }) },
  };
}
