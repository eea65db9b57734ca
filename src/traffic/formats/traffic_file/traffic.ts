import type {
  HeadersLike,
  HttpRequest,
  HttpResponse,
  Interaction,
} from "../../../http/interaction.ts";
import { setLazyBytes } from "../../decode/body_bytes.ts";
import { asFields, type Fields, isFields, readStatus, type Writable } from "../../decode/fields.ts";
import type { Place, RecordingFormat } from "../recording.ts";
import { RecordingError } from "../../../values/errors.ts";
import { isUrlCassetteEntry } from "../vcr/vcr.ts";
import {
  FULL_VISIBILITY,
  lowerCaseHeaders,
  type Visibility,
  type VisibleHeaders,
} from "../../../http/visibility.ts";

/** Maximum number of cached visibilities. A file has one for each source that was written to it. */
const MAX_CACHED = 1000;

const visibilityCache = new Map<string, Visibility>();

/** Reads what the source of an interaction can show. Absent members mean that it shows that part. */
export function readVisibility(
  value: unknown,
  place: Place,
  name = "visibility",
): Visibility | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isFields(value)) return place.addProblem(`\`${name}\` is not an object and is ignored`);
  const key = JSON.stringify(value);
  const found = visibilityCache.get(key);
  if (found !== undefined) return found;
  const read: Record<string, boolean | VisibleHeaders> = {};
  for (const [member, shown] of Object.entries(value)) {
    const part = Object.hasOwn(FULL_VISIBILITY, member)
      ? FULL_VISIBILITY[member as keyof Visibility]
      : undefined;
    const isUsable = typeof part === "boolean" ? typeof shown === "boolean" : isHeaders(shown);
    if (part === undefined || !isUsable) {
      place.addProblem(`\`${name}.${member}\` is not known and is ignored`);
    } else {
      const isSwitch = typeof shown === "boolean";
      read[member] = isSwitch ? shown : lowerCaseHeaders(shown as VisibleHeaders);
    }
  }
  const visibility: Visibility = { ...FULL_VISIBILITY, ...read };
  if (Object.keys(read).length === Object.keys(value).length && visibilityCache.size < MAX_CACHED) {
    visibilityCache.set(key, visibility);
  }
  return visibility;
}

