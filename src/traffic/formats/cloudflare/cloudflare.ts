import { flatLogReader } from "../../logs/flat_log.ts";
import { jsonLog } from "../../logs/json_log.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** Logs of HTTP requests that Cloudflare's Logpush writes (dataset `http_requests`). */
export const CLOUDFLARE: RecordingFormat = jsonLog({
  name: "a log of Cloudflare",
  title: "access logs",
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
