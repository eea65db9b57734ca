import type { Interaction } from "../../../http/interaction.ts";
import { type Fields, isFields } from "../../decode/fields.ts";
import { Problems } from "../problems.ts";
import { finishRecording, type Recording } from "../recording.ts";
import type { RecordingFormat } from "../recording_format.ts";
import { readSchemathesisEntry } from "../schemathesis/schemathesis_entry.ts";

const EVENT =
  /^(?:Initialize|(?:Loading|Engine|Phase|Suite|Scenario|Fuzz\w*)(?:Started|Finished))$/;

/** Events of Schemathesis (`--report ndjson`). */
export const SCHEMATHESIS_EVENTS: RecordingFormat = {
  name: "Schemathesis events",
  title: "Schemathesis",
  family: "cassette",
  recognize: isSchemathesisEvents,
  read: readSchemathesisEvents,
};

/** Recognises an event of Schemathesis: an object with one key, the name of the event. */
function isSchemathesisEvent(value: unknown): boolean {
  if (!isFields(value)) return false;
  const [name, ...others] = Object.keys(value);
  return name !== undefined && others.length === 0 && EVENT.test(name) && isFields(value[name]);
}

/** Recognises a list of events of Schemathesis (one event on each line of a file), or a single one. */
export function isSchemathesisEvents(value: unknown): boolean {
  return isSchemathesisEvent(Array.isArray(value) ? value[0] : value);
}

/**
 * Reads the events of Schemathesis, each parsed from its line. The exchanges are those of the finished scenarios.
 *
 * @param value For which {@linkcode isSchemathesisEvents} holds.
 * @throws {RecordingError} if none of its exchanges can be used.
 *
 * @example
 * ```ts
 * import { readSchemathesisEvents } from "./schemathesis_events.ts";
 * import assert from "node:assert/strict";
 *
 * const request = { method: "GET", uri: "http://localhost/a", headers: {} };
 * const response = { status_code: 200, elapsed: 0.5 };
 * const interactions = { x1: { request, response, timestamp: 1795214619.5 } };
 * const events = [{ Initialize: {} }, { ScenarioFinished: { recorder: { interactions } } }];
 * assert.deepEqual(readSchemathesisEvents(events, "events.ndjson").interactions, [{
 *   request: { method: "GET", url: "http://localhost/a", headers: {} },
 *   response: { status_code: 200, elapsed: 0.5 },
 *   timestamp: 1795214619.5,
 * }]);
 * ```
 */
export function readSchemathesisEvents(value: unknown, location: string): Recording {
  const problems = new Problems(location);
  const interactions: Interaction[] = [];
  let count = 0;
  const events: readonly unknown[] = Array.isArray(value) ? value : [value];
  events.forEach((event, index) => {
    for (const [id, exchange] of exchangesOf(event)) {
      count++;
      const interaction = readSchemathesisEntry(exchange, `event ${index + 1}, ${id}`, problems);
      if (interaction !== undefined) interactions.push(interaction);
    }
  });
  return finishRecording(interactions, count, problems);
}

/** By the id of their test case. */
function exchangesOf(event: unknown): readonly (readonly [string, unknown])[] {
  const recorder = fieldOf(fieldOf(event, "ScenarioFinished"), "recorder");
  return Object.entries(fieldOf(recorder, "interactions") ?? {});
}

function fieldOf(value: unknown, name: string): Fields | undefined {
  const field = isFields(value) ? value[name] : undefined;
  return isFields(field) ? field : undefined;
}
