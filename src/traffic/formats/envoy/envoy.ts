import { flatLogReader } from "../../logs/flat_log.ts";
import { jsonLog } from "../../logs/json_log.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** Access logs of Envoy in JSON, with the members that its documentation, Istio and Envoy Gateway take. */
export const ENVOY: RecordingFormat = jsonLog({
  name: "a log of Envoy in JSON",
  title: "access logs",
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
