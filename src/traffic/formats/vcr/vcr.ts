import { readCassetteEntry } from "../../cassette/cassette_request.ts";
import { asFields, asList, isFields } from "../../decode/fields.ts";
import type { RecordingFormat } from "../recording.ts";

/** Cassettes of Ruby VCR. They have the second in which an entry was recorded, and no durations. */
export const RUBY_VCR: RecordingFormat = {
  name: "a VCR cassette",
  title: "VCR",
  family: "cassette",
  // Schemathesis, whose list has the same name, is recognized before.
  recognize: (value) => {
    if (isFields(value)) return Array.isArray(value["http_interactions"]);
    // Before VCR 2 the list was the cassette.
    const first: unknown = Array.isArray(value) ? value[0] : undefined;
    return isFields(first) && isFields(first["request"]) && Object.hasOwn(first["request"], "uri");
  },
  nearMiss: (value) =>
    isFields(value) && Object.hasOwn(value, "http_interactions")
      ? "`http_interactions` is not a list"
      : undefined,
  list: "http_interactions",
  begin: () => (entry, place) => readCassetteEntry(entry, place, { isNullEmpty: true }),
};

/** True for an entry of go-vcr or php-vcr, which name the URL as traffic files do and the status as cassettes do. */
export function isUrlCassetteEntry(entry: unknown): boolean {
  const { request, response } = asFields(entry);
  const { code, status } = asFields(response);
  return Object.hasOwn(asFields(request), "url") &&
    (typeof code === "number" || Object.hasOwn(asFields(status), "code"));
}

/** Cassettes of go-vcr, which are objects, and of php-vcr, which are lists. */
export const URL_VCR: RecordingFormat = {
  name: "a cassette of go-vcr or php-vcr",
  title: "VCR",
  family: "cassette",
  recognize: (value) => isUrlCassetteEntry(cassetteEntries(value)[0]),
  list: "interactions",
  findEntries: cassetteEntries,
  begin: () => (entry, place) => readCassetteEntry(entry, place),
};

function cassetteEntries(value: unknown): readonly unknown[] {
  return asList(Array.isArray(value) ? value : asFields(value)["interactions"]);
}

/** Cassettes of vcrpy: `interactions` whose requests have a `uri`, and a `version`. */
export const VCRPY: RecordingFormat = {
  name: "a vcrpy cassette",
  title: "vcrpy",
  family: "cassette",
  recognize: (value) => {
    if (!isFields(value) || !Array.isArray(value["interactions"])) return false;
    const first: unknown = value["interactions"][0];
    if (first === undefined) return typeof value["version"] === "number";
    return isFields(first) && isFields(first["request"]) && Object.hasOwn(first["request"], "uri");
  },
  list: "interactions",
  begin: () => (entry, place) => readCassetteEntry(entry, place),
};
