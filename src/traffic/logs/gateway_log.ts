import type { Visibility } from "../../http/visibility.ts";
import { type Fields, isFields } from "../decode/fields.ts";
import type { Problems } from "../formats/problems.ts";
import type { EntryContent } from "../formats/recording.ts";
import { logSeconds, numberOf, textOf } from "./log_fields.ts";
import { logInteraction, PUBLIC_VISIBILITY } from "./log_interaction.ts";
import { publicHeaders } from "./public_headers.ts";
import { readRequestLine } from "./request_line.ts";
import { NOT_HTTP } from "./text_log.ts";

/** What an entry of a gateway says of time. */
export interface GatewayTimes {
  /** When the request came: seconds, or a smaller unit. */
  readonly start: unknown;
  /** Milliseconds that it took to answer. */
  readonly latency: number | undefined;
}

/** What entries without bodies show. */
const WITHOUT_BODIES: Visibility = {
  ...PUBLIC_VISIBILITY,
  request_body: false,
  response_body: false,
};
const WITH_REQUEST_BODY: Visibility = { ...WITHOUT_BODIES, request_body: true };
const WITH_RESPONSE_BODY: Visibility = { ...WITHOUT_BODIES, response_body: true };

/** True for an entry with a request and a response as Kong and APISIX write them. */
export function isGatewayEntry({ request, response }: Fields): boolean {
  return isFields(request) && typeof request["method"] === "string" &&
    typeof request["uri"] === "string" && isFields(request["headers"]) && isFields(response) &&
    "status" in response;
}

/** Reads an entry with `request` and `response`, as the gateways Kong and APISIX write them. */
export function readGatewayEntry(
  entry: Fields,
  { start, latency }: GatewayTimes,
  place: string,
  problems: Problems,
): EntryContent {
  const request = entry["request"] as Fields;
  const response = entry["response"] as Fields;
  const line = readRequestLine(`${request["method"]} ${request["uri"]} HTTP/1.1`);
  if (line === undefined) {
    problems.add(NOT_HTTP, place);
    return undefined;
  }
  return logInteraction({
    ...line,
    origin: /^https?:\/\/[^/?#@]+/.exec(textOf(request, ["url"]) ?? "")?.[0],
    status: numberOf(response, ["status"]),
    timestamp: logSeconds(start),
    elapsed: latency === undefined ? undefined : latency / 1000,
    headers: publicHeaders(request["headers"]),
    responseHeaders: publicHeaders(response["headers"]),
    body: textOf(request, ["body"]),
    responseBody: textOf(response, ["body"]),
    visibility: visibilityOf("body" in request, "body" in response),
  });
}

function visibilityOf(hasRequestBody: boolean, hasResponseBody: boolean): Visibility {
  if (hasRequestBody) return hasResponseBody ? PUBLIC_VISIBILITY : WITH_REQUEST_BODY;
  return hasResponseBody ? WITH_RESPONSE_BODY : WITHOUT_BODIES;
}
