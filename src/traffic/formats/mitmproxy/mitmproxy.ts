import { headerRecord } from "../../../http/headers.ts";
import { asList } from "../../decode/fields.ts";
import { binaryLog } from "../../logs/text_log.ts";
import {
  logInteraction,
  PUBLIC_VISIBILITY,
  type PublicHeaders,
  publicHeaders,
} from "../../logs/log_interaction.ts";
import { readRequestLine } from "../../logs/log_fields.ts";
import type { EntryContent, Place, RecordingFormat } from "../recording.ts";

/** A value of a tagged netstring. Bytes are not decoded. */
type Tnetstring =
  | Uint8Array
  | string
  | number
  | boolean
  | null
  | readonly Tnetstring[]
  | Dictionary;
type Dictionary = { readonly [name: string]: Tnetstring };

const COLON = 0x3a;
/** Maximum number of digits in a length, as in mitmproxy's own reader. */
const MAX_LENGTH_DIGITS = 12;
/** Maximum nesting depth. Flows are nested less deeply. */
const DEEPEST = 32;

const decoder = new TextDecoder();

/** Returns the end of a value; -1 if it is incomplete, -2 if none begins here. */
function endOfTnetstring(bytes: Uint8Array, start: number): number {
  let length = 0;
  for (let index = start; index - start <= MAX_LENGTH_DIGITS; index++) {
    const byte = bytes[index];
    if (byte === undefined) return -1;
    if (byte === COLON && index > start) {
      const end = index + 1 + length + 1;
      return end <= bytes.length ? end : -1;
    }
    if (byte < 0x30 || byte > 0x39) return -2;
    length = length * 10 + byte - 0x30;
  }
  return -2;
}

/** Reads a tagged netstring, with mitmproxy's additional type `;` for text. */
function readTnetstring(bytes: Uint8Array, depth: number = DEEPEST): Tnetstring {
  const end = endOfTnetstring(bytes, 0);
  if (end !== bytes.length || depth === 0) throw new TypeError("It isn't a tagged netstring.");
  const content = bytes.subarray(bytes.indexOf(COLON) + 1, end - 1);
  const type = String.fromCharCode(bytes[end - 1] ?? 0);
  switch (type) {
    case ",":
      return content;
    case ";":
      return decoder.decode(content);
    case "#":
    case "^":
      return parseNumber(decoder.decode(content));
    case "!":
      return decoder.decode(content) === "true";
    case "~":
      return null;
    case "]":
      return readItems(content, depth);
    case "}":
      return readObject(readItems(content, depth));
    default:
      throw new TypeError(`Tagged netstrings have no type "${type}".`);
  }
}

function readItems(content: Uint8Array, depth: number): Tnetstring[] {
  const items: Tnetstring[] = [];
  for (let start = 0, end = 0; start < content.length; start = end) {
    end = endOfTnetstring(content, start);
    if (end < 0) throw new TypeError("An item of a tagged netstring is longer than its list.");
    items.push(readTnetstring(content.subarray(start, end), depth - 1));
  }
  return items;
}

function readObject(items: readonly Tnetstring[]): Dictionary {
  const pairs: [string, Tnetstring][] = [];
  for (let index = 0; index + 1 < items.length; index += 2) {
    const name = readText(items[index]);
    if (name === undefined) throw new TypeError("A name in a tagged netstring is no text.");
    pairs.push([name, items[index + 1] ?? null]);
  }
  return Object.fromEntries(pairs);
}

function readText(value: Tnetstring | undefined): string | undefined {
  if (value instanceof Uint8Array) return decoder.decode(value);
  return typeof value === "string" ? value : undefined;
}

function parseNumber(text: string): number {
  const number = Number(text);
  if (text === "" || Number.isNaN(number)) throw new TypeError("A number is malformed.");
  return number;
}

/** The beginning of a flow: the length of its dictionary and the first name. */
const START = /^\d{1,12}:\d{1,3}:[a-z_]+[;,]/;

/** Flows of mitmproxy (`mitmdump -w flows.mitm`), with bodies. */
export const MITMPROXY: RecordingFormat = binaryLog({
  name: "flows of mitmproxy",
  title: "mitmproxy",
  isStart: (bytes) => START.test(String.fromCharCode(...bytes.subarray(0, 64))),
  endOfEntry: endOfTnetstring,
  begin: () => readFlow,
});

function readFlow(entry: unknown, place: Place): EntryContent {
  let flow: Tnetstring;
  try {
    flow = readTnetstring(entry as Uint8Array);
  } catch {
    return place.addProblem("a flow that is damaged is left out");
  }
  if (!isDictionary(flow) || readText(flow["type"]) !== "http") return []; // TCP, UDP or DNS
  const { request, response } = flow;
  const line = isDictionary(request)
    ? readRequestLine(`${readText(request["method"])} ${readText(request["path"])} HTTP/1.1`)
    : undefined;
  if (!isDictionary(request) || line === undefined) {
    return place.addProblem("a flow without a request of HTTP is left out");
  }
  const answer = isDictionary(response) ? response : undefined;
  const start = readNumber(request["timestamp_start"]);
  const end = readNumber(answer?.["timestamp_end"]);
  const interaction = logInteraction({
    ...line,
    origin: requestOrigin(request),
    status: readNumber(answer?.["status_code"]),
    timestamp: start,
    elapsed: start === undefined || end === undefined ? undefined : end - start,
    headers: readHeaders(request["headers"]),
    responseHeaders: answer && readHeaders(answer["headers"]),
    body: readBytes(request["content"]),
    responseBody: readBytes(answer?.["content"]),
    visibility: PUBLIC_VISIBILITY,
    isCaptured: true,
  });
  // A streamed body, which mitmproxy doesn't keep, is missing and not empty.
  const withMissing = <Message extends object>(message: Message, from: Dictionary) =>
    from["content"] === null ? { ...message, body_truncated: true } : message;
  return {
    ...interaction,
    request: withMissing(interaction.request, request),
    ...(interaction.response && answer && { response: withMissing(interaction.response, answer) }),
  };
}

function requestOrigin(request: Dictionary): string | undefined {
  const scheme = readText(request["scheme"]) === "https" ? "https" : "http";
  const host = readText(request["host"]);
  const { port } = request;
  if (host === undefined || host === "") return undefined;
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const isUsual = port === (scheme === "https" ? 443 : 80) || typeof port !== "number";
  return isUsual ? `${scheme}://${name}` : `${scheme}://${name}:${port}`;
}

function readHeaders(value: Tnetstring | undefined): PublicHeaders {
  const pairs = asList(value).flatMap((pair): [string, string][] => {
    if (!Array.isArray(pair)) return [];
    const name = readText(pair[0]);
    const text = readText(pair[1]);
    return name === undefined || text === undefined ? [] : [[name, text]];
  });
  return publicHeaders(headerRecord(pairs)) ?? {};
}

function readNumber(value: Tnetstring | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function readBytes(value: Tnetstring | undefined): Uint8Array | undefined {
  return value instanceof Uint8Array ? value : undefined;
}

function isDictionary(value: Tnetstring | undefined): value is Dictionary {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof Uint8Array);
}
