import { RecordingError } from "../../../values/errors.ts";
import type { Interaction } from "../../../http/interaction.ts";
import { isFields } from "../../decode/fields.ts";
import { finishRecording } from "../../read/finish_recording.ts";
import { Problems, type Recording } from "../../read/recording.ts";
import { readSchemathesisEntry } from "./schemathesis_entry.ts";

/** Whether a parsed value is a cassette of Schemathesis (`--report vcr`, before version 4 `--cassette-path`). */
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
 * @throws {RecordingError} where the value is no such cassette, or nothing in it can be used.
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
  const entries = isFields(value) ? value["http_interactions"] : undefined;
  if (!Array.isArray(entries)) {
    throw new RecordingError(
      "This is no cassette of Schemathesis: expected an object with a list `http_interactions`.",
      { code: "not_cassette", location },
    );
  }
  const problems = new Problems(location);
  const interactions: Interaction[] = [];
  entries.forEach((entry: unknown, index) => {
    const interaction = readSchemathesisEntry(entry, `http_interactions[${index}]`, problems);
    if (interaction !== undefined) interactions.push(interaction);
  });
  return finishRecording(interactions, entries.length, problems, location);
}
