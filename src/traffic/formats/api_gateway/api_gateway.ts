import { flatLogReader, type FlatMembers } from "../../logs/flat_log.ts";
import { jsonLog } from "../../logs/json_log.ts";
import type { RecordingFormat } from "../recording_format.ts";

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
  title: "access logs",
  isEntry: (entry) =>
    "status" in entry && ("requestTime" in entry || "requestTimeEpoch" in entry) &&
    ("httpMethod" in entry || isRoute(entry["routeKey"])),
  readEntry: (entry, place, problems) => {
    const [, method, route] = /^([A-Z]+) (\/\S*)$/.exec(String(entry["routeKey"])) ?? [];
    const { path = entry["resourcePath"] ?? route, httpMethod = method, ...rest } = entry;
    return ("path" in entry ? read : readRoute)(
      { ...rest, httpMethod, path: withoutStage(hideNames(path), entry["stage"]) },
      place,
      problems,
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
