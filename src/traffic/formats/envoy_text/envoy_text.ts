import { isoSeconds } from "../../decode/iso_seconds.ts";
import { originOf } from "../../logs/log_fields.ts";
import { LINE_VISIBILITY, logInteraction } from "../../logs/log_interaction.ts";
import { readRequestLine } from "../../logs/request_line.ts";
import { FOREIGN_LINE, NOT_HTTP, textLog } from "../../logs/text_log.ts";
import type { Problems } from "../problems.ts";
import type { EntryContent } from "../recording.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** The time, the request, the status and the flags of the response: `[2026-11-22T16:57:08.069Z] "GET / HTTP/2" 200 -`. */
const START = /\[(\d{4}-\d\d-\d\dT[\d:.]+Z)\] "(.*?) (HTTP\/[\d.]+|-)" (\d{1,3}|-) \S+ /;

/** What follows in Istio's format before the sizes: details of the response, of the end of the connection, of a failure. */
const DETAILS = /^\S+ \S+ "[^"]*" /;

/** Access logs of Envoy in its default format, and in that of Istio. */
export const ENVOY_TEXT: RecordingFormat = textLog({
  name: "a log of Envoy",
  title: "access logs",
  isLine: (line) => START.test(line),
  begin: () => readLine,
});

function readLine(entry: unknown, place: string, problems: Problems): EntryContent {
  const line = entry as string;
  const start = START.exec(line);
  if (start === null) {
    problems.add(FOREIGN_LINE, place);
    return undefined;
  }
  const [all, time = "", request = "", , status] = start;
  const requestLine = readRequestLine(`${request} HTTP/1.1`);
  if (requestLine === undefined) {
    problems.add(NOT_HTTP, place);
    return undefined;
  }
  const rest = line.slice(start.index + all.length).replace(DETAILS, "");
  const milliseconds = /^\d+ \d+ (\d+) /.exec(rest)?.[1];
  // The authority and the address of the upstream are the last two in quotes.
  const host = [...rest.matchAll(/"([^"]*)"/g)].at(-2)?.[1];
  return logInteraction({
    ...requestLine,
    origin: originOf(undefined, host === "-" ? undefined : host),
    status: status === "-" ? undefined : Number(status),
    timestamp: isoSeconds(time),
    elapsed: milliseconds === undefined ? undefined : Number(milliseconds) / 1000,
    visibility: LINE_VISIBILITY,
  });
}
