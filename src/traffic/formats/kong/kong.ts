import { isFields } from "../../decode/fields.ts";
import { isGatewayEntry, readGatewayEntry } from "../../logs/gateway_log.ts";
import { jsonLog } from "../../logs/json_log.ts";
import { numberOf } from "../../logs/log_fields.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** Logs of Kong's plugins file-log, http-log, tcp-log and udp-log. */
export const KONG: RecordingFormat = jsonLog({
  name: "a log of Kong",
  title: "access logs",
  isEntry: (entry) =>
    isGatewayEntry(entry) && (isFields(entry["latencies"]) || "started_at" in entry),
  readEntry: (entry, place, problems) => {
    const latencies = isFields(entry["latencies"]) ? entry["latencies"] : {};
    const times = { start: entry["started_at"], latency: numberOf(latencies, ["request"]) };
    return readGatewayEntry(entry, times, place, problems);
  },
});
