import type { Visibility } from "../../../http/visibility.ts";
import type { Interaction } from "../../../http/interaction.ts";
import { binaryLog } from "../../logs/binary_log.ts";
import { type HttpMessage, readHttpMessage } from "../../logs/http_message.ts";
import { originOf } from "../../logs/log_fields.ts";
import { logInteraction, PUBLIC_VISIBILITY } from "../../logs/log_interaction.ts";
import { readRequestLine, type RequestLine } from "../../logs/request_line.ts";
import { NOT_HTTP } from "../../logs/text_log.ts";
import type { EntryReader } from "../recording.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** Three monkeys between two line feeds. */
const SEPARATOR = new TextEncoder().encode("\n🐵🙈🙉\n");
/** Kind, identifier, time in nanoseconds, and for responses how long they took. */
const META = /^([123]) ([\da-f]{8,64}) (\d{15,20})(?: (-?\d+))?$/;
const REQUEST = "1";
const RESPONSE = "2";
const LINE_FEED = 0x0a;

/** Requests that wait for their responses; beyond, the first of them counts without. */
const MOST_WAITING = 1000;

const BROKEN = "an entry that isn't of goreplay is left out";

/** A request is all that is seen where responses weren't recorded. */
const WITHOUT_RESPONSE: Visibility = {
  ...PUBLIC_VISIBILITY,
  response_headers: "none",
  response_body: false,
  status: false,
};

interface Waiting {
  readonly line: RequestLine;
  readonly message: HttpMessage;
  readonly at: number;
}

const decoder = new TextDecoder();

/** What goreplay captures (`--output-file requests.gor`): requests with their bodies, and responses if it is told to. */
export const GOREPLAY: RecordingFormat = binaryLog({
  name: "a capture of goreplay",
  title: "goreplay",
  isStart: (bytes) => META.test(metaOf(bytes)),
  endOfEntry,
  begin: beginCapture,
});

function endOfEntry(bytes: Uint8Array, start: number): number {
  const [first = 0] = SEPARATOR;
  for (let at = bytes.indexOf(first, start); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (SEPARATOR.every((byte, offset) => bytes[at + offset] === byte)) {
      return at + SEPARATOR.length;
    }
  }
  return -1;
}

function beginCapture(): EntryReader {
  const waiting = new Map<string, Waiting>();
  const read: EntryReader = (entry, place, problems) => {
    const bytes = entry as Uint8Array;
    const text = metaOf(bytes);
    const [, kind, id = "", nanoseconds, latency] = META.exec(text) ?? [];
    if (kind === undefined) {
      problems.add(BROKEN, place);
      return undefined;
    }
    const end = bytes.length - (endOfEntry(bytes, 0) === -1 ? 0 : SEPARATOR.length);
    const message = readHttpMessage(bytes.subarray(text.length + 1, end));
    if (kind === RESPONSE) {
      const request = waiting.get(id);
      if (request === undefined || !waiting.delete(id)) return [];
      return interactionOf(request, message, Number(latency ?? NaN) / 1e9);
    }
    if (kind !== REQUEST) return [];
    const line = message === undefined ? undefined : readRequestLine(message.start);
    if (line === undefined || message === undefined) {
      problems.add(NOT_HTTP, place);
      return undefined;
    }
    waiting.set(id, { line, message, at: Number(nanoseconds) / 1e9 });
    if (waiting.size <= MOST_WAITING) return [];
    const [first] = waiting;
    if (first === undefined || !waiting.delete(first[0])) return [];
    return interactionOf(first[1]);
  };
  return Object.assign(read, {
    finish: () => [...waiting.values()].map((request) => interactionOf(request)),
  });
}

function interactionOf(
  { line, message, at }: Waiting,
  response?: HttpMessage,
  elapsed?: number,
): Interaction {
  const status = /^HTTP\/[\d.]+ (\d{3})\b/.exec(response?.start ?? "")?.[1];
  const interaction = logInteraction({
    ...line,
    origin: originOf(undefined, message.host),
    status: status === undefined ? undefined : Number(status),
    timestamp: at,
    elapsed: elapsed === undefined || Number.isNaN(elapsed) ? undefined : elapsed,
    headers: message.headers,
    responseHeaders: response?.headers,
    body: message.isCut ? undefined : message.body,
    responseBody: response?.isCut === true ? undefined : response?.body,
    visibility: response === undefined ? WITHOUT_RESPONSE : PUBLIC_VISIBILITY,
  });
  if (!message.isCut) return interaction;
  return { ...interaction, request: { ...interaction.request, body_truncated: true } };
}

/** The first line of an entry. */
function metaOf(bytes: Uint8Array): string {
  const end = bytes.subarray(0, 200).indexOf(LINE_FEED);
  return end === -1 ? "" : decoder.decode(bytes.subarray(0, end));
}
