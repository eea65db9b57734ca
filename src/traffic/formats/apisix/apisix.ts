import { isGatewayEntry, readGatewayEntry } from "../../logs/gateway_log.ts";
import { jsonLog } from "../../logs/json_log.ts";
import { numberOf } from "../../logs/log_fields.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** Logs of Apache APISIX's plugins file-logger, http-logger and others, in their default format. */
export const APISIX: RecordingFormat = jsonLog({
  name: "a log of APISIX",
  title: "access logs",
  isEntry: (entry) => isGatewayEntry(entry) && "start_time" in entry && "latency" in entry,
  readEntry: (entry, place, problems) => {
    const times = { start: entry["start_time"], latency: numberOf(entry, ["latency"]) };
    return readGatewayEntry(entry, times, place, problems);
  },
});
