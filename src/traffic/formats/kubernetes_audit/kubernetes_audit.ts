import type { Visibility } from "../../../http/visibility.ts";
import { type Fields, isFields, isoSeconds } from "../../decode/fields.ts";
import { jsonLog, readRequestIn } from "../../logs/text_log.ts";
import { readNumber, readText } from "../../logs/log_fields.ts";
import { LINE_VISIBILITY, logInteraction } from "../../logs/log_interaction.ts";
import type { EntryContent, Place, RecordingFormat } from "../recording.ts";
/** HTTP methods by Kubernetes verb. Other verbs are methods in lower case. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ["list", "GET"],
  ["watch", "GET"],
  ["create", "POST"],
  ["update", "PUT"],
  ["deletecollection", "DELETE"],
]);

const LEVELS: ReadonlyMap<string, Visibility> = new Map([
  ["Request", { ...LINE_VISIBILITY, request_body: true }],
  ["RequestResponse", { ...LINE_VISIBILITY, request_body: true, response_body: true }],
]);

/** Audit logs of Kubernetes (`audit.k8s.io`), with an event on each line. */
export const KUBERNETES_AUDIT: RecordingFormat = jsonLog({
  name: "an audit log of Kubernetes",
  list: "items",
  isEntry: ({ apiVersion, auditID, requestURI }) =>
    typeof requestURI === "string" &&
    (String(apiVersion).startsWith("audit.k8s.io/") || auditID !== undefined),
  readEntry: readEvent,
});

function readEvent(event: Fields, place: Place): EntryContent {
  const stage = readText(event, ["stage"]);
  // A request has an event for each stage. Only the last one has the outcome.
  if (stage === "RequestReceived" || stage === "ResponseStarted") return [];
  const verb = readText(event, ["verb"]) ?? "";
  const method = METHODS.get(verb) ?? verb.toUpperCase();
  const line = readRequestIn(`${method} ${event["requestURI"]} HTTP/1.1`, place);
  if (line === undefined) return undefined;
  const { responseStatus } = event;
  const start = readTime(event, "requestReceivedTimestamp");
  const end = readTime(event, "stageTimestamp");
  return logInteraction({
    ...line,
    status: isFields(responseStatus) ? readNumber(responseStatus, ["code"]) : undefined,
    timestamp: start ?? end,
    elapsed: start === undefined || end === undefined ? undefined : end - start,
    body: writeBody(event["requestObject"]),
    responseBody: writeBody(event["responseObject"]),
    visibility: LEVELS.get(readText(event, ["level"]) ?? "") ?? LINE_VISIBILITY,
  });
}

/** Serializes an object. Objects are logged as JSON, whatever their format was when sent. */
function writeBody(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}

function readTime(event: Fields, name: string): number | undefined {
  const text = event[name];
  return typeof text === "string" ? isoSeconds(text) : undefined;
}
