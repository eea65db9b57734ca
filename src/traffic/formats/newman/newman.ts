import { type Interaction, setKnownSecrets } from "../../../http/interaction.ts";
import { asFields, type Fields, nestedList } from "../../decode/fields.ts";
import {
  postmanHeaders,
  type PostmanRequest,
  postmanResponse,
} from "../postman/postman_request.ts";
import { sendPostmanRequest } from "../postman/postman_send.ts";
import { postmanRequestV2 } from "../postman/postman_items.ts";
import type { Place, RecordingFormat } from "../recording.ts";

/** Exports of Newman's JSON reporter. For a redirect, they have the first request with the last response. */
export const NEWMAN: RecordingFormat = {
  name: "a Newman export",
  title: "Newman",
  family: "collection",
  ...nestedList("run", "executions"),
  begin: () => readExecution,
};

function readExecution(entry: unknown, place: Place): Interaction | undefined {
  const execution: Fields = asFields(entry);
  const described = postmanRequestV2(execution["request"]);
  if (described === undefined) {
    return place.addProblem("an execution without a request (a skipped one) is left out");
  }
  // Variables are already resolved, and the authorization is among the headers.
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
  if (key !== undefined) setKnownSecrets(request, [key]);
  if (request.body_truncated === true) {
    place.addProblem(
      "a body with a file counts as not recorded, since only the name of the file is known",
    );
  }
  const { code, responseTime, header, body, stream } = asFields(execution["response"]);
  const response = postmanResponse(
    { status: code, time: responseTime, headers: postmanHeaders(header), body, stream },
    request.method,
    place.member("response"),
  );
  return { request, ...(response && { response }) };
}

function contentLength(request: PostmanRequest): number {
  const header = request.headers.find(({ key }) => key.toLowerCase() === "content-length");
  return Number(header?.value ?? 0);
}
