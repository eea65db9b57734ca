import type { Interaction } from "../../../http/interaction.ts";
import { NO_REQUEST_HEADERS } from "../../../http/visibility.ts";
import { cassetteRequest } from "../../cassette/cassette_request.ts";
import { cassetteResponse } from "../../cassette/cassette_response.ts";
import { isFields } from "../../decode/fields.ts";
import { nockAnswer, nockBody } from "./nock_body.ts";
import type { Problems } from "../problems.ts";
import { readList, type Recording } from "../recording.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** Recordings of nock. */
export const NOCK: RecordingFormat = {
  name: "a nock recording",
  title: "nock",
  family: "cassette",
  recognize: isNock,
  nearMiss,
  read: readNock,
};

/** Recognises recordings of nock's recorder and nock back: a list of objects with `scope` and `path`. */
export function isNock(value: unknown): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isFields(first) && typeof first["scope"] === "string" && Object.hasOwn(first, "path");
}

function nearMiss(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  if (!isFields(first)) return undefined;
  const [scope, path] = ["scope", "path"].map((name) => Object.hasOwn(first, name));
  if (scope !== true) return path === true ? "its first entry has no string `scope`" : undefined;
  return path === true
    ? "the `scope` of its first entry is not a string"
    : "its first entry has no `path`";
}

/**
 * Reads a recording of nock (`nock.recorder.play()` with `output_objects`, or nock back). Recordings have neither times
 * nor durations, and headers of requests only where nock was told to record them.
 *
 * @param value For which {@linkcode isNock} holds.
 * @throws {RecordingError} if nothing in it can be used.
 *
 * @example
 * ```ts
 * import { readNock } from "./nock.ts";
 * import { NO_REQUEST_HEADERS } from "../../../http/visibility.ts";
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
 *   response: { status_code: 200, body: "ok" },
 *   visibility: NO_REQUEST_HEADERS,
 * }]);
 * ```
 */
export function readNock(value: unknown, location: string): Recording {
  return readList(value as readonly unknown[], "", location, readEntry);
}

function readEntry(entry: unknown, place: string, problems: Problems): Interaction | undefined {
  if (!isFields(entry)) {
    problems.add("an entry that is not an object is left out", place);
    return undefined;
  }
  const { scope, path, method } = entry;
  // `nock.define` also takes patterns, which aren't requests.
  if (typeof scope !== "string" || typeof path !== "string" || !path.startsWith("/")) {
    problems.add("an entry without a string `scope` and `path` is left out", place);
    return undefined;
  }
  const recorded = isFields(entry["reqheaders"]) ? entry["reqheaders"] : {};
  const { headers, body } = nockBody(entry["body"], recorded);
  const url = scope.replace(/\/$/, "") + path;
  const request = cassetteRequest({ method, url, headers, body }, place, problems);
  if (request === undefined) return undefined;
  const response = cassetteResponse(
    { status: entry["status"] ?? entry["reply"], ...nockAnswer(entry) },
    request.method,
    place,
    problems,
  );
  return {
    request,
    ...(response && { response }),
    // What is beside these was added, as the bytes of the body prove it.
    ...(Object.keys(recorded).length === 0 && { visibility: NO_REQUEST_HEADERS }),
  };
}
