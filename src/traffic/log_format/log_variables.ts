/** The part of a request that a variable of a log format stands for. */
export type LogPart =
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

/** A variable of a log format. */
export interface LogVariable {
  readonly part: LogPart;
  /** Its name, for messages: `$request`, `%r`. */
  readonly text: string;
  /** The name of a header field, in lower case. */
  readonly header?: string | undefined;
  /** The unit of a duration, in seconds. */
  readonly unit?: number | undefined;
  /** A regular expression for its values, where those of its part don't fit. */
  readonly pattern?: string | undefined;
}

/** A format as literal texts and variables, in their order. */
export type LogTokens = readonly (string | LogVariable)[];

const CLF = "\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d [+-]\\d{4}";
const QUERY = '(?:\\?[^\\s"]*)?';
const PATH = '[^\\s?"]*';
/** Names of users may have spaces in them. */
const USER = '[^["]*';
/** Values of several servers, one after the other: `0.004, 0.120 : 0.002`. */
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

/**
 * Takes apart a log format: of nginx, whose variables begin with `$`, or of Apache, whose directives begin with `%`.
 *
 * @example
 * ```ts
 * import { logTokens } from "./log_variables.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(logTokens('"$request" ${status}'), [
 *   '"', { part: "request", text: "$request" }, '" ', { part: "status", text: "$status" },
 * ]);
 * assert.deepEqual(logTokens("%m %>s"), [
 *   { part: "method", text: "%m" }, " ", { part: "status", text: "%>s" },
 * ]);
 * ```
 */
export function logTokens(format: string): LogTokens {
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
  // As in a configuration file, where the format is in quotes.
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
      return { part: "time" };
    case "T":
      return { part: "elapsed", unit: SECONDS[argument] };
    default:
      return { part: "other" };
  }
}

/** Apache writes a time of its own format in several directives: date, fraction, zone. */
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
