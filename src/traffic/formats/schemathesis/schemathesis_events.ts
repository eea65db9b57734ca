import { RecordingError } from "../../../values/errors.ts";
import type { Interaction } from "../../../http/interaction.ts";
import { type Fields, isFields } from "../../decode/fields.ts";
import { finishRecording } from "../../read/finish_recording.ts";
import { Problems, type Recording } from "../../read/recording.ts";
import { readSchemathesisEntry } from "./schemathesis_entry.ts";

const EVENT =
  /^(?:Initialize|(?:Loading|Engine|Phase|Suite|Scenario|Fuzz\w*)(?:Started|Finished))$/;

/** Whether a parsed line is an event of Schemathesis: an object with one key, the name of the event. */
export function isSchemathesisEvent(value: unknown): boolean {
  if (!isFields(value)) return false;
  const [name, ...others] = Object.keys(value);
  return name !== undefined && others.length === 0 && EVENT.test(name) && isFields(value[name]);
}

/** Whether a parsed value is a list of events of Schemathesis (`--report ndjson`, one event on each line), or one. */
export function isSchemathesisEvents(value: unknown): boolean {
  return isSchemathesisEvent(Array.isArray(value) ? value[0] : value);
}

/**
 * Reads the events of Schemathesis, each parsed from its line. The exchanges are those of the finished scenarios.
 *
 * @param value The events; any iterable, so that they can be parsed one after the other.
 * @throws {RecordingError} where the value holds no such events, or none of its exchanges can be used.
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
  let index = 0;
  let count = 0;
  for (const event of eventsOf(value)) {
    index++;
    for (const [id, exchange] of exchangesOf(event)) {
      count++;
      const interaction = readSchemathesisEntry(exchange, `event ${index}, ${id}`, problems);
      if (interaction !== undefined) interactions.push(interaction);
    }
  }
  if (index === 0) {
    throw new RecordingError("These are no events of Schemathesis: expected one on each line.", {
      code: "not_cassette",
      location,
    });
  }
  return finishRecording(interactions, count, problems, location);
}

function eventsOf(value: unknown): Iterable<unknown> {
  if (isSchemathesisEvent(value)) return [value];
  return typeof value === "object" && value !== null && Symbol.iterator in value
    ? value as Iterable<unknown>
    : [];
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
