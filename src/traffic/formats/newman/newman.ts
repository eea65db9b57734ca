import type { Interaction } from "../../../http/interaction.ts";
import { noteSecrets } from "../../../http/known_secrets.ts";
import { type Fields, isFields } from "../../decode/fields.ts";
import { postmanHeaders } from "../postman/postman_pairs.ts";
import type { PostmanRequest } from "../postman/postman_request.ts";
import { postmanResponse } from "../postman/postman_response.ts";
import { sendPostmanRequest } from "../postman/postman_send.ts";
import { postmanRequestV2 } from "../postman/postman_v2.ts";
import type { Problems } from "../problems.ts";
import { readList, type Recording } from "../recording.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** Exports of Newman's JSON reporter. */
export const NEWMAN: RecordingFormat = {
  name: "a Newman export",
  title: "Newman",
  family: "collection",
  recognize: isNewman,
  nearMiss,
  read: readNewman,
};

/** Recognises exports of Newman's JSON reporter: an object `run` with a list `executions`. */
export function isNewman(value: unknown): boolean {
  return isFields(value) && isFields(value["run"]) && Array.isArray(value["run"]["executions"]);
}

function nearMiss(value: unknown): string | undefined {
  if (!isFields(value)) return undefined;
  if (isFields(value["run"])) return "`run` has no list `executions`";
  return Array.isArray(value["executions"]) ? "`executions` must be in an object `run`" : undefined;
}

/**
 * Reads what Newman's JSON reporter exports: the requests as they were sent, each with its response. An export has no
 * times but that of the whole run. Of a redirect it has the first request with the last response.
 *
 * @param value For which {@linkcode isNewman} holds.
 * @throws {RecordingError} if nothing in it can be used.
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
  const { run } = value as { readonly run: { readonly executions: readonly unknown[] } };
  return readList(run.executions, "run.executions", location, readExecution);
}

function readExecution(
  entry: unknown,
  place: string,
  problems: Problems,
): Interaction | undefined {
  const execution: Fields = isFields(entry) ? entry : {};
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
    onSecret: () => {},
    auth: undefined,
    keepsBody: contentLength(described) > 0,
  });
  const key = described.auth?.type === "apikey"
    ? described.auth.attributes.get("value")
    : undefined;
  if (key !== undefined) noteSecrets(request, [key]);
  if (request.body_truncated === true) {
    problems.add(
      "a body with a file counts as not recorded, since only the name of the file is known",
      place,
    );
  }
  const { code, responseTime, header, body, stream } = isFields(execution["response"])
    ? execution["response"]
    : {};
  const response = postmanResponse(
    {
      status: code,
      time: responseTime,
      headers: postmanHeaders(header),
      body,
      stream,
      place: `${place}.response`,
    },
    request.method,
    problems,
  );
  return { request, ...(response && { response }) };
}

function contentLength(request: PostmanRequest): number {
  const header = request.headers.find(({ key }) => key.toLowerCase() === "content-length");
  return Number(header?.value ?? 0);
}
