import { readCassetteEntry } from "../../cassette/cassette_request.ts";
import { asFields, asList, isFields } from "../../decode/fields.ts";
import type { RecordingFormat } from "../recording.ts";

/** Cassettes of Ruby VCR, which have the second of each recording, and no durations. */
export const RUBY_VCR: RecordingFormat = {
  name: "a VCR cassette",
  title: "VCR",
  family: "cassette",
  // The list of Schemathesis has the same name, but its format comes first.
  recognize: (value) => {
    if (isFields(value)) return Array.isArray(value["http_interactions"]);
    // Before VCR 2, the cassette was just the list.
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

/** True for an entry of go-vcr or php-vcr: they have `url` like traffic files, but a status like cassettes. */
export function isUrlCassetteEntry(entry: unknown): boolean {
  const { request, response } = asFields(entry);
  const { code, status } = asFields(response);
  return Object.hasOwn(asFields(request), "url") &&
    (typeof code === "number" || Object.hasOwn(asFields(status), "code"));
}

/** Cassettes of go-vcr, which are objects, or of php-vcr, which are lists. */
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

/** Cassettes of vcrpy, which have a `version`, and `interactions` whose requests have a `uri`. */
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
