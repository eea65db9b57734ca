import type { Fields } from "../decode/fields.ts";
import type { EntryContent, EntryReader, Place, RecordingFormat } from "../formats/recording.ts";
import { flatLogReader } from "./flat_log.ts";
import { FOREIGN_LINE, jsonLog, textLog } from "./text_log.ts";

/** Standard logs of Amazon CloudFront in JSON. Members have the names of the fields. */
export const CLOUDFRONT_JSON: RecordingFormat = jsonLog({
  name: "a log of CloudFront in JSON",
  isEntry: (entry) => "cs-method" in entry && ("cs-uri-stem" in entry || "cs-uri" in entry),
  readEntry: w3cEntryReader(1),
});

/** The fields in CloudFront's order, for lines without the header line. */
const STANDARD =
  "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end"
    .split(" ");

const LINE = /^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t[A-Z]{3}[\w-]*\t\d+\t[\da-f.:]+\t[A-Z]+\t/;

/** Standard logs of Amazon CloudFront, separated by tabs. */
export const CLOUDFRONT: RecordingFormat = textLog({
  name: "a log of CloudFront",
  isLine: (line) => /^#Fields:.*\sx-edge-/.test(line) || LINE.test(line),
  begin: () => w3cReader(w3cEntryReader(1), STANDARD),
  isOrdered: true,
});

/** W3C Extended Log File Format of IIS, and of other programs with the same names of fields. */
export const IIS: RecordingFormat = textLog({
  name: "a log of IIS",
  isLine: (line) => /^#Fields:.*\scs-method(?:\s|$)/.test(line) && !line.includes("x-edge-"),
  begin: () => w3cReader(w3cEntryReader(0.001)),
  isOrdered: true,
});

type ReadW3c = (entry: Fields, place: Place) => EntryContent;

function w3cEntryReader(elapsedUnit: number): ReadW3c {
  const read = flatLogReader({
    method: ["cs-method"],
    target: ["cs-uri"],
    path: ["cs-uri-stem"],
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
  return (entry, place) => {
    const { date, time } = entry;
    const moment = typeof date === "string" && typeof time === "string"
      ? { ...entry, "date-time": `${date} ${time}` }
      : entry;
    return read(moment, place);
  };
}

/** Creates a reader for W3C Extended Log File Format. `standard` are the fields if no line names them. */
function w3cReader(read: ReadW3c, standard: readonly string[] = []): EntryReader {
  let names = standard;
  let day: string | undefined;
  return (entry, place) => {
    const line = entry as string;
    if (line.startsWith("#")) {
      const colon = line.indexOf(":");
      const directive = line.slice(1, Math.max(colon, 1));
      const value = line.slice(colon + 1).trim();
      if (directive === "Fields") names = splitFields(value);
      else if (directive === "Date") day = value.split(" ", 1)[0];
      return [];
    }
    let values = splitFields(line);
    if (values.length !== names.length) values = splitQuotedFields(line);
    if (names.length === 0 || values.length !== names.length) return place.addProblem(FOREIGN_LINE);
    const fields: Record<string, string> = day === undefined ? {} : { date: day };
    names.forEach((name, index) => fields[name] = values[index] ?? "");
    return read(fields, place);
  };
}

/** Splits at spaces outside quotes, as in the specification. IIS writes `+` for spaces and doesn't quote fields. */
function splitQuotedFields(line: string): readonly string[] {
  return Array.from(
    line.matchAll(/"((?:[^"]|"")*)"(?!\S)|\S+/g),
    ([field, quoted]) => quoted?.replaceAll('""', '"') ?? field,
  );
}

/** Splits at tabs, as in CloudFront, or at spaces, as in IIS. */
function splitFields(text: string): readonly string[] {
  return text.split(text.includes("\t") ? "\t" : " ").filter((field) => field !== "");
}
