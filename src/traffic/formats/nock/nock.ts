import { decodeHex } from "../../decode/body_bytes.ts";
import { utf8Text } from "../../../http/body_text.ts";
import type { Interaction } from "../../../http/interaction.ts";
import { NO_REQUEST_HEADERS } from "../../../http/visibility.ts";
import { cassetteRequest, cassetteResponse } from "../../cassette/cassette_request.ts";
import { asFields, type Fields, isFields } from "../../decode/fields.ts";
import type { Place, RecordingFormat } from "../recording.ts";
import { headerLookup, headerRecord, isToken } from "../../../http/headers.ts";
import { mediaEssence, mediaKind, readContentType } from "../../../http/media_type.ts";
import { isJson } from "../../../values/parse_json.ts";

/** Recordings of nock's recorder (`output_objects`) and nock back, which have no times and often no headers. */
export const NOCK: RecordingFormat = {
  name: "a nock recording",
  title: "nock",
  family: "cassette",
  recognize: (value) => {
    const first: unknown = Array.isArray(value) ? value[0] : undefined;
    return isFields(first) && typeof first["scope"] === "string" && Object.hasOwn(first, "path");
  },
  nearMiss,
  list: "",
  begin: () => readEntry,
};

function nearMiss(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  if (!isFields(first)) return undefined;
  const [scope, path] = ["scope", "path"].map((name) => Object.hasOwn(first, name));
  if (scope !== true) return path === true ? "its first entry has no string `scope`" : undefined;
  return path === true
    ? "the `scope` of its first entry is not a string"
    : "its first entry has no `path`";
}

function readEntry(entry: unknown, place: Place): Interaction | undefined {
  if (!isFields(entry)) return place.addProblem("an entry that is not an object is left out");
  const { scope, path, method } = entry;
  // `nock.define` also accepts patterns, which aren't requests.
  if (typeof scope !== "string" || typeof path !== "string" || !path.startsWith("/")) {
    return place.addProblem("an entry without a string `scope` and `path` is left out");
  }
  const recorded = asFields(entry["reqheaders"]);
  const { headers, body } = nockBody(entry["body"], recorded);
  const url = scope.replace(/\/$/, "") + path;
  const request = cassetteRequest({ method, url, headers, body }, place);
  if (request === undefined) return undefined;
  const response = cassetteResponse(
    { status: entry["status"] ?? entry["reply"], ...nockAnswer(entry) },
    request.method,
    place,
  );
  return {
    request,
    ...(response && { response }),
    // Any other headers were not recorded, but deduced from the body.
    ...(Object.keys(recorded).length === 0 && { visibility: NO_REQUEST_HEADERS }),
  };
}

interface NockBody {
  readonly headers: Fields;
  readonly body: string | Uint8Array | undefined;
}

/** Undoes nock's conversions of a body (parsed JSON, hexadecimal bytes), and adds headers that the body proves. */
function nockBody(value: unknown, headers: Fields): NockBody {
  if (value === undefined || value === "") return { headers, body: undefined };
  const lookup = headerLookup(textHeaders(headers));
  if (Array.isArray(value)) {
    const bytes = decodeChunks(value);
    const isGzip = bytes?.[0] === 0x1f && bytes[1] === 0x8b;
    if (bytes !== undefined && lookup.get("content-encoding") !== undefined) {
      return { headers, body: bytes };
    }
    if (bytes !== undefined && isGzip) {
      return { headers: { ...headers, "content-encoding": "gzip" }, body: bytes };
    }
  }
  if (typeof value !== "string") return { headers, body: JSON.stringify(value) };
  const contentType = readContentType(lookup.get("content-type"));
  const bytes = isText(contentType) ? undefined : decodeHex(value);
  if (bytes === undefined || utf8Text(bytes) !== undefined) {
    // nock parses JSON, so text that is valid JSON can only be the value of a JSON string.
    return { headers, body: isJson(value) ? JSON.stringify(value) : value };
  }
  const boundary = contentType === undefined ? findBoundary(bytes) : undefined;
  if (boundary === undefined) return { headers, body: bytes };
  const type = `multipart/form-data; boundary=${
    isToken(boundary) ? boundary : JSON.stringify(boundary)
  }`;
  return { headers: { ...headers, "content-type": type }, body: bytes };
}

/** Reads headers (an object since nock 14, a list of names and values before) and body of a response. */
function nockAnswer(
  entry: Fields,
): { readonly headers: Fields | undefined; readonly body: string | Uint8Array | undefined } {
  const headers = answerHeaders(entry["rawHeaders"] ?? entry["headers"]);
  const { response } = entry;
  if (response === undefined || response === "") return { headers, body: response };
  const own = headers ?? {};
  if (entry["responseIsBinary"] === true && typeof response === "string") {
    const body = decodeHex(response);
    if (body !== undefined) return { headers, body };
  }
  if (typeof response === "string" && isQuoted(response, own)) {
    return { headers, body: JSON.stringify(response) };
  }
  const answer = nockBody(response, own);
  return { headers: answer.headers === own ? headers : answer.headers, body: answer.body };
}

function answerHeaders(raw: unknown): Fields | undefined {
  if (isFields(raw)) return raw;
  if (!Array.isArray(raw)) return undefined;
  return headerRecord(
    Array.from({ length: raw.length >> 1 }, (_, index) => [
      String(raw[2 * index]),
      String(raw[2 * index + 1]),
    ]),
  );
}

/** True if a text is the value of a JSON string, which only its length shows. */
function isQuoted(text: string, headers: Fields): boolean {
  const lookup = headerLookup(textHeaders(headers));
  const contentType = readContentType(lookup.get("content-type"));
  if (contentType === undefined || mediaKind(mediaEssence(contentType)) !== "json") return false;
  const length = new TextEncoder().encode(JSON.stringify(text)).length;
  return lookup.get("content-length") === String(length);
}

function textHeaders(headers: Fields): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : []
  );
}

/** True if the body is text, even if it consists of hexadecimal digits. */
function isText(contentType: string | undefined): boolean {
  const kind = contentType === undefined ? undefined : mediaKind(mediaEssence(contentType));
  return kind === "text" || kind === "json" || kind === "xml" || kind === "form";
}

function decodeChunks(chunks: readonly unknown[]): Uint8Array | undefined {
  if (chunks.length === 0 || !chunks.every((chunk) => typeof chunk === "string")) return undefined;
  return decodeHex(chunks.join(""));
}

function findBoundary(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder("latin1").decode(bytes);
  const boundary = /^--([!-~]{1,70})\r\nContent-Disposition: form-data;/i.exec(text)?.[1];
  return boundary !== undefined && text.trimEnd().endsWith(`--${boundary}--`)
    ? boundary
    : undefined;
}
