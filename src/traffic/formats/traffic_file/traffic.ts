import type { HttpRequest, HttpResponse, Interaction } from "../../../http/interaction.ts";
import { decodeBase64 } from "../../decode/decode_base64.ts";
import { type Fields, isFields } from "../../decode/fields.ts";
import type { Problems } from "../problems.ts";
import { readList, type Recording } from "../recording.ts";
import type { RecordingFormat } from "../recording_format.ts";

/** While it is put together: member by member, as copies would take longer than reading. */
type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** The format of covtool's own. */
export const TRAFFIC_FILE: RecordingFormat = {
  name: "a traffic file",
  title: "traffic files",
  recognize: isTraffic,
  nearMiss,
  read: readTraffic,
  stream: { list: "interactions", isBare: true, readEntry: readTrafficEntry },
};

/**
 * Reads a traffic file that was parsed already: an object with `interactions`, a list of interactions, or a single one.
 *
 * @param value For which {@linkcode isTraffic} holds.
 * @throws {RecordingError} if nothing in it can be used.
 */
export function readTraffic(value: unknown, location: string): Recording {
  return readList(
    entriesOf(value) as readonly unknown[],
    "interactions",
    location,
    readTrafficEntry,
  );
}

/** Distinguishes files that are meant as traffic files from other recordings. */
export function isTraffic(value: unknown): boolean {
  const entries = entriesOf(value);
  if (entries === undefined) return false;
  const [first] = entries;
  if (first === undefined) return !Array.isArray(value);
  return isFields(first) && isFields(first["request"]) && !Object.hasOwn(first["request"], "uri");
}

function nearMiss(value: unknown): string | undefined {
  if (isFields(value) && Object.hasOwn(value, "interactions")) {
    return Array.isArray(value["interactions"])
      ? "its first interaction has no object `request`"
      : "`interactions` is not a list";
  }
  const entry: unknown = Array.isArray(value) ? value[0] : value;
  if (!isFields(entry)) return undefined;
  if (Object.hasOwn(entry, "request")) return "`request` is not an object";
  return Object.hasOwn(entry, "url")
    ? "`method` and `url` must be in an object `request`"
    : undefined;
}

function entriesOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isFields(value)) return undefined;
  if (Array.isArray(value["interactions"])) return value["interactions"];
  return isFields(value["request"]) ? [value] : undefined;
}

/**
 * Reads one interaction of a traffic file.
 *
 * @param place The place of the interaction in problems.
 * @returns Undefined if it cannot be used; the reason is added to the problems.
 */
export function readTrafficEntry(
  entry: unknown,
  place: string,
  problems: Problems,
): Interaction | undefined {
  if (!isFields(entry) || !isFields(entry["request"])) {
    problems.add("an interaction without an object `request` is left out", place);
    return undefined;
  }
  const request = readRequest(entry["request"], `${place}.request`, problems);
  if (request === undefined) return undefined;
  const response = readResponse(entry["response"], `${place}.response`, problems);
  const timestamp = readSeconds(entry, "timestamp", place, problems);
  const test = readTest(entry["test"], `${place}.test`, problems);
  const interaction: Writable<Interaction> = { request };
  if (response !== undefined) interaction.response = response;
  if (timestamp !== undefined) interaction.timestamp = timestamp;
  if (test !== undefined) interaction.test = test;
  return interaction;
}

function readTest(value: unknown, place: string, problems: Problems): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  problems.add("`test` is not a string and is ignored", place);
  return undefined;
}

function readRequest(fields: Fields, place: string, problems: Problems): HttpRequest | undefined {
  const { method, url } = fields;
  if (typeof method !== "string" || method.trim() === "") {
    problems.add(
      "an interaction whose request has no string `method` is left out",
      `${place}.method`,
    );
    return undefined;
  }
  if (typeof url !== "string" || url.trim() === "") {
    problems.add("an interaction whose request has no string `url` is left out", `${place}.url`);
    return undefined;
  }
  const headers = readHeaders(fields["headers"], `${place}.headers`, problems);
  const body = readBody(fields, place, problems);
  const truncated = fields["body_truncated"];
  if (truncated !== undefined && truncated !== null && typeof truncated !== "boolean") {
    problems.add(
      "`body_truncated` is neither true nor false and is ignored",
      `${place}.body_truncated`,
    );
  }
  const isTruncated = truncated === true || body === "unreadable";
  const request: Writable<HttpRequest> = { method: method.trim(), url };
  if (headers !== undefined) request.headers = headers;
  if (body !== undefined && body !== "unreadable") request.body = body.content;
  if (isTruncated) request.body_truncated = true;
  return request;
}

/** The body in a box; undefined if there is none; "unreadable" where one was sent that is not known. */
function readBody(
  fields: Fields,
  place: string,
  problems: Problems,
): { readonly content: string | Uint8Array } | undefined | "unreadable" {
  const text = fields["body"] ?? undefined;
  const base64 = fields["body_base64"] ?? undefined;
  if (text === undefined && base64 === undefined) return undefined;
  if (text !== undefined && base64 !== undefined) {
    problems.add("`body` is ignored, as `body_base64` is given too", `${place}.body`);
  }
  if (base64 !== undefined) {
    const content = typeof base64 === "string" ? decodeBase64(base64) : undefined;
    if (content !== undefined) return { content };
    problems.add(
      "`body_base64` is not valid base64: the body counts as not recorded",
      `${place}.body_base64`,
    );
    return "unreadable";
  }
  if (typeof text === "string") return { content: text };
  problems.add(
    "`body` is not a string (write JSON as a string): the body counts as not recorded",
    `${place}.body`,
  );
  return "unreadable";
}

function readHeaders(
  value: unknown,
  place: string,
  problems: Problems,
): Record<string, string | readonly string[]> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isFields(value)) {
    problems.add("`headers` is not an object of names and values and is ignored", place);
    return undefined;
  }
  if (hasTextsOnly(value)) return value;
  const headers: [string, string | readonly string[]][] = [];
  for (const [name, header] of Object.entries(value)) {
    if (typeof header === "string") headers.push([name, header]);
    else if (Array.isArray(header) && header.every((item) => typeof item === "string")) {
      headers.push([name, header]);
    } else {
      problems.add(
        "a header that is neither a string nor a list of strings is ignored",
        `${place}.${name}`,
      );
    }
  }
  return Object.fromEntries(headers);
}

function hasTextsOnly(fields: Fields): fields is Record<string, string> {
  for (const name in fields) if (typeof fields[name] !== "string") return false;
  return true;
}

function readResponse(
  value: unknown,
  place: string,
  problems: Problems,
): HttpResponse | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isFields(value)) {
    problems.add("`response` is not an object and is ignored", place);
    return undefined;
  }
  const status = value["status_code"];
  const hasStatus = typeof status === "number" && Number.isInteger(status) && status >= 100 &&
    status <= 999;
  if (!hasStatus && status !== undefined && status !== null) {
    problems.add("`status_code` is not an HTTP status and is ignored", `${place}.status_code`);
  }
  const elapsed = readSeconds(value, "elapsed", place, problems);
  const response: Writable<HttpResponse> = {};
  if (hasStatus) response.status_code = status;
  if (elapsed !== undefined) response.elapsed = elapsed;
  return response;
}

function readSeconds(
  fields: Fields,
  name: string,
  place: string,
  problems: Problems,
): number | undefined {
  const value = fields[name];
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  if (value !== undefined && value !== null) {
    problems.add(`\`${name}\` is not a number of seconds and is ignored`, `${place}.${name}`);
  }
  return undefined;
}
