import { isFields } from "../../decode/fields.ts";
import { readList, type Recording } from "../recording.ts";
import type { RecordingFormat } from "../recording_format.ts";
import { readSchemathesisEntry } from "./schemathesis_entry.ts";

/** Cassettes of Schemathesis. */
export const SCHEMATHESIS: RecordingFormat = {
  name: "a Schemathesis cassette",
  title: "Schemathesis",
  family: "cassette",
  recognize: isSchemathesis,
  read: readSchemathesis,
};

/** Recognises cassettes of Schemathesis (`--report vcr`, before version 4 `--cassette-path`). */
export function isSchemathesis(value: unknown): boolean {
  if (!isFields(value) || !Array.isArray(value["http_interactions"])) return false;
  const { recorded_with: program } = value;
  if (typeof program === "string" && program.startsWith("Schemathesis")) return true;
  const first: unknown = value["http_interactions"][0];
  return isFields(first) && Array.isArray(first["checks"]);
}

/**
 * Reads a cassette of Schemathesis that was parsed from YAML or JSON; durations stand at the response (version 4) or at
 * the entry (version 3). Values that Schemathesis replaced by `[Filtered]` stay as they are, with a warning.
 *
 * @param value For which {@linkcode isSchemathesis} holds.
 * @throws {RecordingError} if nothing in it can be used.
 *
 * @example
 * ```ts
 * import { readSchemathesis } from "./schemathesis.ts";
 * import assert from "node:assert/strict";
 *
 * const cassette = {
 *   recorded_with: "Schemathesis 4.32.5",
 *   http_interactions: [{
 *     recorded_at: "2026-11-20T22:43:39.891536+00:00",
 *     request: { method: "GET", uri: "http://localhost/a", headers: {} },
 *     response: { status: { code: "200" }, elapsed: "0.002419" },
 *   }],
 * };
 * assert.deepEqual(readSchemathesis(cassette, "cassette.yaml").interactions, [{
 *   request: { method: "GET", url: "http://localhost/a", headers: {} },
 *   response: { status_code: 200, elapsed: 0.002419 },
 *   timestamp: 1795214619.891536,
 * }]);
 * ```
 */
export function readSchemathesis(value: unknown, location: string): Recording {
  const { http_interactions: entries } = value as {
    readonly http_interactions: readonly unknown[];
  };
  return readList(entries, "http_interactions", location, readSchemathesisEntry);
}
