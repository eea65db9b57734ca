import { getOrAdd } from "../../values/collections.ts";
import type { Visibility } from "../../http/visibility.ts";
import { nearestName } from "../../values/nearest_name.ts";
import type { EntryContent, Place, RecordingFormat } from "../formats/recording.ts";
import { logSeconds, unescapeLogged, writeOrigin } from "../logs/log_fields.ts";
import {
  LINE_VISIBILITY,
  logInteraction,
  publicHeader,
  type PublicHeaders,
  visibleHeaders,
} from "../logs/log_interaction.ts";
import { readRequestIn, textLog } from "../logs/text_log.ts";
import { escapePattern } from "../../values/escapes.ts";

type LogPart =
  | "method"
  | "uri"
  | "path"
  | "query"
  | "request"
  | "status"
  | "time"
  | "elapsed"
  | "host"
  | "scheme"
  | "body"
  | "header"
  | "response_header"
  | "other";

interface LogVariable {
  readonly part: LogPart;
  readonly text: string;
  readonly header?: string | undefined;
  readonly unit?: number | undefined;
  /** A regular expression for the values, if the default for the part doesn't fit. */
  readonly pattern?: string | undefined;
}

type LogTokens = readonly (string | LogVariable)[];

const CLF = "\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d [+-]\\d{4}";
const QUERY = '(?:\\?[^\\s"]*)?';
const PATH = '[^\\s?"]*';
/** User names may contain spaces. */
const USER = '[^["]*';
/** Values of several servers: `0.004, 0.120 : 0.002`. */
const SEVERAL = '[^\\s,"]*(?:(?:,| :) [^\\s,"]+)*';

const NGINX: Readonly<Record<string, Omit<LogVariable, "text">>> = {
  request: { part: "request" },
  request_method: { part: "method" },
  request_uri: { part: "uri" },
  uri: { part: "path" },
  document_uri: { part: "path" },
  args: { part: "query" },
  query_string: { part: "query" },
  status: { part: "status" },
  time_local: { part: "time", pattern: CLF },
  time_iso8601: { part: "time" },
  msec: { part: "time" },
  request_time: { part: "elapsed", unit: 1 },
  host: { part: "host" },
  http_host: { part: "host" },
  server_name: { part: "host" },
  scheme: { part: "scheme" },
  request_body: { part: "body" },
  content_type: { part: "header", header: "content-type" },
  remote_user: { part: "other", pattern: USER },
  proxy_add_x_forwarded_for: { part: "other", pattern: SEVERAL },
  http_x_forwarded_for: { part: "other", pattern: SEVERAL },
};

const APACHE: Readonly<Record<string, Omit<LogVariable, "text">>> = {
  r: { part: "request" },
  m: { part: "method" },
  U: { part: "path", pattern: PATH },
  q: { part: "query", pattern: QUERY },
  s: { part: "status" },
  t: { part: "time", pattern: `\\[${CLF}\\]` },
  D: { part: "elapsed", unit: 1e-6 },
  T: { part: "elapsed", unit: 1 },
  v: { part: "host" },
  V: { part: "host" },
  u: { part: "other", pattern: USER },
};

const SECONDS: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6 };

function logTokens(format: string): LogTokens {
  return /\$\{?[a-z_]/.test(format) ? nginxTokens(format) : apacheTokens(format);
}

function nginxTokens(format: string): LogTokens {
  return split(format, /\$(?:\{(\w+)\}|(\w+))/g, ([, braced, plain]) => {
    const name = braced ?? plain ?? "";
    return { text: `$${name}`, ...NGINX[name] ?? headerVariable(name) };
  });
}

function headerVariable(name: string): Omit<LogVariable, "text"> {
  const [, sent, header] = /^(sent_)?http_(\w+)$/.exec(name) ?? [];
  if (header === undefined) {
    return { part: "other", ...(name.startsWith("upstream_") && { pattern: SEVERAL }) };
  }
  const part = sent === undefined ? "header" : "response_header";
  return { part, header: header.replaceAll("_", "-") };
}

function apacheTokens(format: string): LogTokens {
  // Undoes the escapes of a format in a configuration file, where it is quoted.
  const plain = format.replaceAll('\\"', '"').replaceAll("\\t", "\t");
  const directive = /%(?:(%)|[!\d,]*[<>]?(?:\{([^}]*)\})?(\^?[a-zA-Z]{1,2}?)(?![a-z]i\b))/g;
  return joinTimes(split(plain, directive, ([text, percent, argument, letter]) => {
    if (percent !== undefined) return "%";
    return { text, ...apacheVariable(letter ?? "", argument) };
  }));
}

