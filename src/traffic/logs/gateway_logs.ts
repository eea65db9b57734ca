import { jsonLog, requestIn } from "./text_log.ts";
import type { Visibility } from "../../http/visibility.ts";
import { asFields, type Fields, isFields } from "../decode/fields.ts";
import type { EntryContent, Place, RecordingFormat } from "../formats/recording.ts";
import { logSeconds, readNumber, readText, writeOrigin } from "./log_fields.ts";
import { logInteraction, PUBLIC_VISIBILITY, publicHeaders } from "./log_interaction.ts";

const WITHOUT_BODIES: Visibility = {
  ...PUBLIC_VISIBILITY,
  request_body: false,
  response_body: false,
};

export const CADDY: RecordingFormat = jsonLog({
  name: "a log of Caddy",
  visibility: WITHOUT_BODIES,
  isEntry: ({ request, status, duration }) =>
    isFields(request) && typeof request["method"] === "string" &&
    typeof request["uri"] === "string" && typeof status === "number" && duration !== undefined,
  readEntry: readCaddy,
});

function readCaddy(entry: Fields, place: Place): EntryContent {
  const request = entry["request"] as Fields;
  const line = requestIn(`${request["method"]} ${request["uri"]} HTTP/1.1`, place);
  if (line === undefined) return undefined;
  const elapsed = readSeconds(entry["duration"]);
  const end = logSeconds(entry["ts"]);
  const scheme = isFields(request["tls"]) ? "https" : "http";
  return logInteraction({
    ...line,
    origin: writeOrigin(scheme, readText(request, ["host"])),
    status: readNumber(entry, ["status"]),
    timestamp: end === undefined ? undefined : end - (elapsed ?? 0),
    elapsed,
    headers: publicHeaders(request["headers"]),
    responseHeaders: publicHeaders(entry["resp_headers"]),
  });
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  "µs": 1e-6,
  us: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
};

/** A duration: seconds, or text such as `1.5ms` where the log is configured so. */
function readSeconds(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const match = typeof value === "string" ? /^([\d.]+)(ns|µs|us|ms|s|m)$/.exec(value) : null;
  return match === null ? undefined : Number(match[1]) * (UNITS[match[2] ?? ""] ?? NaN);
}

/** Logs of Kong's plugins file-log, http-log, tcp-log and udp-log. */
export const KONG: RecordingFormat = jsonLog({
  name: "a log of Kong",
  isEntry: (entry) =>
    isGatewayEntry(entry) && (isFields(entry["latencies"]) || "started_at" in entry),
  readEntry: (entry, place) => {
    const latency = readNumber(asFields(entry["latencies"]), ["request"]);
    return readGatewayEntry(entry, entry["started_at"], latency, place);
  },
});

/** Logs of Apache APISIX's plugins file-logger, http-logger and others, in their default format. */
export const APISIX: RecordingFormat = jsonLog({
  name: "a log of APISIX",
  isEntry: (entry) => isGatewayEntry(entry) && "start_time" in entry && "latency" in entry,
  readEntry: (entry, place) =>
    readGatewayEntry(entry, entry["start_time"], readNumber(entry, ["latency"]), place),
});

const WITH_REQUEST_BODY: Visibility = { ...WITHOUT_BODIES, request_body: true };
const WITH_RESPONSE_BODY: Visibility = { ...WITHOUT_BODIES, response_body: true };

function isGatewayEntry({ request, response }: Fields): boolean {
  return isFields(request) && typeof request["method"] === "string" &&
    typeof request["uri"] === "string" && isFields(request["headers"]) && isFields(response) &&
    "status" in response;
}

/** @param latency Milliseconds that it took to answer. */
function readGatewayEntry(
  entry: Fields,
  start: unknown,
  latency: number | undefined,
  place: Place,
): EntryContent {
  const request = entry["request"] as Fields;
  const response = entry["response"] as Fields;
  const line = requestIn(`${request["method"]} ${request["uri"]} HTTP/1.1`, place);
  if (line === undefined) return undefined;
  return logInteraction({
    ...line,
    origin: /^https?:\/\/[^/?#@]+/.exec(readText(request, ["url"]) ?? "")?.[0],
    status: readNumber(response, ["status"]),
    timestamp: logSeconds(start),
    elapsed: latency === undefined ? undefined : latency / 1000,
    headers: publicHeaders(request["headers"]),
    responseHeaders: publicHeaders(response["headers"]),
    body: readText(request, ["body"]),
    responseBody: readText(response, ["body"]),
    visibility: chooseVisibility("body" in request, "body" in response),
  });
}

function chooseVisibility(hasRequestBody: boolean, hasResponseBody: boolean): Visibility {
  if (hasRequestBody) return hasResponseBody ? PUBLIC_VISIBILITY : WITH_REQUEST_BODY;
  return hasResponseBody ? WITH_RESPONSE_BODY : WITHOUT_BODIES;
}
