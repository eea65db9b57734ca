import type { Interaction } from "../../../http/interaction.ts";
import { cassetteRequest } from "../../cassette/cassette_request.ts";
import { cassetteResponse, cassetteTime } from "../../cassette/cassette_response.ts";
import { type Fields, isFields } from "../../decode/fields.ts";
import type { Problems } from "../problems.ts";
import { readList, type Recording } from "../recording.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** Cassettes of Ruby VCR. */
export const RUBY_VCR: RecordingFormat = {
  name: "a VCR cassette",
  title: "VCR",
  family: "cassette",
  recognize: isRubyVcr,
  nearMiss: (value) =>
    isFields(value) && Object.hasOwn(value, "http_interactions")
      ? "`http_interactions` is not a list"
      : undefined,
  read: readRubyVcr,
};

/**
 * Recognises cassettes of Ruby VCR: an object with `http_interactions`, or, as before VCR 2, a list of interactions
 * with a `uri`. Cassettes of Schemathesis have to be recognised before, since they use the same name.
 */
export function isRubyVcr(value: unknown): boolean {
  if (isFields(value)) return Array.isArray(value["http_interactions"]);
  if (!Array.isArray(value)) return false;
  const first: unknown = value[0];
  return isFields(first) && isFields(first["request"]) && Object.hasOwn(first["request"], "uri");
}

/**
 * Reads a cassette of Ruby VCR that was parsed from YAML or JSON. Cassettes have the second in which an entry was
 * recorded, and no durations.
 *
 * @param value For which {@linkcode isRubyVcr} holds.
 * @throws {RecordingError} if nothing in it can be used.
 *
 * @example
 * ```ts
 * import { readRubyVcr } from "./ruby_vcr.ts";
 * import assert from "node:assert/strict";
 *
 * const cassette = {
 *   http_interactions: [{
 *     request: { method: "post", uri: "http://localhost/a", body: { string: "x=1" }, headers: {} },
 *     response: { status: { code: 201, message: "Created" } },
 *     recorded_at: "Fri, 20 Nov 2026 22:46:20 GMT",
 *   }],
 * };
 * assert.deepEqual(readRubyVcr(cassette, "cassette.yml").interactions, [{
 *   request: {
 *     method: "POST",
 *     url: "http://localhost/a",
 *     headers: {},
 *     body: new TextEncoder().encode("x=1"),
 *   },
 *   response: { status_code: 201 },
 *   timestamp: 1795214780,
 * }]);
 * ```
 */
export function readRubyVcr(value: unknown, location: string): Recording {
  const entries = isFields(value) ? value["http_interactions"] : value;
  return readList(entries as readonly unknown[], "http_interactions", location, readEntry);
}

function readEntry(entry: unknown, place: string, problems: Problems): Interaction | undefined {
  const fields: Fields = isFields(entry) ? entry : {};
  if (!isFields(fields["request"])) {
    problems.add("an entry without a request is left out", place);
    return undefined;
  }
  const { method, uri: url, headers, body } = fields["request"];
  const request = cassetteRequest({ method, url, headers, body }, `${place}.request`, problems);
  if (request === undefined) return undefined;
  const received = isFields(fields["response"]) ? fields["response"] : {};
  const response = cassetteResponse(
    {
      status: isFields(received["status"]) ? received["status"]["code"] : received["status"],
      headers: received["headers"],
      body: received["body"],
    },
    request.method,
    `${place}.response`,
    problems,
  );
  const timestamp = cassetteTime(fields["recorded_at"]);
  return { request, ...(response && { response }), ...(timestamp !== undefined && { timestamp }) };
}