function isHeaders(value: unknown): value is VisibleHeaders {
  return value === "all" || value === "none" || value === "public" || isNames(value) ||
    isFields(value) && isNames(value["all_but"]) &&
      (value["and"] === undefined || isNames(value["and"])) &&
      Object.keys(value).every((name) => name === "all_but" || name === "and");
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

export const TRAFFIC_FILE: RecordingFormat = {
  name: "a traffic file",
  title: "traffic files",
  recognize: isTraffic,
  nearMiss,
  list: "interactions",
  findEntries: (value) => findEntries(value) ?? [],
  begin: () => readTrafficEntry,
  stream: "json",
  isBare: true,
  readHead,
};

/** The version of the protocol that this version of covtool reads (docs/protocol.md). */
const PROTOCOL = 1;

function isHead(value: unknown): value is Fields {
  return isFields(value) && value["covtool"] !== undefined && value["request"] === undefined;
}

/** Reads what the interactions after the first line of a recorder can show; undefined for other entries. */
function readHead(entry: unknown, place: Place): Visibility | undefined {
  if (!isHead(entry)) return undefined;
  const { covtool: version, recorder, shows } = entry;
  if (version !== PROTOCOL) {
    const who = typeof recorder === "string" ? recorder : "A recorder";
    const sentence = typeof version === "number" && version > PROTOCOL
      ? `${who} wrote version ${version} of the protocol, and this covtool reads version ${PROTOCOL}. Update covtool.`
      : `${who} wrote ${
        JSON.stringify(version)
      } as the version of the protocol instead of ${PROTOCOL}. Update the recorder.`;
    throw new RecordingError(sentence, { code: "version", location: place.problems.location });
  }
  return readVisibility(shows, place.member("shows"), "shows") ?? FULL_VISIBILITY;
}

function isTraffic(value: unknown): boolean {
  const entries = findEntries(value);
  if (entries === undefined) return false;
  const [first] = entries;
  if (first === undefined) return !Array.isArray(value);
  if (isHead(first)) return true;
  return isFields(first) && isFields(first["request"]) &&
    !Object.hasOwn(first["request"], "uri") && !isUrlCassetteEntry(first) &&
    findExpectation(first) === undefined;
}

const EXPECTED_REQUEST = /^(?:path|url[A-Z]\w*)$/;
const EXPECTED_RESPONSE = /^(?:jsonBody|base64Body|bodyFileName|proxyBaseUrl)$/;

/** A member by which an entry says what should be sent or answered, and not what was. */
function findExpectation({ request, response }: Fields): string | undefined {
  const asked = isFields(request) && !Object.hasOwn(request, "url") ? Object.keys(request) : [];
  return asked.find((name) => EXPECTED_REQUEST.test(name)) ??
    Object.keys(asFields(response)).find((name) => EXPECTED_RESPONSE.test(name));
}

function nearMiss(value: unknown): string | undefined {
  const expectation = findExpectation(asFields(findEntries(value)?.[0]));
  if (expectation !== undefined) {
    return `\`${expectation}\` belongs to stubs (WireMock) and contracts (Pact), which nobody sent. Record with \`covtool proxy\``;
  }
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

function findEntries(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isFields(value)) return undefined;
  if (Array.isArray(value["interactions"])) return value["interactions"];
  return isFields(value["request"]) || isHead(value) ? [value] : undefined;
}

export function readTrafficEntry(entry: unknown, place: Place): Interaction | undefined {
  if (!isFields(entry) || !isFields(entry["request"])) {
    return place.addProblem("an interaction without an object `request` is left out");
  }
  const count = entry["count"] ?? undefined;
  if (count !== undefined && !isCount(count)) {
    return place.addProblem(
      "an interaction whose `count` is not a whole number from 1 to 9,007,199,254,740,991 is left out",
      "count",
    );
  }
  const request = readRequest(entry["request"], place.member("request"));
  if (request === undefined) return undefined;
  const response = readResponse(entry["response"], place.member("response"), count !== undefined);
  const timestamp = readSeconds(entry, "timestamp", place);
  const test = readTest(entry["test"], place);
  const interaction: Writable<Interaction> = { request };
  if (response !== undefined) interaction.response = response;
  if (timestamp !== undefined) interaction.timestamp = timestamp;
  if (test !== undefined) interaction.test = test;
  const { identity } = entry;
  if (typeof identity === "string" || isNames(identity)) interaction.identity = identity;
  else if (identity !== undefined && identity !== null) {
    place.addProblem("`identity` is no text and no list of texts, and is ignored", "identity");
  }
  if (count !== undefined) {
    interaction.count = count;
    readSpan(interaction, entry, place);
  }
  if (entry["visibility"] !== undefined) {
    const visibility = readVisibility(entry["visibility"], place.member("visibility"));
    if (visibility !== undefined) interaction.visibility = visibility;
  }
  return interaction;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function readSpan(interaction: Writable<Interaction>, entry: Fields, place: Place): void {
  const first = readSeconds(entry, "first_at", place);
  const last = readSeconds(entry, "last_at", place);
  if (first !== undefined) interaction.first_at = first;
  if (last === undefined) return;
  if (first !== undefined && last < first) {
    place.addProblem("a `last_at` before its `first_at` is ignored", "last_at");
  } else interaction.last_at = last;
}

export function readTest(value: unknown, place: Place): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  const { name, file } = asFields(value);
  if (typeof name === "string" && name !== "") {
    // Like the names that the test runner integrations set.
    return typeof file === "string" && file !== "" && !name.startsWith(file)
      ? `${file} > ${name}`
      : name;
  }
  return place.addProblem(
    "`test` is neither a string nor an object with a `name` and is ignored",
    "test",
  );
}

function readRequest(fields: Fields, place: Place): HttpRequest | undefined {
  const { method, url } = fields;
  if (typeof method !== "string" || method.trim() === "") {
    return place.addProblem(
      "an interaction whose request has no string `method` is left out",
      "method",
    );
  }
  if (typeof url !== "string" || url.trim() === "") {
    return place.addProblem("an interaction whose request has no string `url` is left out", "url");
  }
  const request: Writable<HttpRequest> = { method: method.trim(), url };
  addContent(request, fields, place);
  return request;
}

function addContent(
  message: Writable<HttpRequest> | Writable<HttpResponse>,
  fields: Fields,
  place: Place,
): void {
  const headers = readHeaders(fields["headers"], place);
  if (headers !== undefined) message.headers = headers;
  const isReadable = addBody(message, fields, place);
  const truncated = fields["body_truncated"];
  if (truncated !== undefined && truncated !== null && typeof truncated !== "boolean") {
    place.addProblem("`body_truncated` is neither true nor false and is ignored", "body_truncated");
  }
  if (truncated === true || !isReadable) message.body_truncated = true;
}

/** Adds the body, if any. Returns false if it can't be read. */
function addBody(
  message: Writable<HttpRequest> | Writable<HttpResponse>,
  fields: Fields,
  place: Place,
): boolean {
  const text = fields["body"] ?? undefined;
  const base64 = fields["body_base64"] ?? undefined;
  if (text === undefined && base64 === undefined) return true;
  if (text !== undefined && base64 !== undefined) {
    place.addProblem("`body` is ignored, as `body_base64` is given too", "body");
  }
  if (base64 !== undefined) {
    if (typeof base64 === "string" && setLazyBytes(message, base64)) return true;
    place.addProblem(
      "`body_base64` is not valid base64: the body counts as not recorded",
      "body_base64",
    );
    return false;
  }
  if (typeof text === "string") {
    message.body = text;
    return true;
  }
  place.addProblem(
    "`body` is not a string (write JSON as a string): the body counts as not recorded",
    "body",
  );
  return false;
}

function readHeaders(value: unknown, place: Place): HeadersLike | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) {
    const pairs = value.filter((pair): pair is [string, string] =>
      isNames(pair) && pair.length === 2
    );
    if (pairs.length < value.length) {
      place.addProblem("a header that is not a pair of name and value is ignored", "headers");
    }
    return pairs;
  }
  if (!isFields(value)) {
    return place.addProblem(
      "`headers` is neither an object nor a list of pairs and is ignored",
      "headers",
    );
  }
  if (hasTextsOnly(value)) return value;
  const headers = Object.entries(value).flatMap(([name, header]) => {
    if (typeof header === "string" || isNames(header)) return [[name, header] as const];
    place.addProblem(
      "a header that is neither a string nor a list of strings is ignored",
      `headers.${name}`,
    );
    return [];
  });
  return Object.fromEntries(headers);
}

