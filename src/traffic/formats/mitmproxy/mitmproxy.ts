import type { Interaction } from "../../../http/interaction.ts";
import { binaryLog } from "../../logs/binary_log.ts";
import { logInteraction, PUBLIC_VISIBILITY } from "../../logs/log_interaction.ts";
import { type PublicHeaders, publicHeaders } from "../../logs/public_headers.ts";
import { readRequestLine } from "../../logs/request_line.ts";
import type { EntryContent } from "../recording.ts";
import type { Problems } from "../problems.ts";
import type { RecordingFormat } from "../recording_format.ts";
import { endOfTnetstring, readTnetstring, textOf, type Tnetstring } from "./tnetstring.ts";

type Dictionary = { readonly [name: string]: Tnetstring };

/** The beginning of a flow: the length of its dictionary and its first name. */
const START = /^\d{1,12}:\d{1,3}:[a-z_]+[;,]/;

const DAMAGED = "a flow that is damaged is left out";
const NO_REQUEST = "a flow without a request of HTTP is left out";

/** Flows of mitmproxy (`mitmdump -w flows.mitm`), with bodies. */
export const MITMPROXY: RecordingFormat = binaryLog({
  name: "flows of mitmproxy",
  title: "mitmproxy",
  isStart: (bytes) => START.test(String.fromCharCode(...bytes.subarray(0, 64))),
  endOfEntry: endOfTnetstring,
  begin: () => readFlow,
});

function readFlow(entry: unknown, place: string, problems: Problems): EntryContent {
  let flow: Tnetstring;
  try {
    flow = readTnetstring(entry as Uint8Array);
  } catch {
    problems.add(DAMAGED, place);
    return undefined;
  }
  if (!isDictionary(flow) || textOf(flow["type"]) !== "http") return []; // of TCP, UDP or DNS
  const { request, response } = flow;
  const line = isDictionary(request)
    ? readRequestLine(`${textOf(request["method"])} ${textOf(request["path"])} HTTP/1.1`)
    : undefined;
  if (!isDictionary(request) || line === undefined) {
    problems.add(NO_REQUEST, place);
    return undefined;
  }
  const answer = isDictionary(response) ? response : undefined;
  const start = secondsOf(request["timestamp_start"]);
  const end = secondsOf(answer?.["timestamp_end"]);
  return withMissing(
    logInteraction({
      ...line,
      origin: originOf(request),
      status: secondsOf(answer?.["status_code"]),
      timestamp: start,
      elapsed: start === undefined || end === undefined ? undefined : end - start,
      headers: headersOf(request["headers"]),
      responseHeaders: answer && headersOf(answer["headers"]),
      body: bytesOf(request["content"]),
      responseBody: bytesOf(answer?.["content"]),
      visibility: PUBLIC_VISIBILITY,
    }),
    request["content"] === null,
    answer?.["content"] === null,
  );
}

/** A body that mitmproxy passed on without keeping it is missing, not empty. */
function withMissing(
  interaction: Interaction,
  isRequestMissing: boolean,
  isResponseMissing: boolean,
): Interaction {
  const { request, response } = interaction;
  return {
    ...interaction,
    request: isRequestMissing ? { ...request, body_truncated: true } : request,
    ...(response && {
      response: isResponseMissing ? { ...response, body_truncated: true } : response,
    }),
  };
}

function originOf(request: Dictionary): string | undefined {
  const scheme = textOf(request["scheme"]) === "https" ? "https" : "http";
  const host = textOf(request["host"]);
  const { port } = request;
  if (host === undefined || host === "") return undefined;
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const isUsual = port === (scheme === "https" ? 443 : 80) || typeof port !== "number";
  return isUsual ? `${scheme}://${name}` : `${scheme}://${name}:${port}`;
}

function headersOf(value: Tnetstring | undefined): PublicHeaders {
  const fields: Record<string, string[]> = {};
  for (const pair of Array.isArray(value) ? value : []) {
    if (!Array.isArray(pair)) continue;
    const name = textOf(pair[0]);
    const text = textOf(pair[1]);
    if (name === undefined || text === undefined) continue;
    if (Object.hasOwn(fields, name)) fields[name]?.push(text);
    else fields[name] = [text];
  }
  return publicHeaders(fields) ?? {};
}

function secondsOf(value: Tnetstring | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function bytesOf(value: Tnetstring | undefined): Uint8Array | undefined {
  // The bytes at hand are used again for what follows.
  return value instanceof Uint8Array ? value.slice() : undefined;
}

function isDictionary(value: Tnetstring | undefined): value is Dictionary {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof Uint8Array);
}
