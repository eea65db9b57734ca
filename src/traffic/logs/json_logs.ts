import { flatLogReader, type FlatMembers } from "./flat_log.ts";
import { jsonLog } from "./text_log.ts";
import { readText } from "./log_fields.ts";
import type { RecordingFormat } from "../formats/recording.ts";

const MEMBERS: FlatMembers = {
  method: ["httpMethod"],
  target: ["path", "resourcePath"],
  requestLine: [],
  host: ["domainName"],
  scheme: ["scheme"],
  status: ["status"],
  time: ["requestTimeEpoch", "requestTime"],
  elapsed: ["responseLatency"],
  elapsedUnit: 0.001,
  hasQuery: false,
};
const read = flatLogReader(MEMBERS);
const readRoute = flatLogReader({ ...MEMBERS, isRoute: true });

/** Access logs of Amazon API Gateway in JSON: members named after the variables of `$context`, as in its documentation. */
export const API_GATEWAY: RecordingFormat = jsonLog({
  name: "a log of API Gateway",
  isEntry: (entry) =>
    "status" in entry && ("requestTime" in entry || "requestTimeEpoch" in entry) &&
    ("httpMethod" in entry || isRoute(entry["routeKey"])),
  readEntry: (entry, place) => {
    const [, method, route] = /^([A-Z]+) (\/\S*)$/.exec(String(entry["routeKey"])) ?? [];
    const { path = entry["resourcePath"] ?? route, httpMethod = method, ...rest } = entry;
    return ("path" in entry ? read : readRoute)(
      { ...rest, httpMethod, path: withoutStage(hideNames(path), entry["stage"]) },
      place,
    );
  },
});

function isRoute(value: unknown): boolean {
  return typeof value === "string" && /^[A-Z]+ \//.test(value);
}

/** A resource path has names of parameters in the place of values, which then aren't known. */
function hideNames(path: unknown): unknown {
  return typeof path === "string" ? path.replace(/\{[^{}/]+\}/g, "[Filtered]") : path;
}

/** The path of a request begins with the stage where no domain of one's own is used. */
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
    target: ["ClientRequestURI", "ClientRequestPath"],
    host: ["ClientRequestHost"],
    scheme: ["ClientRequestScheme"],
    status: ["EdgeResponseStatus"],
    time: ["EdgeStartTimestamp", "EdgeEndTimestamp"],
    elapsed: ["EdgeTimeToFirstByteMs"],
    elapsedUnit: 0.001,
  }),
});

/** Access logs of Envoy in JSON, with the members that its documentation, Istio and Envoy Gateway take. */
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

/** Access logs in JSON under nginx's own names, without the `$`, and those that name their members alike. */
export const JSON_LOG: RecordingFormat = jsonLog({
  name: "an access log in JSON",
  isEntry: (entry) =>
    textOrEmpty(entry, STATUS) && textOrEmpty(entry, TIME) &&
    (textOrEmpty(entry, METHOD) && textOrEmpty(entry, TARGET) ||
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

/** nginx writes members that have no value as empty texts. */
function textOrEmpty(entry: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.some((name) => typeof entry[name] === "string" || typeof entry[name] === "number");
}

/** nginx's variables for header fields: `$http_x_tenant`. */
function headerName(member: string, prefix: string): string | undefined {
  if (member === "content_type" && prefix === "http_") return "content-type";
  if (!member.startsWith(prefix) || member === "http_host" || member === "http_method") {
    return undefined;
  }
  return member.slice(prefix.length).replaceAll("_", "-");
}
