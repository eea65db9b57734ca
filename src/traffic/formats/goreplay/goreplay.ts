import { headerRecord } from "../../../http/headers.ts";
import type { Visibility } from "../../../http/visibility.ts";
import type { Interaction } from "../../../http/interaction.ts";
import { binaryLog, NOT_HTTP } from "../../logs/text_log.ts";
import { readRequestLine, type RequestLine, writeOrigin } from "../../logs/log_fields.ts";
import {
  logInteraction,
  PUBLIC_VISIBILITY,
  type PublicHeaders,
  publicHeaders,
} from "../../logs/log_interaction.ts";
import type { EntryReader, RecordingFormat } from "../recording.ts";
import { concatBytes, findBytes } from "../../../values/collections.ts";

const SEPARATOR = new TextEncoder().encode("\n🐵🙈🙉\n");
/** Kind, identifier, time in nanoseconds and, for responses, duration. */
const META = /^([123]) ([\da-f]{8,64}) (\d{15,20})(?: (-?\d+))?$/;
const [REQUEST, RESPONSE] = ["1", "2"];
const LINE_FEED = 0x0a;

/** Maximum number of requests that wait for responses; beyond it, the oldest one counts without a response. */
const MAX_WAITING = 1000;

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

/** Captures of goreplay (`--output-file requests.gor`): requests with bodies and, optionally, responses. */
export const GOREPLAY: RecordingFormat = binaryLog({
  name: "a capture of goreplay",
  title: "goreplay",
  isStart: (bytes) => META.test(readMeta(bytes)),
  endOfEntry,
  begin: beginCapture,
});

function endOfEntry(bytes: Uint8Array, start: number): number {
  const at = findBytes(bytes, SEPARATOR, start);
  return at === -1 ? -1 : at + SEPARATOR.length;
}

function beginCapture(): EntryReader {
  const waiting = new Map<string, Waiting>();
  const read: EntryReader = (entry, place) => {
    const bytes = entry as Uint8Array;
    const text = readMeta(bytes);
    const [, kind, id = "", nanoseconds, latency] = META.exec(text) ?? [];
    if (kind === undefined) return place.addProblem("an entry that isn't of goreplay is left out");
    const end = bytes.length - (endOfEntry(bytes, 0) === -1 ? 0 : SEPARATOR.length);
    const message = readHttpMessage(bytes.subarray(text.length + 1, end));
    if (kind === RESPONSE) {
      const request = waiting.get(id);
      if (request === undefined || !waiting.delete(id)) return [];
      return makeInteraction(request, message, Number(latency ?? NaN) / 1e9);
    }
    if (kind !== REQUEST) return [];
    const line = message === undefined ? undefined : readRequestLine(message.start);
    if (line === undefined || message === undefined) return place.addProblem(NOT_HTTP);
    const [oldest = ""] = waiting.size < MAX_WAITING ? [] : waiting.keys();
    const ended = waiting.has(id) ? id : oldest;
    const earlier = waiting.get(ended);
    waiting.delete(ended);
    waiting.set(id, { line, message, at: Number(nanoseconds) / 1e9 });
    return earlier === undefined ? [] : makeInteraction(earlier);
  };
  return Object.assign(read, {
    finish: () => [...waiting.values()].map((request) => makeInteraction(request)),
  });
}

function makeInteraction(
  { line, message, at }: Waiting,
  response?: HttpMessage,
  elapsed?: number,
): Interaction {
  const status = /^HTTP\/[\d.]+ (\d{3})\b/.exec(response?.start ?? "")?.[1];
  const interaction = logInteraction({
    ...line,
    origin: writeOrigin(undefined, message.host),
    status: status === undefined ? undefined : Number(status),
    timestamp: at,
    elapsed: elapsed === undefined || Number.isNaN(elapsed) ? undefined : elapsed,
    headers: message.headers,
    responseHeaders: response?.headers,
    body: message.isCut ? undefined : message.body,
    responseBody: response?.isCut === true ? undefined : response?.body,
    visibility: response === undefined ? WITHOUT_RESPONSE : PUBLIC_VISIBILITY,
    isCaptured: true,
  });
  if (!message.isCut) return interaction;
  return { ...interaction, request: { ...interaction.request, body_truncated: true } };
}

function readMeta(bytes: Uint8Array): string {
  const end = bytes.subarray(0, 200).indexOf(LINE_FEED);
  return end === -1 ? "" : decoder.decode(bytes.subarray(0, end));
}

interface HttpMessage {
  readonly start: string;
  /** Header fields, without those that identify the sender. */
  readonly headers: PublicHeaders;
  readonly host: string | undefined;
  readonly body: Uint8Array;
  readonly isCut: boolean;
}

/** Parses an HTTP/1.1 message (RFC 9112); undefined if its header is incomplete. */
function readHttpMessage(bytes: Uint8Array): HttpMessage | undefined {
  const lines: string[] = [];
  let position = 0;
  while (true) {
    const end = bytes.indexOf(LINE_FEED, position);
    if (end === -1) return undefined;
    const line = decoder.decode(bytes.subarray(position, end)).replace(/\r$/, "");
    position = end + 1;
    if (line === "") break;
    lines.push(line);
  }
  const pairs: [string, string][] = [];
  const values = new Map<string, string>();
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    values.set(name.toLowerCase(), value);
    pairs.push([name, value]);
  }
  const rest = bytes.subarray(position);
  const isChunked = /\bchunked\b/i.test(values.get("transfer-encoding") ?? "");
  const length = Number(values.get("content-length") ?? NaN);
  const content = isChunked
    ? joinChunks(rest)
    : { body: rest.subarray(0, length >= 0 ? length : undefined), isCut: length > rest.length };
  return {
    start: lines[0] ?? "",
    headers: publicHeaders(headerRecord(pairs)) ?? {},
    host: values.get("host"),
    ...content,
  };
}

/** Joins the chunks of a body (RFC 9112, section 7.1). */
function joinChunks(bytes: Uint8Array): Pick<HttpMessage, "body" | "isCut"> {
  const chunks: Uint8Array[] = [];
  let position = 0;
  while (true) {
    const end = bytes.indexOf(LINE_FEED, position);
    const size = end === -1 ? NaN : parseInt(decoder.decode(bytes.subarray(position, end)), 16);
    if (!(size >= 0)) return { body: concatBytes(chunks), isCut: true };
    if (size === 0) return { body: concatBytes(chunks), isCut: false };
    const chunk = bytes.subarray(end + 1, end + 1 + size);
    chunks.push(chunk);
    if (chunk.length < size) return { body: concatBytes(chunks), isCut: true };
    // A line break follows each chunk.
    position = end + 1 + size + (bytes[end + 1 + size] === 0x0d ? 2 : 1);
  }
}
