import { isoSeconds } from "../decode/fields.ts";
import type { RecordingFormat } from "../formats/recording.ts";
import { clfSeconds, endOfQuoted, unescapeLogged, writeOrigin } from "./log_fields.ts";
import { LINE_VISIBILITY, logInteraction } from "./log_interaction.ts";
import { FOREIGN_LINE, patternLog, readRequestIn } from "./text_log.ts";

/** Fields before the request: type, time, balancer, client, target, 3 durations, 2 statuses, 2 sizes. */
const ALB_START =
  /^(?:(?:https?|h2|grpcs?|wss?) )?(\d{4}-\d\d-\d\dT[\d:.]+Z) \S+ \S+ \S+ (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (\d{3}|-) \S+ \d+ \d+ "/;

/** Access logs of Amazon's application and classic load balancers. */
export const AWS_ALB: RecordingFormat = patternLog(
  "a log of a load balancer of Amazon",
  ALB_START,
  (match, place) => {
    const [{ length }, time = "", ...rest] = match;
    const end = endOfQuoted(match.input, length);
    if (end === -1) return place.addProblem(FOREIGN_LINE);
    const request = readRequestIn(unescapeLogged(match.input.slice(length, end).trim()), place);
    if (request === undefined) return undefined;
    const durations = rest.slice(0, 3).map(Number);
    const status = rest[3];
    const isKnown = durations.every((seconds) => seconds >= 0);
    const elapsed = isKnown ? durations.reduce((sum, seconds) => sum + seconds, 0) : undefined;
    const answered = isoSeconds(time);
    return logInteraction({
      ...request,
      // 460: the client closed the connection before the response.
      status: status === "460" || status === "-" ? undefined : Number(status),
      timestamp: answered === undefined ? undefined : answered - (elapsed ?? 0),
      elapsed,
      visibility: LINE_VISIBILITY,
    });
  },
);

/** From time to queues: `[22/Nov/2026:16:57:29.625] shop books/one 0/0/0/1/1 200 144 - - ---- 1/1/0/0/0 0/0`. */
const HAPROXY_FIELDS =
  /\[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d)\.(\d{3})\] \S+ [^\s/]+\/\S+ (?:[+-]?\d+\/){3,4}([+-]?\d+) (-?\d+) \+?\d+ \S+ \S+ \S{4} (?:\d+\/){3,4}\+?\d+ \d+\/\d+ /;

/** HAProxy's HTTP log format (`option httplog`, `option httpslog`), with or without a syslog prefix. */
export const HAPROXY: RecordingFormat = patternLog(
  "a log of HAProxy",
  HAPROXY_FIELDS,
  ({ input, index, 0: all, 1: time, 2: thousandths, 3: total, 4: status }, place) => {
    // Captured headers are before the request. Quotes in either are escaped as #22.
    const quote = input.indexOf('"', index + all.length) + 1;
    const end = quote === 0 ? -1 : input.indexOf('"', quote);
    if (end === -1) return place.addProblem("a line whose request is cut off is left out");
    const request = readRequestIn(withoutEscapes(input.slice(quote, end)), place);
    if (request === undefined) return undefined;
    // HAProxy writes local time without a zone. UTC is assumed, so that all machines get the same result.
    const second = clfSeconds(`${time} +0000`);
    return logInteraction({
      ...request,
      status: Number(status),
      timestamp: second === undefined ? undefined : second + Number(thousandths) / 1000,
      elapsed: Number(total) / 1000,
      visibility: LINE_VISIBILITY,
    });
  },
);

/** HAProxy escapes ambiguous characters as `#` and two hexadecimal digits. */
function withoutEscapes(text: string): string {
  if (!text.includes("#")) return text;
  return text.replace(/#([\dA-F]{2})/g, (_, digits: string) => {
    const code = parseInt(digits, 16);
    return code < 0x80 ? String.fromCharCode(code) : `%${digits}`;
  });
}

/** Time, request, status and response flags: `[2026-11-22T16:57:08.069Z] "GET / HTTP/2" 200 -`. */
const ENVOY_START = /\[(\d{4}-\d\d-\d\dT[\d:.]+Z)\] "(.*?) (HTTP\/[\d.]+|-)" (\d{1,3}|-) \S+ /;

/** Additional fields of Istio before the sizes: response code details, termination details, transport failure. */
const ENVOY_DETAILS = /^\S+ \S+ "[^"]*" /;

/** Access logs of Envoy in the default formats of Envoy and Istio. */
export const ENVOY_TEXT: RecordingFormat = patternLog(
  "a log of Envoy",
  ENVOY_START,
  ({ input, index, 0: all, 1: time = "", 2: request, 4: status }, place) => {
    const requestLine = readRequestIn(`${request} HTTP/1.1`, place);
    if (requestLine === undefined) return undefined;
    const rest = input.slice(index + all.length).replace(ENVOY_DETAILS, "");
    const milliseconds = /^\d+ \d+ (\d+) /.exec(rest)?.[1];
    // The last two quoted fields are the authority and the upstream host.
    const host = [...rest.matchAll(/"([^"]*)"/g)].at(-2)?.[1];
    return logInteraction({
      ...requestLine,
      origin: writeOrigin(undefined, host === "-" ? undefined : host),
      status: status === "-" ? undefined : Number(status),
      timestamp: isoSeconds(time),
      elapsed: milliseconds === undefined ? undefined : Number(milliseconds) / 1000,
      visibility: LINE_VISIBILITY,
    });
  },
);
