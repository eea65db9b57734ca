import { type Fields, isFields } from "../../decode/fields.ts";
import { jsonLog } from "../../logs/json_log.ts";
import { logSeconds, numberOf, originOf, textOf } from "../../logs/log_fields.ts";
import { logInteraction, PUBLIC_VISIBILITY } from "../../logs/log_interaction.ts";
import { publicHeaders } from "../../logs/public_headers.ts";
import { readRequestLine } from "../../logs/request_line.ts";
import { NOT_HTTP } from "../../logs/text_log.ts";
import type { EntryContent } from "../recording.ts";
import type { Problems } from "../problems.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** Access logs of Caddy: its own format, JSON. */
export const CADDY: RecordingFormat = jsonLog({
  name: "a log of Caddy",
  title: "access logs",
  visibility: { ...PUBLIC_VISIBILITY, request_body: false, response_body: false },
  isEntry: ({ request, status, duration }) =>
    isFields(request) && typeof request["method"] === "string" &&
    typeof request["uri"] === "string" && typeof status === "number" && duration !== undefined,
  readEntry: readCaddy,
});

function readCaddy(entry: Fields, place: string, problems: Problems): EntryContent {
  const request = entry["request"] as Fields;
  const line = readRequestLine(`${request["method"]} ${request["uri"]} HTTP/1.1`);
  if (line === undefined) {
    problems.add(NOT_HTTP, place);
    return undefined;
  }
  const elapsed = secondsOf(entry["duration"]);
  const end = logSeconds(entry["ts"]);
  const scheme = isFields(request["tls"]) ? "https" : "http";
  return logInteraction({
    ...line,
    origin: originOf(scheme, textOf(request, ["host"])),
    status: numberOf(entry, ["status"]),
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
function secondsOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const match = typeof value === "string" ? /^([\d.]+)(ns|µs|us|ms|s|m)$/.exec(value) : null;
  return match === null ? undefined : Number(match[1]) * (UNITS[match[2] ?? ""] ?? NaN);
}
