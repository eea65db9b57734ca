import { isFields } from "../../decode/fields.ts";
import type { RecordingFormat } from "../recording_format.ts";
import { isHar, readHar, readHarEntry } from "./har.ts";
import { requestFile } from "./har_body.ts";
import { responseFile } from "./har_response.ts";

/** HTTP Archives, those of Polly.js included. */
export const HAR: RecordingFormat = {
  name: "a HAR",
  title: "HAR",
  family: "archive",
  recognize: isHar,
  nearMiss,
  read: (value, location) => readHar(value, location),
  stream: { within: "log", list: "entries", readEntry: readHarEntry, attachmentsOf },
  readZip: async (bytes, location) => {
    // Few recordings are packed so, and the others do not wait for this code.
    const { readHarZip } = await import("./har_zip.ts");
    return readHarZip(bytes, location);
  },
};

function attachmentsOf(entry: unknown): readonly string[] {
  return [requestFile(entry), responseFile(entry)].filter((file) => file !== undefined);
}

function nearMiss(value: unknown): string | undefined {
  if (!isFields(value)) return undefined;
  if (isFields(value["log"])) return "`log` has no list `entries`";
  return Array.isArray(value["entries"]) ? "`entries` must be in an object `log`" : undefined;
}
