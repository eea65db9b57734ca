import { isoSeconds } from "../../decode/iso_seconds.ts";
import { endOfQuoted, unescapeLogged } from "../../logs/log_escapes.ts";
import { LINE_VISIBILITY, logInteraction } from "../../logs/log_interaction.ts";
import { readRequestLine } from "../../logs/request_line.ts";
import { FOREIGN_LINE, NOT_HTTP, textLog } from "../../logs/text_log.ts";
import type { Problems } from "../problems.ts";
import type { EntryContent } from "../recording.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** The fields before the request: type, time, balancer, client, target, three durations, two statuses, two sizes. */
const START =
  /^(?:(?:https?|h2|grpcs?|wss?) )?(\d{4}-\d\d-\d\dT[\d:.]+Z) \S+ \S+ \S+ (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (\d{3}|-) \S+ \d+ \d+ "/;

/** The client closed the connection before it was answered. */
const CLOSED = "460";

/** Access logs of Amazon's load balancers: application load balancers, and classic ones. */
export const AWS_ALB: RecordingFormat = textLog({
  name: "a log of a load balancer of Amazon",
  title: "access logs",
  isLine: (line) => START.test(line),
  begin: () => readLine,
});

function readLine(entry: unknown, place: string, problems: Problems): EntryContent {
  const line = entry as string;
  const start = START.exec(line);
  const end = start === null ? -1 : endOfQuoted(line, start[0].length);
  if (start === null || end === -1) {
    problems.add(FOREIGN_LINE, place);
    return undefined;
  }
  const request = readRequestLine(unescapeLogged(line.slice(start[0].length, end).trim()));
  // Where the client sent no HTTP, dashes stand for the parts of the URL.
  if (request === undefined || request.method === "-") {
    problems.add(NOT_HTTP, place);
    return undefined;
  }
  const [, time = "", ...rest] = start;
  const durations = rest.slice(0, 3).map(Number);
  const status = rest[3];
  const isKnown = durations.every((seconds) => seconds >= 0);
  const elapsed = isKnown ? durations.reduce((sum, seconds) => sum + seconds, 0) : undefined;
  const answered = isoSeconds(time);
  return logInteraction({
    ...request,
    status: status === CLOSED || status === "-" ? undefined : Number(status),
    timestamp: answered === undefined ? undefined : answered - (elapsed ?? 0),
    elapsed,
    visibility: LINE_VISIBILITY,
  });
}
