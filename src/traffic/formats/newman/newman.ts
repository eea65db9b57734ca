import { RecordingError } from "../../../values/errors.ts";
import type { Interaction } from "../../../http/interaction.ts";
import { cassetteResponse } from "../../cassette/cassette_response.ts";
import { type Fields, isFields } from "../../decode/fields.ts";
import { finishRecording } from "../../read/finish_recording.ts";
import type { PostmanRequest } from "../postman/postman_request.ts";
import { sendPostmanRequest } from "../postman/postman_send.ts";
import { postmanRequestV2 } from "../postman/postman_v2.ts";
import { Problems, type Recording } from "../../read/recording.ts";

/** Whether a parsed value is what Newman's JSON reporter exports. */
export function isNewman(value: unknown): boolean {
  return executionsOf(value) !== undefined;
}

/**
 * Reads what Newman's JSON reporter exports: the requests as they were sent, each with its response. An export has no
 * times but that of the whole run. Of a redirect it has the first request with the last response.
 *
 * @throws {RecordingError} where the value is no such export, or nothing in it can be used.
 *
 * @example
 * ```ts
 * import { readNewman } from "./newman.ts";
 * import assert from "node:assert/strict";
 *
 * const url = { protocol: "http", host: ["localhost"], port: "81", path: ["a"], query: [] };
 * const execution = { request: { method: "GET", url }, response: { code: 404, responseTime: 3 } };
 * assert.deepEqual(readNewman({ run: { executions: [execution] } }, "run.json").interactions, [{
 *   request: { method: "GET", url: "http://localhost:81/a", headers: {} },
 *   response: { status_code: 404, elapsed: 0.003 },
 * }]);
 * ```
 */
export function readNewman(value: unknown, location: string): Recording {
  const executions = executionsOf(value);
  if (executions === undefined) {
    throw new RecordingError(
      "This is no export of Newman: expected an object `run` with a list `executions`.",
      { code: "not_collection", location },
    );
  }
  const problems = new Problems(location);
  const interactions: Interaction[] = [];
  executions.forEach((execution, index) => {
    const place = `run.executions[${index}]`;
    const interaction = readExecution(isFields(execution) ? execution : {}, place, problems);
    if (interaction !== undefined) interactions.push(interaction);
  });
  return finishRecording(interactions, executions.length, problems, location);
}

function executionsOf(value: unknown): readonly unknown[] | undefined {
  const run = isFields(value) ? value["run"] : undefined;
  return isFields(run) && Array.isArray(run["executions"]) ? run["executions"] : undefined;
}

function readExecution(
  execution: Fields,
  place: string,
  problems: Problems,
): Interaction | undefined {
  const described = postmanRequestV2(execution["request"]);
  if (described === undefined) {
    problems.add("an execution without a request (a skipped one) is left out", place);
    return undefined;
  }
  // Everything is resolved already, and the authorization is among the headers.
  const request = sendPostmanRequest(described, {
    resolve: (text) => text,
    resolveUrl: (text) => text,
    onUnresolved: () => {},
    onUnknownAuth: () => {},
    auth: undefined,
    keepsBody: contentLength(described) > 0,
  });
  if (request.body_truncated === true) {
    problems.add(
      "a body with a file, of which there is only the name, counts as not recorded",
      place,
    );
  }
  const response = isFields(execution["response"]) ? execution["response"] : {};
  const { code, responseTime: time } = response;
  const answer = cassetteResponse(code, typeof time === "number" ? time / 1000 : undefined);
  return { request, ...(answer && { response: answer }) };
}

function contentLength(request: PostmanRequest): number {
  const header = request.headers.find(({ key }) => key.toLowerCase() === "content-length");
  return Number(header?.value ?? 0);
}
