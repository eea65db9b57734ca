import { FOREIGN_LINE, jsonLog, readRequestIn } from "./text_log.ts";
import { ENVOY_TEXT, HAPROXY } from "./line_logs.ts";
import { COMMON_LOG } from "../formats/common_log/common_log.ts";
import { tryParseJson } from "../../values/parse_json.ts";
import type { Visibility } from "../../http/visibility.ts";
import { asFields, type Fields, goSeconds, isFields } from "../decode/fields.ts";
import type { EntryContent, EntryReader, Place, RecordingFormat } from "../formats/recording.ts";
import { logSeconds, readNumber, readText, writeOrigin } from "./log_fields.ts";
import {
  LINE_VISIBILITY,
  logInteraction,
  PUBLIC_VISIBILITY,
  publicHeaders,
} from "./log_interaction.ts";
import { flatLogReader, type FlatMembers } from "./flat_log.ts";

const WITHOUT_BODIES: Visibility = {
  ...PUBLIC_VISIBILITY,
  request_body: false,
  response_body: false,
};

const ACCESS_LOGGER = "http.log.access";

export const CADDY: RecordingFormat = jsonLog({
  name: "a log of Caddy",
  visibility: WITHOUT_BODIES,
  // Other loggers write of the same requests: `http.log.error`, and `http.handlers.reverse_proxy` for debugging.
  isEntry: ({ logger = ACCESS_LOGGER, request, status, duration }) =>
    String(logger).startsWith(ACCESS_LOGGER) && isFields(request) &&
    typeof request["method"] === "string" && typeof request["uri"] === "string" &&
    typeof status === "number" && duration !== undefined,
  readEntry: readCaddy,
});

