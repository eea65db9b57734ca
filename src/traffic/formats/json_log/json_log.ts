import { flatLogReader } from "../../logs/flat_log.ts";
import { jsonLog } from "../../logs/json_log.ts";
import { textOf } from "../../logs/log_fields.ts";
import type { RecordingFormat } from "../recording_format.ts";

const METHOD = ["request_method", "method", "http_method"];
const TARGET = ["request_uri", "uri", "url", "path"];
const REQUEST_LINE = ["request", "request_line"];
const TIME = ["msec", "time", "time_iso8601", "time_local", "timestamp", "@timestamp", "ts"];
const STATUS = ["status", "status_code", "response_code"];

/**
 * Access logs of nginx in JSON (`log_format … escape=json`) and those of others that name their members alike. Nobody
 * prescribes these names: most people take nginx's own, without the `$`.
 */
export const JSON_LOG: RecordingFormat = jsonLog({
  name: "an access log in JSON",
  title: "access logs",
  isEntry: (entry) =>
    textOrEmpty(entry, STATUS) && textOrEmpty(entry, TIME) &&
    (textOrEmpty(entry, METHOD) && textOrEmpty(entry, TARGET) ||
      /^\S+ \S.* HTTP\/\d/.test(textOf(entry, REQUEST_LINE) ?? "")),
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
    header: (member) => headerOf(member, "http_"),
    responseHeader: (member) => headerOf(member, "sent_http_"),
    body: ["request_body"],
  }),
});

/** nginx writes members that have no value as empty texts. */
function textOrEmpty(entry: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.some((name) => typeof entry[name] === "string" || typeof entry[name] === "number");
}

/** nginx's variables for header fields: `$http_x_tenant`. */
function headerOf(member: string, prefix: string): string | undefined {
  if (member === "content_type" && prefix === "http_") return "content-type";
  if (!member.startsWith(prefix) || member === "http_host" || member === "http_method") {
    return undefined;
  }
  return member.slice(prefix.length).replaceAll("_", "-");
}