function hasTextsOnly(fields: Fields): fields is Record<string, string> {
  for (const name in fields) if (typeof fields[name] !== "string") return false;
  return true;
}

function readResponse(value: unknown, place: Place, isWeighted: boolean): HttpResponse | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isFields(value)) return place.addProblem("`response` is not an object and is ignored");
  const status = value["status_code"];
  const hasStatus = typeof status === "number" && Number.isInteger(status) && status >= 100 &&
    status <= 999;
  if (!hasStatus && status !== undefined && status !== null) {
    place.addProblem("`status_code` is not an HTTP status and is ignored", "status_code");
  } else if (!hasStatus) {
    const name = ["status", "statusCode", "code"].find((name) => (value[name] ?? null) !== null);
    if (name !== undefined) {
      place.addProblem(`\`${name}\` is ignored: the status belongs in \`status_code\``, name);
    }
  }
  const elapsed = readSeconds(value, "elapsed", place);
  const response: Writable<HttpResponse> = {};
  if (hasStatus) {
    response.status_code = status <= 599 ? status : readStatus(status, place.member("status_code"));
  }
  if (elapsed !== undefined) response.elapsed = elapsed;
  if (isWeighted) readDurations(response, value, place);
  addContent(response, value, place);
  return response;
}

function readDurations(response: Writable<HttpResponse>, fields: Fields, place: Place): void {
  const sum = readSeconds(fields, "elapsed_sum", place);
  const longest = readSeconds(fields, "elapsed_max", place);
  if (sum !== undefined && longest !== undefined && sum * 1e6 <= Number.MAX_SAFE_INTEGER) {
    response.elapsed_sum = sum;
    response.elapsed_max = longest;
  } else if (sum !== undefined || longest !== undefined) {
    place.addProblem(
      "`elapsed_sum` and `elapsed_max` are ignored where one is missing or the sum is too large",
      "elapsed_sum",
    );
  }
}

function readSeconds(fields: Fields, name: string, place: Place): number | undefined {
  const value = fields[name];
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  if (value !== undefined && value !== null) {
    place.addProblem(`\`${name}\` is not a number of seconds and is ignored`, name);
  }
  return undefined;
}
