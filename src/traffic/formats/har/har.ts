import type { HttpRequest, Interaction } from "../../../http/interaction.ts";
import { encodePercent } from "../../../http/percent.ts";
import { asFields, type Fields, isFields, isoSeconds, nestedList } from "../../decode/fields.ts";
import {
  type HarBody,
  type HarHeader,
  harHeaders,
  readHarBody,
  readHarResponse,
  requestFile,
  responseFile,
} from "./har_messages.ts";
import { readLength } from "../../decode/received_body.ts";
import type { Attachments, Place, RecordingFormat } from "../recording.ts";

export const HAR: RecordingFormat = {
  name: "a HAR",
  title: "HAR",
  family: "archive",
  ...nestedList("log", "entries"),
  begin: () => readHarEntry,
  stream: "json",
  listAttachments,
  readZip: async (bytes, location) => {
    // Loaded on demand, as few recordings are zipped.
    const { readHarZip } = await import("./har_zip.ts");
    return readHarZip(bytes, location, HAR.recognize);
  },
};

function listAttachments(entry: unknown): readonly string[] {
  return [requestFile(entry), responseFile(entry)].filter((file) => file !== undefined);
}

function readHarEntry(
  entry: unknown,
  place: Place,
  attachments?: Attachments,
): Interaction | undefined {
  if (!isFields(entry) || !isFields(entry["request"])) {
    return place.addProblem("an entry without an object `request` is left out");
  }
  const request = readRequest(entry["request"], place, attachments);
  if (request === undefined) return undefined;
  const response = readHarResponse(entry, request.method, place, attachments);
  const timestamp = readTimestamp(entry["startedDateTime"], place);
  return { request, ...(response && { response }), ...(timestamp !== undefined && { timestamp }) };
}

function readRequest(
  fields: Fields,
  place: Place,
  attachments: Attachments | undefined,
): HttpRequest | undefined {
  const { method: name } = fields;
  const url = typeof fields["url"] === "string" ? fields["url"].trim() : "";
  if (typeof name !== "string" || name.trim() === "") {
    return place.addProblem("an entry whose request has no `method` is left out");
  }
  if (url === "") return place.addProblem("an entry whose request has no `url` is left out");
  const method = name.trim().toUpperCase();
  if (method === "CONNECT") {
    return place.addProblem(
      "a CONNECT request, which opens a tunnel and nothing else, is left out",
    );
  }
  const scheme = foreignScheme(url);
  if (scheme !== undefined) {
    return place.addProblem(`an entry with a \`${scheme}:\` URL is left out`);
  }
  const headers = readHeaders(fields, place);
  const body = readHarBody(
    {
      method,
      fields,
      contentType: findHeader(headers, "content-type") ?? "",
      contentEncoding: findHeader(headers, "content-encoding"),
      contentLength: readLength(findHeader(headers, "content-length")),
      isChunked: /\bchunked\b/i.test(findHeader(headers, "transfer-encoding") ?? ""),
    },
    place,
    attachments,
  );
  const sent = {
    method,
    url: withQuery(url.replace(/#.*/s, ""), fields["queryString"]),
    headers: headersFor(headers, body),
  };
  if (body === "none") return sent;
  return body === "lost" ? { ...sent, body_truncated: true } : { ...sent, body: body.bytes };
}

/** The scheme of a URL; undefined if it is http or https, or there is none. */
function foreignScheme(url: string): string | undefined {
  if (url.startsWith("http")) return undefined;
  // In `localhost:8080`, the host precedes the colon, not a scheme.
  const scheme = /^\s*([a-z][a-z0-9+.-]*):(?!\d+(?:\/|$))/i.exec(url)?.[1]?.toLowerCase();
  return scheme === "http" || scheme === "https" ? undefined : scheme;
}

/** Adds `queryString` if the URL has no query: Insomnia has parameters only there, other programs in both places. */
function withQuery(url: string, query: unknown): string {
  if (url.includes("?") || !Array.isArray(query) || query.length === 0) return url;
  const pairs = query.flatMap((pair) => {
    const { name, value } = asFields(pair);
    if (typeof name !== "string" || name === "") return [];
    return [`${escapeQuery(name)}=${escapeQuery(typeof value === "string" ? value : "")}`];
  });
  return pairs.length === 0 ? url : `${url}?${pairs.join("&")}`;
}

function escapeQuery(text: string): string {
  // split() with a group returns the matches at odd indexes.
  return text.split(/(%[\da-f]{2})/i)
    .map((part, index) => index % 2 === 0 ? encodePercent(part) : part).join("");
}

function readHeaders(fields: Fields, place: Place): HarHeader[] {
  const list = fields["headers"];
  const headers = harHeaders(
    list,
    () =>
      place.addProblem(
        "a header without a string `name` and `value` is ignored",
        "request.headers",
      ),
  );
  if (!Array.isArray(list) && !isFields(list) && list !== undefined && list !== null) {
    place.addProblem("`headers` is not a list and is ignored", "request.headers");
  }
  const cookie = cookieHeader(fields["cookies"]);
  if (cookie !== undefined && findHeader(headers, "cookie") === undefined) {
    headers.push(["Cookie", cookie]);
  }
  return headers;
}

/** Makes a header of `cookies`, as some recorders keep cookies but not their header. */
function cookieHeader(cookies: unknown): string | undefined {
  if (!Array.isArray(cookies) || cookies.length === 0) return undefined;
  const pairs = cookies.flatMap((cookie) => {
    const { name, value } = asFields(cookie);
    return typeof name === "string" && typeof value === "string" ? [`${name}=${value}`] : [];
  });
  return pairs.length === 0 ? undefined : pairs.join("; ");
}

function findHeader(headers: readonly HarHeader[], wanted: string): string | undefined {
  return headers.find(([name]) => name.length === wanted.length && name.toLowerCase() === wanted)
    ?.[1];
}

/** Returns the headers that match the decoded body: without its encoding, and with the boundary of a form. */
function headersFor(headers: HarHeader[], body: HarBody): HarHeader[] {
  if (typeof body !== "object") return headers;
  const { isDecoded, contentType } = body;
  if (!isDecoded && contentType === undefined) return headers;
  const dropped = [
    isDecoded ? "content-encoding" : undefined,
    contentType === undefined ? undefined : "content-type",
  ];
  const kept = headers.filter(([name]) => !dropped.includes(name.toLowerCase()));
  if (contentType !== undefined) kept.push(["Content-Type", contentType]);
  return kept;
}

function readTimestamp(value: unknown, place: Place): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const timestamp = typeof value === "string" ? isoSeconds(value) : epochSeconds(value);
  if (timestamp === undefined) {
    place.addProblem("`startedDateTime` is not a time and is ignored", "startedDateTime");
  }
  return timestamp;
}

/** Reads milliseconds since 1970, or seconds, which are much smaller. */
function epochSeconds(value: unknown): number | undefined {
  if (typeof value !== "number" || !(value > 0 && value < 1e14)) return undefined;
  return value > 1e11 ? value / 1000 : value;
}
