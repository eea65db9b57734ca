import { RecordingError } from "../../../values/errors.ts";
import type { Interaction } from "../../../http/interaction.ts";
import { cassetteRequest } from "../../cassette/cassette_request.ts";
import { cassetteResponse } from "../../cassette/cassette_response.ts";
import { isFields } from "../../decode/fields.ts";
import { finishRecording } from "../../read/finish_recording.ts";
import { nockBody } from "./nock_body.ts";
import { Problems, type Recording } from "../../read/recording.ts";

/** Whether a parsed value is what nock's recorder and nock back write: a list of objects with `scope` and `path`. */
export function isNock(value: unknown): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isFields(first) && typeof first["scope"] === "string" && Object.hasOwn(first, "path");
}

/**
 * Reads a recording of nock (`nock.recorder.play()` with `output_objects`, or nock back). Recordings have neither times
 * nor durations, and headers of requests only where nock was told to record them.
 *
 * @throws {RecordingError} where the value is no such recording, or nothing in it can be used.
 *
 * @example
 * ```ts
 * import { readNock } from "./nock.ts";
 * import assert from "node:assert/strict";
 *
 * const recording = [{
 *   scope: "http://localhost:80",
 *   method: "POST",
 *   path: "/a?b=1",
 *   body: { c: 2 },
 *   status: 200,
 *   response: "ok",
 * }];
 * assert.deepEqual(readNock(recording, "nock.json").interactions, [{
 *   request: {
 *     method: "POST",
 *     url: "http://localhost:80/a?b=1",
 *     headers: {},
 *     body: new TextEncoder().encode('{"c":2}'),
 *   },
 *   response: { status_code: 200 },
 * }]);
 * ```
 */
export function readNock(value: unknown, location: string): Recording {
  if (!Array.isArray(value)) {
    throw new RecordingError(
      "This is no recording of nock: expected a list of objects with `scope`, `method` and `path`.",
      { code: "not_cassette", location },
    );
  }
  const problems = new Problems(location);
  const interactions: Interaction[] = [];
  value.forEach((entry: unknown, index) => {
    const interaction = readEntry(entry, `[${index}]`, problems);
    if (interaction !== undefined) interactions.push(interaction);
  });
  return finishRecording(interactions, value.length, problems, location);
}

function readEntry(entry: unknown, place: string, problems: Problems): Interaction | undefined {
  if (!isFields(entry)) {
    problems.add("an entry that is no object is left out", place);
    return undefined;
  }
  const { scope, path, method } = entry;
  // `nock.define` also takes patterns, which are no requests.
  if (typeof scope !== "string" || typeof path !== "string" || !path.startsWith("/")) {
    problems.add("an entry without the text of a scope and a path is left out", place);
    return undefined;
  }
  const recorded = isFields(entry["reqheaders"]) ? entry["reqheaders"] : {};
  const { headers, body } = nockBody(entry["body"], recorded);
  const url = scope.replace(/\/$/, "") + path;
  const request = cassetteRequest({ method, url, headers, body }, place, problems);
  if (request === undefined) return undefined;
  const response = cassetteResponse(entry["status"] ?? entry["reply"], undefined);
  return { request, ...(response && { response }) };
}
