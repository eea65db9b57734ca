import { readCassetteEntry } from "../../cassette/cassette_request.ts";
import { isFields } from "../../decode/fields.ts";
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