function readCaddy(entry: Fields, place: Place): EntryContent {
  const request = entry["request"] as Fields;
  const line = readRequestIn(`${request["method"]} ${request["uri"]} HTTP/1.1`, place);
  if (line === undefined) return undefined;
  const { duration } = entry;
  // Seconds, or text such as `1.5ms` if the log is so configured.
  const elapsed = typeof duration === "number" ? duration : goSeconds(duration);
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

/** Logs of Kong's plugins file-log, http-log, tcp-log and udp-log. */
export const KONG: RecordingFormat = jsonLog({
  name: "a log of Kong",
  isEntry: (entry) =>
    isProxyEntry(entry) && (isFields(entry["latencies"]) || "started_at" in entry),
  readEntry: (entry, place) => {
    const latency = readNumber(asFields(entry["latencies"]), ["request"]);
    return readProxyEntry(entry, entry["started_at"], latency, place);
  },
});

/** Logs of Apache APISIX's plugins file-logger, http-logger and others, in their default format. */
export const APISIX: RecordingFormat = jsonLog({
  name: "a log of APISIX",
  isEntry: (entry) => isProxyEntry(entry) && "start_time" in entry && "latency" in entry,
  readEntry: (entry, place) =>
    readProxyEntry(entry, entry["start_time"], readNumber(entry, ["latency"]), place),
});

const WITH_REQUEST_BODY: Visibility = { ...WITHOUT_BODIES, request_body: true };
const WITH_RESPONSE_BODY: Visibility = { ...WITHOUT_BODIES, response_body: true };

function isProxyEntry({ request, response }: Fields): boolean {
  return isFields(request) && typeof request["method"] === "string" &&
    typeof request["uri"] === "string" && isFields(request["headers"]) && isFields(response) &&
    "status" in response;
}

/** @param latency Milliseconds until the response. */
function readProxyEntry(
  entry: Fields,
  start: unknown,
  latency: number | undefined,
  place: Place,
): EntryContent {
  const request = entry["request"] as Fields;
  const response = entry["response"] as Fields;
  const line = readRequestIn(`${request["method"]} ${request["uri"]} HTTP/1.1`, place);
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

const API_GATEWAY_MEMBERS: FlatMembers = {
  method: ["httpMethod"],
  target: [],
  path: ["path", "resourcePath"],
  host: ["domainName"],
  scheme: ["scheme"],
  status: ["status"],
  time: ["requestTimeEpoch", "requestTime"],
  elapsed: ["responseLatency"],
  elapsedUnit: 0.001,
};
const readApiGateway = flatLogReader(API_GATEWAY_MEMBERS);
const readApiGatewayRoute = flatLogReader({ ...API_GATEWAY_MEMBERS, isRoute: true });

/** Access logs of Amazon API Gateway in JSON. Members are named after the variables of `$context`, as documented. */
export const API_GATEWAY: RecordingFormat = jsonLog({
  name: "a log of API Gateway",
  isEntry: (entry) =>
    "status" in entry && ("requestTime" in entry || "requestTimeEpoch" in entry) &&
    ("httpMethod" in entry || isRoute(entry["routeKey"])),
  readEntry: (entry, place) => {
    const [, method, route] = /^([A-Z]+) (\/\S*)$/.exec(String(entry["routeKey"])) ?? [];
    const { path = entry["resourcePath"] ?? route, httpMethod = method, ...rest } = entry;
    return ("path" in entry ? readApiGateway : readApiGatewayRoute)(
      { ...rest, httpMethod, path: withoutStage(hideNames(path), entry["stage"]) },
      place,
    );
  },
});

function isRoute(value: unknown): boolean {
  return typeof value === "string" && /^[A-Z]+ \//.test(value);
}

/** Masks the parameter names in a resource path, as it has no values. */
function hideNames(path: unknown): unknown {
  return typeof path === "string" ? path.replace(/\{[^{}/]+\}/g, "[Filtered]") : path;
}

/** Removes the stage, with which the path begins unless the API has a custom domain. */
function withoutStage(path: unknown, stage: unknown): unknown {
  if (typeof path !== "string" || typeof stage !== "string" || stage === "") return path;
  return path === `/${stage}`
    ? "/"
    : path.startsWith(`/${stage}/`)
    ? path.slice(stage.length + 1)
    : path;
}

/** Logs of HTTP requests that Cloudflare's Logpush writes (dataset `http_requests`). */
export const CLOUDFLARE: RecordingFormat = jsonLog({
  name: "a log of Cloudflare",
  isEntry: (entry) =>
    "ClientRequestMethod" in entry &&
    ("ClientRequestURI" in entry || "ClientRequestPath" in entry),
  readEntry: flatLogReader({
    method: ["ClientRequestMethod"],
    target: ["ClientRequestURI"],
    path: ["ClientRequestPath"],
    host: ["ClientRequestHost"],
    scheme: ["ClientRequestScheme"],
    status: ["EdgeResponseStatus"],
    time: ["EdgeStartTimestamp", "EdgeEndTimestamp"],
    elapsed: ["EdgeTimeToFirstByteMs"],
    elapsedUnit: 0.001,
  }),
});

/** Access logs of Traefik in JSON (`accessLog.format: json`), with the header fields that Traefik is set to keep. */
export const TRAEFIK: RecordingFormat = jsonLog({
  name: "a log of Traefik in JSON",
  isEntry: (entry) =>
    "RequestMethod" in entry && "RequestPath" in entry && "DownstreamStatus" in entry,
  readEntry: flatLogReader({
    method: ["RequestMethod"],
    target: ["RequestPath"],
    host: ["RequestAddr", "RequestHost"],
    scheme: ["RequestScheme"],
    status: ["DownstreamStatus"],
    time: ["StartUTC", "StartLocal"],
    elapsed: ["Duration"],
    elapsedUnit: 1e-9,
    header: (member) => /^request_(.+)$/.exec(member)?.[1],
    responseHeader: (member) => /^downstream_(.+)$/.exec(member)?.[1],
  }),
});

/** Access logs of Envoy in JSON, with the members of its documentation, of Istio and of Envoy Gateway. */
export const ENVOY: RecordingFormat = jsonLog({
  name: "a log of Envoy in JSON",
  isEntry: (entry) =>
    "method" in entry && ("path" in entry || "x-envoy-origin-path" in entry) &&
    "response_code" in entry && ("start_time" in entry || "response_flags" in entry),
  readEntry: flatLogReader({
    method: ["method"],
    target: ["x-envoy-origin-path", "path"],
    host: ["authority", ":authority"],
    scheme: ["scheme"],
    status: ["response_code"],
    time: ["start_time"],
    elapsed: ["duration"],
    elapsedUnit: 0.001,
  }),
});

const METHOD = ["request_method", "method", "http_method"];
const TARGET = ["request_uri", "uri", "url", "path"];
const REQUEST_LINE = ["request", "request_line"];
const TIME = ["msec", "time", "time_iso8601", "time_local", "timestamp", "@timestamp", "ts"];
const STATUS = ["status", "status_code", "response_code"];

/** Access logs in JSON with the names of nginx's variables, without `$`, and similar logs. */
export const JSON_LOG: RecordingFormat = jsonLog({
  name: "an access log in JSON",
  isEntry: (entry) =>
    hasTextOrNumber(entry, STATUS) && hasTextOrNumber(entry, TIME) &&
    (hasTextOrNumber(entry, METHOD) && hasTextOrNumber(entry, TARGET) ||
      /^\S+ \S.* HTTP\/\d/.test(readText(entry, REQUEST_LINE) ?? "")),
  readEntry: flatLogReader({
    method: METHOD,
    target: TARGET,
    query: ["args", "query_string"],
    requestLine: REQUEST_LINE,
    host: ["http_host", "host", "server_name"],
    scheme: ["scheme"],
    status: STATUS,
    time: TIME,
    isTimeOfEnd: true,
    elapsed: ["request_time"],
    header: (member) => headerName(member, "http_"),
    responseHeader: (member) => headerName(member, "sent_http_"),
    body: ["request_body"],
  }),
});

/** True if a member is a text or number. In nginx, members without a value are empty texts. */
function hasTextOrNumber(entry: Fields, names: readonly string[]): boolean {
  return names.some((name) => typeof entry[name] === "string" || typeof entry[name] === "number");
}

/** Returns the header field of an nginx variable such as `$http_x_tenant`. */
function headerName(member: string, prefix: string): string | undefined {
  if (member === "content_type" && prefix === "http_") return "content-type";
  if (!member.startsWith(prefix) || member === "http_host" || member === "http_method") {
    return undefined;
  }
  return member.slice(prefix.length).replaceAll("_", "-");
}

const INNER_LINES = [COMMON_LOG, ENVOY_TEXT, HAPROXY];
const INNER_ENTRIES = [CADDY, TRAEFIK, ENVOY, JSON_LOG];

/** Access logs of containers as Docker keeps them: `{"log":"…\n","stream":"stdout","time":"…"}`. */
export const CONTAINER_LOG: RecordingFormat = {
  ...jsonLog({
    name: "a log of a container",
    isEntry: (entry) => findInner(entry) !== undefined,
  }),
  isOrdered: true,
  begin: () => {
    const readers = new Map<RecordingFormat, EntryReader>();
    return (outer, place) => {
      const [format, entry] = findInner(asFields(outer)) ?? [];
      if (format === undefined) return place.addProblem(FOREIGN_LINE);
      const read = readers.get(format) ?? format.begin({});
      readers.set(format, read);
      const found = read(entry, place);
      const { visibility = LINE_VISIBILITY } = format;
      return Array.isArray(found) || found === undefined ? found : { visibility, ...found };
    };
  },
};

function findInner(
  { log, method }: Fields,
): readonly [RecordingFormat, unknown] | undefined {
  if (typeof log !== "string" || method !== undefined) return undefined;
  const line = log.trimEnd();
  const json = line.startsWith("{") ? tryParseJson(line) : undefined;
  const entry = json ?? line;
  const format = (json === undefined ? INNER_LINES : INNER_ENTRIES)
    .find((inner) => inner.recognize(entry));
  return format && [format, entry];
}