function apacheVariable(letter: string, argument: string | undefined): Omit<LogVariable, "text"> {
  if (argument === undefined) return APACHE[letter] ?? { part: "other" };
  switch (letter) {
    case "i":
      return argument.toLowerCase() === "host"
        ? { part: "host" }
        : { part: "header", header: argument.toLowerCase() };
    case "o":
      return { part: "response_header", header: argument.toLowerCase() };
    case "t":
      return { part: "time", pattern: spacedPattern(argument) };
    case "T":
      return { part: "elapsed", unit: SECONDS[argument] };
    default:
      return { part: "other" };
  }
}

/** Returns a pattern for times with as many words as their format; undefined for one word. */
function spacedPattern(format: string): string | undefined {
  // strftime pads %e, also at the beginning, and writes %c as five words.
  const spaces = format.replace("%c", "%a %b %e %T %Y").trim().split(/\s+/).length - 1;
  return spaces === 0 ? undefined : ` *[^\\s"]+(?: +[^\\s"]+){${spaces}}`;
}

/** Joins directives that Apache uses for one time in a custom format: date, fraction, zone. */
function joinTimes(tokens: LogTokens): LogTokens {
  const joined: (string | LogVariable)[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    const before = joined.at(-2);
    if (isTime(token) && isTime(last)) continue;
    if (isTime(token) && isTime(before) && typeof last === "string" && !/[\s"]/.test(last)) {
      joined.pop();
      continue;
    }
    joined.push(token);
  }
  return joined;
}

function isTime(token: string | LogVariable | undefined): boolean {
  return typeof token === "object" && token.part === "time";
}

function split(
  format: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => string | LogVariable,
): LogTokens {
  const tokens: (string | LogVariable)[] = [];
  let end = 0;
  for (const match of format.matchAll(pattern)) {
    if (match.index > end) tokens.push(format.slice(end, match.index));
    tokens.push(read(match));
    end = match.index + match[0].length;
  }
  if (end < format.length) tokens.push(format.slice(end));
  return tokens;
}

/** Longer formats result in regular expressions that engines can't compile. */
const MAX_CHARACTERS = 10_000;
const MAX_VARIABLES = 1_000;

const UNFIT = "a line that doesn't fit --log-format";
const TOO_LONG = "a line that goes on after the end of --log-format is left out";

/** Longer lines are left out without matching, which takes quadratic time in the worst case. */
const MAX_LENGTH = 1 << 16;

/** Creates a format from nginx's configuration (`$remote_addr … "$request"`) or Apache's (`%h %l %u %t "%r"`). */
export function logFormat(text: string): RecordingFormat {
  const tokens = logTokens(text);
  const variables = tokens.filter((token): token is LogVariable => typeof token === "object");
  if (text.length > MAX_CHARACTERS || variables.length > MAX_VARIABLES) {
    const [characters, most, limit] = [text.length, MAX_CHARACTERS, MAX_VARIABLES]
      .map((number) => number.toLocaleString("en-US"));
    throw new TypeError(
      `A log format may have ${most} characters and ${limit} variables; this one has ${characters} and ${
        variables.length.toLocaleString("en-US")
      }.`,
    );
  }
  const parts = new Set(variables.map(({ part }) => part));
  if (!parts.has("request") && !(parts.has("method") && (parts.has("uri") || parts.has("path")))) {
    throw new TypeError(
      `A log format needs the method and the URL of requests: $request, or $request_method and $request_uri, in nginx; %r, or %m, %U and %q, in Apache.${
        suggestVariable(variables)
      }`,
    );
  }
  const patterns = tokens.map((token, index) =>
    typeof token === "string" ? escapePattern(token) : `(${valuePattern(token, tokens[index + 1])})`
  );
  const pattern = new RegExp(`^${patterns.join("")}$`);
  const unfit = mismatchReporter(tokens, patterns);
  const visibility = formatVisibility(variables, parts);
  return textLog({
    name: "a log in the format of --log-format",
    isLine: (line) => line.length <= MAX_LENGTH && pattern.test(line),
    begin: () => (entry, place) => {
      const line = entry as string;
      const match = line.length <= MAX_LENGTH ? pattern.exec(line) : null;
      if (match === null) return place.addProblem(unfit(line));
      return readValues(variables, match.slice(1), visibility, place);
    },
  });
}

function readValues(
  variables: readonly LogVariable[],
  values: readonly string[],
  visibility: Visibility,
  place: Place,
): EntryContent {
  const first: Partial<Record<LogPart, string>> = {};
  const headers: PublicHeaders = {};
  const responseHeaders: PublicHeaders = {};
  let elapsed: number | undefined;
  variables.forEach(({ part, header, unit = 1 }, index) => {
    const value = values[index] ?? "-";
    if (value === "-" || value === "" || part === "other") return;
    if (header !== undefined) {
      const kept = publicHeader(header, unescapeLogged(value));
      if (kept !== undefined) (part === "header" ? headers : responseHeaders)[header] = kept;
    } else if (part === "elapsed") elapsed ??= Number(value) * unit;
    else first[part] ??= value;
  });
  const { request, method, path = "/", query, host, scheme, status, time, body } = first;
  const uri = first.uri ?? (query === undefined ? path : `${path}?${query.replace(/^\?/, "")}`);
  const line = readRequestIn(unescapeLogged(request ?? `${method ?? ""} ${uri} HTTP/1.1`), place);
  if (line === undefined) return undefined;
  return logInteraction({
    ...line,
    origin: writeOrigin(scheme, host),
    status: status === undefined ? undefined : Number(status),
    timestamp: time === undefined ? undefined : logSeconds(time.replace(/^\[|\]$/g, "")),
    elapsed,
    ...(visibility.request_headers !== "none" && { headers }),
    ...(visibility.response_headers !== "none" && { responseHeaders }),
    body: body === undefined ? undefined : unescapeLogged(body),
    visibility,
  });
}

/** Reports where a line doesn't fit, but shows nothing of it, as that may be an address or a name. */
function mismatchReporter(
  tokens: LogTokens,
  patterns: readonly string[],
): (line: string) => string {
  const beginnings = new Map<number, RegExp>();
  const fits = (line: string, count: number) => {
    const beginning = getOrAdd(
      beginnings,
      count,
      () => new RegExp(`^${patterns.slice(0, count).join("")}`),
    );
    return beginning.test(line);
  };
  return (line) => {
    if (line.length > MAX_LENGTH) return `${UNFIT}, because it is too long, is left out`;
    // Binary search: a line that fits a beginning of the format fits all shorter ones too.
    let fitting = 0;
    let failing = tokens.length + 1;
    while (failing - fitting > 1) {
      const middle = (fitting + failing) >> 1;
      if (fits(line, middle)) fitting = middle;
      else failing = middle;
    }
    const next = tokens[fitting];
    if (next === undefined) return TOO_LONG;
    if (typeof next === "object") return `${UNFIT} at ${next.text} is left out`;
    const last = tokens[fitting - 1];
    const after = typeof last === "object" ? ` after ${last.text}` : "";
    return `${UNFIT} at \`${next}\`${after} is left out`;
  };
}

/** Suggests a known variable for an unknown one, as a sentence after a space; empty if there is none. */
function suggestVariable(variables: readonly LogVariable[]): string {
  for (const { part, text } of variables) {
    if (part !== "other" || !text.startsWith("$")) continue;
    const meant = nearestName(text.slice(1), REQUEST_VARIABLES);
    if (meant !== undefined) return ` Did you mean $${meant} instead of ${text}?`;
  }
  return "";
}

const REQUEST_VARIABLES = ["request", "request_method", "request_uri"];

/** Returns a pattern for values up to the next character of the format. In quotes, quotes are escaped. */
function valuePattern({ part, pattern }: LogVariable, next: LogTokens[number] | undefined): string {
  if (pattern !== undefined) return pattern;
  if (part === "status") return "\\d{3}|-";
  if (part === "elapsed") return "[\\d.]+|-";
  if (next === undefined) return ".*";
  if (typeof next !== "string") return BEFORE[next.part] ?? "\\S*?";
  const end = next.charAt(0);
  if (end === '"') return '(?:[^"\\\\]|\\\\.)*';
  // An unquoted request contains spaces.
  return part === "request" ? ".*?" : `[^${escapePattern(end)}]*`;
}

/** Patterns for values that another variable follows directly, by the part of that variable. */
const BEFORE: Partial<Record<LogPart, string>> = {
  uri: "[^\\s/]*",
  path: "[^\\s/]*",
  query: "[^\\s?]*",
};

function formatVisibility(
  variables: readonly LogVariable[],
  parts: ReadonlySet<LogPart>,
): Visibility {
  return {
    ...LINE_VISIBILITY,
    query: parts.has("request") || parts.has("uri") || parts.has("query"),
    request_headers: visibleHeaders(headerNames(variables, "header")),
    response_headers: visibleHeaders(headerNames(variables, "response_header")),
    request_body: parts.has("body"),
    status: parts.has("status"),
    time: parts.has("time"),
  };
}

function headerNames(variables: readonly LogVariable[], part: LogPart): string[] {
  return variables.flatMap(({ part: other, header }) => other === part ? header ?? [] : []);
}
