import { LINE_VISIBILITY, logInteraction } from "../../logs/log_interaction.ts";
import { clfSeconds } from "../../logs/log_times.ts";
import { readRequestLine } from "../../logs/request_line.ts";
import { FOREIGN_LINE, NOT_HTTP, textLog } from "../../logs/text_log.ts";
import type { Problems } from "../problems.ts";
import type { EntryContent } from "../recording.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** From the time to the queues: `[22/Nov/2026:16:57:29.625] shop books/one 0/0/0/1/1 200 144 - - ---- 1/1/0/0/0 0/0`. */
const FIELDS =
  /\[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d)\.(\d{3})\] \S+ [^\s/]+\/\S+ (?:[+-]?\d+\/){3,4}([+-]?\d+) (-?\d+) \+?\d+ \S+ \S+ \S{4} (?:\d+\/){3,4}\+?\d+ \d+\/\d+ /;

const CUT_REQUEST = "a line whose request is cut off is left out";

/** HAProxy's HTTP log format (`option httplog`, `option httpslog`), with or without the prefix of syslog. */
export const HAPROXY: RecordingFormat = textLog({
  name: "a log of HAProxy",
  title: "access logs",
  isLine: (line) => FIELDS.test(line),
  begin: () => readLine,
});

function readLine(entry: unknown, place: string, problems: Problems): EntryContent {
  const line = entry as string;
  const fields = FIELDS.exec(line);
  if (fields === null) {
    problems.add(FOREIGN_LINE, place);
    return undefined;
  }
  // Captured headers stand before the request; a quote in them, or in it, is written as #22.
  const quote = line.indexOf('"', fields.index + fields[0].length) + 1;
  const end = quote === 0 ? -1 : line.indexOf('"', quote);
  if (end === -1) {
    problems.add(CUT_REQUEST, place);
    return undefined;
  }
  const request = readRequestLine(withoutEscapes(line.slice(quote, end)));
  if (request === undefined) {
    problems.add(NOT_HTTP, place);
    return undefined;
  }
  const [, time = "", thousandths, total, status] = fields;
  // HAProxy writes local time without saying which; UTC is the same on every machine.
  const second = clfSeconds(`${time} +0000`);
  return logInteraction({
    ...request,
    status: Number(status),
    timestamp: second === undefined ? undefined : second + Number(thousandths) / 1000,
    elapsed: Number(total) / 1000,
    visibility: LINE_VISIBILITY,
  });
}

/** HAProxy writes what could be mistaken as `#` and two hexadecimal digits. */
function withoutEscapes(text: string): string {
  if (!text.includes("#")) return text;
  return text.replace(/#([\dA-F]{2})/g, (_, digits: string) => {
    const code = parseInt(digits, 16);
    return code < 0x80 ? String.fromCharCode(code) : `%${digits}`;
  });
}
