/** All header fields except some. */
export interface HeadersBut {
  /** Names of the header fields that can't be seen, in lower case; a name that ends with `*` is a prefix. */
  readonly all_but: readonly string[];
  /** Names of exceptions that can be seen, in lower case. */
  readonly and?: readonly string[];
}

/**
 * The header fields that a source can show: all, none, those with the given names in lower case, all except some, or
 * `public`: all except those that identify the sender of a request, which covtool doesn't keep from logs.
 */
export type VisibleHeaders = "all" | "none" | "public" | readonly string[] | HeadersBut;

/** True if the header fields with a name, in lower case, can be seen. */
export function showsHeader(headers: VisibleHeaders, name: string): boolean {
  if (headers === "all" || headers === "none") return headers === "all";
  if (isNameList(headers)) return headers.includes(name);
  const { all_but, and } = headers === "public" ? PUBLIC_HEADERS : headers;
  return and?.includes(name) === true || !all_but.some((pattern) => covers(pattern, name));
}

/** True if a source lists the header fields that it shows; then a message without fields was sent without these. */
export function listsHeaders(headers: VisibleHeaders): headers is "none" | readonly string[] {
  return headers === "none" || isNameList(headers);
}

/** Returns the header fields that at least one of two sources can show: never `public`, and with sorted names. */
export function uniteHeaders(one: VisibleHeaders, other: VisibleHeaders): VisibleHeaders {
  if (one === "all" || other === "all") return "all";
  const [first, second] = [makeHeaderSet(one), makeHeaderSet(other)];
  const hidden = first.hidden.flatMap((pattern) =>
    second.hidden.flatMap((also) =>
      covers(pattern, also) ? [also] : covers(also, pattern) ? [pattern] : []
    )
  );
  const shown = [...first.shown, ...second.shown];
  const all_but = sortUnique(hidden.filter((pattern) =>
    !shown.includes(pattern) &&
    !hidden.some((wider) => wider !== pattern && covers(wider, pattern))
  ));
  const and = sortUnique(shown.filter((name) => all_but.some((pattern) => covers(pattern, name))));
  if (all_but.length === 0) return "all";
  if (all_but[0] === ANY) return and.length === 0 ? "none" : and;
  return and.length === 0 ? { all_but } : { all_but, and };
}

const ANY = "*";

function makeHeaderSet(
  headers: VisibleHeaders,
): { readonly hidden: readonly string[]; readonly shown: readonly string[] } {
  if (headers === "all") return { hidden: [], shown: [] };
  if (headers === "none") return { hidden: [ANY], shown: [] };
  if (isNameList(headers)) return { hidden: [ANY], shown: headers.map(toLower) };
  const { all_but, and = [] } = headers === "public" ? PUBLIC_HEADERS : headers;
  return { hidden: all_but.map(toLower), shown: and.map(toLower) };
}

/** True if all names that match the second pattern match the first. */
function covers(pattern: string, other: string): boolean {
  return pattern.endsWith(ANY) ? other.startsWith(pattern.slice(0, -1)) : pattern === other;
}

function isNameList(headers: VisibleHeaders): headers is readonly string[] {
  return Array.isArray(headers);
}

export function lowerCaseHeaders(headers: VisibleHeaders): VisibleHeaders {
  if (typeof headers === "string") return headers;
  if (isNameList(headers)) return headers.map(toLower);
  const { all_but, and } = headers;
  return { all_but: all_but.map(toLower), ...(and && { and: and.map(toLower) }) };
}

function toLower(name: string): string {
  return name.toLowerCase();
}

function sortUnique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

/** The header fields that identify the sender of a request (`*` ends a prefix), and exceptions that are kept. */
export const PUBLIC_HEADERS: {
  readonly all_but: readonly string[];
  readonly and: readonly string[];
} = {
  all_but: [
    "authorization",
    "proxy-authorization",
    "cookie",
    "cookie2",
    "set-cookie",
    "set-cookie2",
    "referer",
    "referrer",
    "from",
    "forwarded",
    "via",
    "x-forwarded*",
    "x-original-forwarded-for",
    "x-real-ip",
    "x-client-*",
    "x-cluster-client-*",
    "client-ip",
    "true-client-ip",
    "cf-connecting*",
    "cf-pseudo*",
    "cf-visitor*",
    "cf-ray*",
    "cf-ip*",
    "fastly-client-ip",
    "x-envoy-external-address",
    "x-azure-clientip",
    "x-azure-socketip",
    "x-remote-*",
    "remote-*",
    "x-consumer-*",
    "x-credential-*",
    "x-authenticated-*",
    "x-auth-request-*",
    "x-user*",
    "x-ms-client-principal*",
    "x-amzn-oidc-*",
    "x-goog-authenticated-user-*",
  ],
  and: [
    "x-forwarded-proto",
    "x-forwarded-port",
    "x-forwarded-host",
    "x-forwarded-path",
    "x-forwarded-prefix",
  ],
};

/** A single expression, because it is tested with every field of every request of a log. */
const PRIVATE = new RegExp(
  `^(?!(?:${PUBLIC_HEADERS.and.join("|")})$)(?:${
    PUBLIC_HEADERS.all_but.map((name) => name.replace("*", ".*")).join("|")
  })$`,
  "i",
);

export function isPrivateHeader(name: string): boolean {
  return PRIVATE.test(name);
}

/**
 * The parts of each interaction that a source of traffic can show. Parts that no traffic could show are not measured,
 * rather than being gaps. An access log, for example, shows paths and statuses, but neither headers nor bodies.
 */
export interface Visibility {
  /** The values of path parameters; false if only the route is known, such as `/books/{id}`. */
  readonly path_parameters: boolean;
  /** The query of the URL. */
  readonly query: boolean;
  /** The header fields of requests; cookies are in the field `cookie`. */
  readonly request_headers: VisibleHeaders;
  /** The bodies of requests. */
  readonly request_body: boolean;
  /** The header fields of responses. */
  readonly response_headers: VisibleHeaders;
  /** The bodies of responses. */
  readonly response_body: boolean;
  /** The status codes of responses. */
  readonly status: boolean;
  /** The times at which requests were sent. */
  readonly time: boolean;
}

/** Everything is visible: the default for a source of traffic. */
export const FULL_VISIBILITY: Visibility = {
  path_parameters: true,
  query: true,
  request_headers: "all",
  request_body: true,
  response_headers: "all",
  response_body: true,
  status: true,
  time: true,
};

/** Everything except the header fields of requests, which include cookies. */
export const NO_REQUEST_HEADERS: Visibility = { ...FULL_VISIBILITY, request_headers: "none" };
