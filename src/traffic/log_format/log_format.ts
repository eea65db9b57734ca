import type { Visibility } from "../../http/visibility.ts";
import { nearestName } from "../../values/nearest_name.ts";
import type { Problems } from "../formats/problems.ts";
import type { EntryContent } from "../formats/recording.ts";
import type { RecordingFormat } from "../formats/recording_format.ts";
import { unescapeLogged } from "../logs/log_escapes.ts";
import { logSeconds, originOf } from "../logs/log_fields.ts";
import { LINE_VISIBILITY, logInteraction } from "../logs/log_interaction.ts";
import { publicHeader, type PublicHeaders } from "../logs/public_headers.ts";
import { readRequestLine } from "../logs/request_line.ts";
import { NOT_HTTP, textLog } from "../logs/text_log.ts";
import { type LogPart, type LogTokens, logTokens, type LogVariable } from "./log_variables.ts";

const UNFIT = "a line that doesn't fit --log-format";
const TOO_LONG = "a line that goes on after the end of --log-format is left out";

/** Lines of other lengths are left out before they are matched, which takes time in proportion to their square at worst. */
const LONGEST = 1 << 16;

/**
 * Makes a format of a log format as it is in the configuration of nginx (`$remote_addr … "$request" $status`) or of
 * Apache (`%h %l %u %t "%r" %>s`).
 *
 * @throws {TypeError} if it doesn't have the method and the URL of requests.
 *
 * @example
 * ```ts
 * import { logFormat } from "./log_format.ts";
 * import assert from "node:assert/strict";
 *
 * const format = logFormat('$remote_addr [$time_local] "$request" $status');
 * assert.equal(format.recognize('10.0.0.1 [10/Oct/2000:13:55:36 -0700] "GET /books HTTP/1.1" 200'), true);
 * assert.throws(() => logFormat("$status"), /needs the method and the URL/);
 * ```
 */
export function logFormat(text: string): RecordingFormat {
  const tokens = logTokens(text);
  const variables = tokens.filter((token): token is LogVariable => typeof token === "object");
  const parts = new Set(variables.map(({ part }) => part));
  if (!parts.has("request") && !(parts.has("method") && (parts.has("uri") || parts.has("path")))) {
    throw new TypeError(
      `A log format needs the method and the URL of requests: $request, or $request_method and $request_uri, in nginx; %r, or %m, %U and %q, in Apache.${
        meantVariable(variables)
      }`,
    );
  }
  const patterns = tokens.map((token, index) =>
    typeof token === "string" ? escaped(token) : `(${valuePattern(token, tokens[index + 1])})`
  );
  const pattern = new RegExp(`^${patterns.join("")}$`);
  const unfit = misfits(tokens, patterns);
  const visibility = visibilityOf(variables, parts);
  return textLog({
    name: "a log in the format of --log-format",
    title: "access logs",
    isLine: (line) => line.length <= LONGEST && pattern.test(line),
    begin: () => (entry, place, problems) => {
      const line = entry as string;
      const match = line.length <= LONGEST ? pattern.exec(line) : null;
      if (match === null) {
        problems.add(unfit(line), place);
        return undefined;
      }
      return readValues(variables, match.slice(1), visibility, place, problems);
    },
  });
}

function readValues(
  variables: readonly LogVariable[],
  values: readonly string[],
  visibility: Visibility,
  place: string,
  problems: Problems,
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
  const line = readRequestLine(unescapeLogged(request ?? `${method ?? ""} ${uri} HTTP/1.1`));
  if (line === undefined) {
    problems.add(NOT_HTTP, place);
    return undefined;
  }
  return logInteraction({
    ...line,
    origin: originOf(scheme, host),
    status: status === undefined ? undefined : Number(status),
    timestamp: time === undefined ? undefined : logSeconds(time.replace(/^\[|\]$/g, "")),
    elapsed,
    ...(visibility.request_headers !== "none" && { headers }),
    ...(visibility.response_headers !== "none" && { responseHeaders }),
    body: body === undefined ? undefined : unescapeLogged(body),
    visibility,
  });
}

/**
 * Makes a function that says from where on a line doesn't fit, and nothing of what it has there, as that may be an
 * address or a name.
 */
function misfits(tokens: LogTokens, patterns: readonly string[]): (line: string) => string {
  const beginnings = new Map<number, RegExp>();
  const fits = (line: string, count: number) => {
    let beginning = beginnings.get(count);
    if (beginning === undefined) {
      beginnings.set(count, beginning = new RegExp(`^${patterns.slice(0, count).join("")}`));
    }
    return beginning.test(line);
  };
  return (line) => {
    if (line.length > LONGEST) return `${UNFIT}, because it is too long, is left out`;
    // A line that fits so far fits every shorter beginning too.
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

/** The variable that was probably meant by an unknown one, as a sentence after a space. */
function meantVariable(variables: readonly LogVariable[]): string {
  for (const { part, text } of variables) {
    if (part !== "other" || !text.startsWith("$")) continue;
    const meant = nearestName(text.slice(1), REQUEST_VARIABLES);
    if (meant !== undefined) return ` Did you mean $${meant} instead of ${text}?`;
  }
  return "";
}

/** The variables of nginx that have a request. */
const REQUEST_VARIABLES = ["request", "request_method", "request_uri"];

/** A value goes on to the character that follows its variable; within quotes, quotes are escaped. */
function valuePattern({ part, pattern }: LogVariable, next: unknown): string {
  if (pattern !== undefined) return pattern;
  if (part === "status") return "\\d{3}|-";
  if (part === "elapsed") return "[\\d.]+|-";
  if (next === undefined) return ".*";
  if (typeof next !== "string") return BEFORE[(next as LogVariable).part] ?? "\\S*?";
  const end = next.charAt(0);
  if (end === '"') return '(?:[^"\\\\]|\\\\.)*';
  // A request without quotes has spaces in it.
  return part === "request" ? ".*?" : `[^${escaped(end)}]*`;
}

/** What ends a value that another follows at once. */
const BEFORE: Partial<Record<LogPart, string>> = {
  uri: "[^\\s/]*",
  path: "[^\\s/]*",
  query: "[^\\s?]*",
};

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function visibilityOf(
  variables: readonly LogVariable[],
  parts: ReadonlySet<LogPart>,
): Visibility {
  return {
    ...LINE_VISIBILITY,
    query: parts.has("request") || parts.has("uri") || parts.has("query"),
    request_headers: headersOf(variables, "header"),
    response_headers: headersOf(variables, "response_header"),
    request_body: parts.has("body"),
    status: parts.has("status"),
    time: parts.has("time"),
  };
}

function headersOf(variables: readonly LogVariable[], part: LogPart): readonly string[] | "none" {
  const names = variables.flatMap((variable) =>
    variable.part === part && variable.header !== undefined &&
      publicHeader(variable.header, "") !== undefined
      ? [variable.header]
      : []
  );
  return names.length === 0 ? "none" : names;
}
