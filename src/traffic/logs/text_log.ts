import { type ReadEntry, readList } from "../formats/recording.ts";
import type { EntryStream, RecordingFormat } from "../formats/recording_format.ts";

/** A format of logs with one entry on each line, which isn't JSON. */
export interface TextLog {
  /** The name of one such log, with its article: `a log in Common Log Format`. */
  readonly name: string;
  /** The name in lists of what covtool reads. */
  readonly title: string;
  /** True if a line can only be of this format. */
  isLine(line: string): boolean;
  /** Makes a reader for the lines of one log; they are texts. */
  begin(): ReadEntry;
  /** True if lines can only be understood after those before them. */
  readonly isOrdered?: boolean;
}

/**
 * The problem of a line of another format.
 *
 * @example
 * ```ts
 * import { FOREIGN_LINE } from "./text_log.ts";
 * import assert from "node:assert/strict";
 *
 * assert.match(FOREIGN_LINE, /another format/);
 * ```
 */
export const FOREIGN_LINE = "a line of another format is left out";

/** The problem of a line without a request that could be read. */
export const NOT_HTTP = "a line whose request is empty or isn't HTTP is left out";

/** Makes an entry of the registry of a format of logs. */
export function textLog({ name, title, isLine, begin, isOrdered }: TextLog): RecordingFormat {
  const stream: EntryStream = isOrdered === true
    ? {
      list: "",
      isText: true,
      begin,
      readEntry: (entry, place, problems) => begin()(entry, place, problems),
    }
    : { list: "", isLog: true, isText: true, readEntry: begin() };
  return {
    name,
    title,
    recognize: (value) => typeof value === "string" && isLine(value),
    read: (value, location) => readList(String(value).split(/\r?\n/), "", location, begin()),
    stream,
  };
}
