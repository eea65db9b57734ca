import type { Visibility } from "../../http/visibility.ts";
import type { Fields } from "../decode/fields.ts";
import type { EntryContent, Place } from "../formats/recording.ts";
import { logSeconds, readNumber, readRequestLine, readText, writeOrigin } from "./log_fields.ts";
import {
  LINE_VISIBILITY,
  logInteraction,
  publicHeader,
  type PublicHeaders,
  visibleHeaders,
} from "./log_interaction.ts";
import { NOT_HTTP } from "./text_log.ts";

/** Names of members in entries that are flat objects. Of several names, the first with a value is used. */
export interface FlatMembers {
  readonly method: readonly string[];
  /** Members with the path and its query, or the full URL. */
  readonly target: readonly string[];
  /** Members with the path alone. */
  readonly path?: readonly string[];
  /** The query, if the target may lack it. */
  readonly query?: readonly string[];
  /** The first line of the request: `GET /books HTTP/1.1`. */
  readonly requestLine?: readonly string[];
  readonly host?: readonly string[];
  readonly scheme?: readonly string[];
  readonly status: readonly string[];
  readonly time: readonly string[];
  /** True if `time` is the time of the response, not of the request. */
  readonly isTimeOfEnd?: boolean;
  readonly elapsed?: readonly string[];
  /** The unit of `elapsed` in seconds (default: 1). */
  readonly elapsedUnit?: number;
  /** Returns the name of the request header field in a member; undefined if it contains something else. */
  header?(member: string): string | undefined;
  responseHeader?(member: string): string | undefined;
  readonly body?: readonly string[];
  /** True if the target is a route, with names of parameters instead of values (default: false). */
  readonly isRoute?: boolean;
}

/** Maximum number of cached visibilities. They depend on the members of an entry, which rarely differ. */
const MAX_KINDS = 64;

export function flatLogReader(members: FlatMembers): (entry: Fields, place: Place) => EntryContent {
  const visibilities = new Map<string, Visibility>();
  const unit = members.elapsedUnit ?? 1;
  return (entry, place) => {
    const request = readRequest(entry, members);
    if (request === undefined) return place.addProblem(NOT_HTTP);
    const elapsed = readNumber(entry, members.elapsed ?? []);
    const seconds = elapsed === undefined || elapsed < 0 ? undefined : elapsed * unit;
    let timestamp: number | undefined;
    for (const name of members.time) timestamp ??= logSeconds(entry[name]);
    if (timestamp !== undefined && members.isTimeOfEnd === true) timestamp -= seconds ?? 0;
    const hasHeaders = members.header !== undefined;
    return logInteraction({
      ...request,
      origin: writeOrigin(
        readText(entry, members.scheme ?? []),
        readText(entry, members.host ?? []),
      ),
      status: readNumber(entry, members.status),
      timestamp,
      elapsed: seconds,
      ...(hasHeaders && { headers: readHeaders(entry, members.header) }),
      ...(hasHeaders && { responseHeaders: readHeaders(entry, members.responseHeader) }),
      body: members.body === undefined ? undefined : readText(entry, members.body),
      visibility: entryVisibility(entry, members, visibilities),
    });
  };
}

function readRequest(
  entry: Fields,
  members: FlatMembers,
): { readonly method: string; readonly target: string } | undefined {
  const method = readText(entry, members.method);
  const path = readText(entry, members.target) ?? readText(entry, members.path ?? []);
  if (method === undefined || path === undefined) {
    const line = readText(entry, members.requestLine ?? []);
    return line === undefined ? undefined : readRequestLine(line);
  }
  const query = path.includes("?") ? undefined : readText(entry, members.query ?? []);
  const target = query === undefined ? path : `${path}?${query.replace(/^\?/, "")}`;
  // Checks method and target by the same rules as a request line.
  return readRequestLine(`${method} ${target} HTTP/1.1`);
}

function readHeaders(
  entry: Fields,
  headerName: FlatMembers["header"],
): PublicHeaders | undefined {
  if (headerName === undefined) return undefined;
  const headers: PublicHeaders = {};
  for (const member in entry) {
    const name = headerName(member);
    const value = entry[member];
    if (name === undefined || value === "" || value === "-") continue;
    const kept = publicHeader(name, value);
    if (kept !== undefined) headers[name] = kept;
  }
  return headers;
}

function entryVisibility(
  entry: Fields,
  members: FlatMembers,
  known: Map<string, Visibility>,
): Visibility {
  const names = Object.keys(entry);
  const key = names.join("\n");
  let visibility = known.get(key);
  if (visibility === undefined) {
    if (known.size >= MAX_KINDS) known.clear();
    const { target, query = [], requestLine = [] } = members;
    visibility = {
      ...LINE_VISIBILITY,
      path_parameters: members.isRoute !== true,
      query: [...target, ...query, ...requestLine].some((name) => Object.hasOwn(entry, name)),
      request_headers: visibleHeaders(headerNames(names, members.header)),
      response_headers: visibleHeaders(headerNames(names, members.responseHeader)),
      request_body: (members.body ?? []).some((name) => Object.hasOwn(entry, name)),
    };
    known.set(key, visibility);
  }
  return visibility;
}

function headerNames(members: readonly string[], headerName: FlatMembers["header"]): string[] {
  return members.flatMap((member) => headerName?.(member)?.toLowerCase() ?? []);
}
