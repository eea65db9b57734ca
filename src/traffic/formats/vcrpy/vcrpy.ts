import type { Interaction } from "../../../http/interaction.ts";
import { cassetteRequest } from "../../cassette/cassette_request.ts";
import { cassetteResponse } from "../../cassette/cassette_response.ts";
import { isFields } from "../../decode/fields.ts";
import type { Problems } from "../problems.ts";
import { readList, type Recording } from "../recording.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** Cassettes of vcrpy. */
export const VCRPY: RecordingFormat = {
  name: "a vcrpy cassette",
  title: "vcrpy",
  family: "cassette",
  recognize: isVcrpy,
  read: readVcrpy,
};

/** Recognises cassettes of vcrpy: `interactions` whose requests have a `uri`, and a `version`. */
export function isVcrpy(value: unknown): boolean {
  if (!isFields(value) || !Array.isArray(value["interactions"])) return false;
  const first: unknown = value["interactions"][0];
  if (first === undefined) return typeof value["version"] === "number";
  return isFields(first) && isFields(first["request"]) && Object.hasOwn(first["request"], "uri");
}

/**
 * Reads a cassette of vcrpy that was parsed from YAML or JSON. Cassettes have neither times nor durations.
 *
 * @param value For which {@linkcode isVcrpy} holds.
 * @throws {RecordingError} if nothing in it can be used.
 *
 * @example
 * ```ts
 * import { readVcrpy } from "./vcrpy.ts";
 * import assert from "node:assert/strict";
 *
 * const cassette = {
 *   version: 1,
 *   interactions: [{
 *     request: { method: "GET", uri: "http://localhost/a", body: null, headers: { Accept: ["*\/*"] } },
 *     response: { status: { code: 200, message: "OK" }, body: { string: "[]" } },
 *   }],
 * };
 * assert.deepEqual(readVcrpy(cassette, "cassette.yaml").interactions, [{
 *   request: { method: "GET", url: "http://localhost/a", headers: { Accept: "*\/*" } },
 *   response: { status_code: 200, body: "[]" },
 * }]);
 * ```
 */
export function readVcrpy(value: unknown, location: string): Recording {
  const { interactions } = value as { readonly interactions: readonly unknown[] };
  return readList(interactions, "interactions", location, readEntry);
}

function readEntry(entry: unknown, place: string, problems: Problems): Interaction | undefined {
  if (!isFields(entry) || !isFields(entry["request"])) {
    problems.add("an entry without a request is left out", place);
    return undefined;
  }
  const { method, uri: url, headers, body } = entry["request"];
  const request = cassetteRequest({ method, url, headers, body }, `${place}.request`, problems);
  if (request === undefined) return undefined;
  const received = isFields(entry["response"]) ? entry["response"] : {};
  const response = readResponse(received, request.method, `${place}.response`, problems);
  return { request, ...(response && { response }) };
}

/** Cassettes of httpx made before vcrpy 6 have `status_code` and `content` instead of `status.code` and `body`. */
function readResponse(
  { status, status_code, headers, body, content }: Readonly<Record<string, unknown>>,
  method: string,
  place: string,
  problems: Problems,
): Interaction["response"] {
  const code = isFields(status) ? status["code"] : status ?? status_code;
  return cassetteResponse(
    { status: code, headers, body: body ?? content },
    method,
    place,
    problems,
  );
}
