import type { Fields } from "../decode/fields.ts";
import type { EntryContent, ReadEntry } from "../formats/recording.ts";
import type { Problems } from "../formats/problems.ts";
import { flatLogReader } from "./flat_log.ts";
import { FOREIGN_LINE } from "./text_log.ts";

/** Reads an entry by the names of its fields in W3C Extended Log File Format. */
export type ReadW3c = (entry: Fields, place: string, problems: Problems) => EntryContent;

/**
 * Makes a function that reads entries by the names of fields in W3C Extended Log File Format, such as `cs-method`.
 *
 * @param elapsedUnit The unit of `time-taken`, in seconds.
 */
export function w3cEntryReader(elapsedUnit: number): ReadW3c {
  const read = flatLogReader({
    method: ["cs-method"],
    target: ["cs-uri", "cs-uri-stem"],
    query: ["cs-uri-query"],
    host: ["x-host-header", "cs-host", "cs(Host)", "cs(host)"],
    scheme: ["cs-protocol"],
    status: ["sc-status"],
    time: ["timestamp(ms)", "timestamp", "date-time"],
    isTimeOfEnd: true,
    elapsed: ["time-taken"],
    elapsedUnit,
    header: (field) => /^cs\(([\w-]+)\)$/i.exec(field)?.[1],
    responseHeader: (field) => /^sc\(([\w-]+)\)$/i.exec(field)?.[1],
  });
  return (entry, place, problems) => {
    const { date, time } = entry;
    const moment = typeof date === "string" && typeof time === "string"
      ? { ...entry, "date-time": `${date} ${time}` }
      : entry;
    return read(moment, place, problems);
  };
}

/**
 * Makes a reader for the lines of a log in W3C Extended Log File Format. Lines that begin with `#` say which fields the
 * lines after them have.
 *
 * @param standard The fields of lines before which none are named; without them such lines can't be read.
 */
export function w3cReader(read: ReadW3c, standard: readonly string[] = []): ReadEntry {
  let names = standard;
  let day: string | undefined;
  return (entry, place, problems) => {
    const line = entry as string;
    if (line.startsWith("#")) {
      const colon = line.indexOf(":");
      const directive = line.slice(1, Math.max(colon, 1));
      const value = line.slice(colon + 1).trim();
      if (directive === "Fields") names = fieldsOf(value);
      else if (directive === "Date") day = value.split(" ", 1)[0];
      return [];
    }
    const values = fieldsOf(line);
    if (names.length === 0 || values.length !== names.length) {
      problems.add(FOREIGN_LINE, place);
      return undefined;
    }
    const fields: Record<string, string> = day === undefined ? {} : { date: day };
    names.forEach((name, index) => fields[name] = values[index] ?? "");
    return read(fields, place, problems);
  };
}

/** CloudFront separates by tabs, IIS by spaces. */
function fieldsOf(text: string): readonly string[] {
  return text.split(text.includes("\t") ? "\t" : " ").filter((field) => field !== "");
}
