import { readRequestLine, type RequestLine } from "./log_fields.ts";
import type { EntryContent, EntryReader, Place, RecordingFormat } from "../formats/recording.ts";
import type { Visibility } from "../../http/visibility.ts";
import { type Fields, isFields } from "../decode/fields.ts";

export const FOREIGN_LINE = "a line of another format is left out";

export const NOT_HTTP = "a line whose request is empty or isn't HTTP is left out";

export function readRequestIn(requestLine: string, place: Place): RequestLine | undefined {
  const request = readRequestLine(requestLine);
  if (request === undefined) place.addProblem(NOT_HTTP);
  return request;
}

/** The title of all log formats with no or incomplete bodies. */
const ACCESS_LOGS = "access logs";

/** Creates a format of logs with one entry per line that isn't JSON. */
export function textLog(
  log: Pick<RecordingFormat, "name" | "begin" | "isOrdered"> & { isLine(line: string): boolean },
): RecordingFormat {
  const { name, isLine, begin, isOrdered = false } = log;
  return {
    name,
    title: ACCESS_LOGS,
    recognize: (value) => typeof value === "string" && isLine(value),
    list: "",
    begin,
    isOrdered,
    stream: "text",
    // If lines describe later ones, a log without usable entries is an error.
    isLog: !isOrdered,
  };
}

export function patternLog(
  name: string,
  pattern: RegExp,
  read: (match: RegExpExecArray, place: Place) => EntryContent,
): RecordingFormat {
  const readLine: EntryReader = (entry, place) => {
    const match = pattern.exec(entry as string);
    if (match !== null) return read(match, place);
    return place.addProblem(FOREIGN_LINE);
  };
  return textLog({ name, isLine: (line) => pattern.test(line), begin: () => readLine });
}

export function binaryLog(
  log:
    & Required<Pick<RecordingFormat, "name" | "title" | "begin" | "endOfEntry">>
    & { isStart(bytes: Uint8Array): boolean },
): RecordingFormat {
  const { isStart, ...format } = log;
  return {
    ...format,
    recognize: (value) => value instanceof Uint8Array && isStart(value),
    list: "",
    stream: "binary",
    isLog: true,
  };
}

/** A format of logs with a JSON object on each line, or with a list of objects. */
interface JsonLog {
  readonly name: string;
  readonly title?: string;
  /** The member with the entries, if one object contains all of them. */
  readonly list?: string;
  readonly visibility?: Visibility;
  isEntry(entry: Fields): boolean;
  readEntry?(entry: Fields, place: Place): EntryContent;
  /** Creates a reader for the entries of one log, if entries depend on earlier ones. */
  begin?(): NonNullable<JsonLog["readEntry"]>;
}

export function jsonLog(log: JsonLog): RecordingFormat {
  const { name, title = ACCESS_LOGS, list = "", visibility } = log;
  const findEntries = (value: unknown): readonly unknown[] => {
    if (Array.isArray(value)) return value;
    const inside = isFields(value) && list !== "" ? value[list] : undefined;
    return Array.isArray(inside) ? inside : [value];
  };
  const isEntry = (value: unknown): value is Fields => isFields(value) && log.isEntry(value);
  return {
    name,
    title,
    ...(visibility !== undefined && { visibility }),
    recognize: (value) => isEntry(findEntries(value)[0]),
    list,
    findEntries,
    begin: () => {
      const read = log.begin?.() ?? log.readEntry;
      return (entry, place) => {
        if (isEntry(entry)) return read?.(entry, place);
        return place.addProblem(FOREIGN_LINE);
      };
    },
    isOrdered: log.begin !== undefined,
    stream: "json",
    isBare: true,
    isLog: true,
  };
}
