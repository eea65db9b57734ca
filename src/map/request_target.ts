import { isReplacedText } from "../values/replaced_text.ts";
import { type HostPattern, parseHostAndPort, parseHostPattern } from "../http/host_and_port.ts";
import { decodeUri } from "../values/escapes.ts";

const MAX_CACHED_HOSTS = 256;

/** Ranks of how precisely an API specifies the host of a request; the highest is the most precise. */
export const HOST_RANKS = { any: 0, server: 1, pattern: 2, host: 3, port: 4 } as const;

export class HostSpecificity {
  readonly #patterns: readonly { readonly matcher: HostPattern; readonly rank: number }[];
  readonly #servers: ReadonlySet<string>;
  readonly #ranks = new Map<string, number | null>();

  /**
   * @param patterns The only accepted hosts (`api.example`, `*.example`, `localhost:8080`); empty for all hosts.
   * @param servers The hosts of servers in the description, in the form of `URL.host`.
   * @throws {TypeError} if a pattern is malformed.
   */
  constructor(patterns: readonly string[], servers: readonly string[]) {
    this.#patterns = patterns.map((text) => ({
      matcher: parseHostPattern(text),
      rank: patternRank(text),
    })).sort((a, b) => b.rank - a.rank);
    this.#servers = new Set(servers);
  }

  /** Returns the rank of a host ({@linkcode HOST_RANKS}); null if the API doesn't accept the host. */
  rank(target: Pick<RequestTarget, "origin" | "host">): number | null {
    const { origin } = target;
    let rank = this.#ranks.get(origin);
    if (rank === undefined) {
      if (this.#ranks.size >= MAX_CACHED_HOSTS) this.#ranks.clear();
      this.#ranks.set(origin, rank = this.#findRank(target));
    }
    return rank;
  }

  #findRank({ origin, host }: Pick<RequestTarget, "origin" | "host">): number | null {
    if (this.#patterns.length === 0) {
      return this.#servers.has(host) ? HOST_RANKS.server : HOST_RANKS.any;
    }
    const server = parseHostAndPort(host, origin.startsWith("https:") ? 443 : 80);
    if (server === undefined) return null;
    return this.#patterns.find(({ matcher }) => matcher(server.host, server.port))?.rank ?? null;
  }
}

/** Ranks a pattern. Among patterns with `*`, one with more text is more precise. */
function patternRank(pattern: string): number {
  if (pattern.includes("*")) {
    return HOST_RANKS.pattern + Math.min(0.999, pattern.replaceAll("*", "").length / 1000);
  }
  const hasPort = /^(?:[^:]*|\[.*\]):\d+$/.test(pattern);
  return hasPort ? HOST_RANKS.port : HOST_RANKS.host;
}

/** The server and path of a request URL, as `new URL` would return them. */
export interface RequestTarget {
  /** Scheme, host and port (`https://example.com:8443`); empty if the URL is only a path. */
  readonly origin: string;
  /** Host and port, without a default port; empty if the URL has no host. */
  readonly host: string;
  /** The path with dot segments resolved and percent-encoding unchanged; begins with a slash. */
  readonly path: string;
  /** The text between `?` and `#`, still percent-encoded. */
  readonly query: string;
}

const MAX_CACHED_ORIGINS = 256;

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** By ASCII code: 1 for characters that `new URL` leaves unchanged in the path of an http(s) URL, otherwise 0. */
const PLAIN: Uint8Array = Uint8Array.from(
  { length: 128 },
  (_, code) =>
    code > 32 && code < 127 && !'"#<>?\\^`{}'.includes(String.fromCharCode(code)) ? 1 : 0,
);

interface Origin {
  readonly origin: string;
  readonly host: string;
}

function readOrigin(text: string): Origin | null {
  // `new URL` ignores white space around a URL, and tabs and newlines anywhere in it.
  if (!/^[!-~]*$/.test(text)) return null;
  try {
    const url = new URL(text);
    const isPlain = (url.protocol === "http:" || url.protocol === "https:") && url.pathname === "/";
    return isPlain ? { origin: `${url.protocol}//${url.host}`, host: url.host } : null;
  } catch {
    return null;
  }
}

/** Returns what follows a host that a recorder replaced: `https://<API_HOST>/books`, `<BASE_URL>/books`. */
function pathBehindReplacement(text: string): string | undefined {
  const [origin] = /^(?:[a-z][a-z\d+.-]*:\/\/)?[^/?#]*/i.exec(text) ?? [""];
  const parts = origin.match(/<[^<>]+>|\[[^[\]]+\]/g) ?? [origin];
  if (!parts.some(isReplacedText)) return undefined;
  return text.slice(origin.length).replace(/^\/?/, "/");
}

function readSlowly(text: string): RequestTarget | null {
  const pathOnly = text.startsWith("/");
  let url: URL;
  try {
    url = new URL(pathOnly ? `http://localhost${text}` : text);
  } catch {
    const path = pathBehindReplacement(text);
    return path === undefined ? null : readSlowly(path);
  }
  if (!url.pathname.startsWith("/")) return null;
  return {
    origin: pathOnly ? "" : `${url.protocol}//${url.host}`,
    host: pathOnly ? "" : url.host,
    path: url.pathname,
    query: url.search.slice(1),
  };
}

/** Reads the path and the query from `start` on; null if this needs `new URL`. */
function readPath(text: string, start: number, from: Origin): RequestTarget | null {
  const length = text.length;
  if (length > 0 && text.charCodeAt(length - 1) <= 32) return null;
  let end = start;
  let code = 0;
  let previous = 0;
  let mayBeDots = false;
  for (; end < length; end++) {
    code = text.charCodeAt(end);
    if (code > 127 || PLAIN[code] === 0) break;
    // The segment begins with `.` or `%`.
    if (previous === 47 && (code === 46 || code === 37)) mayBeDots = true;
    previous = code;
  }
  const path = end === start ? "/" : text.slice(start, end);
  if (mayBeDots && DOT_SEGMENT.test(path)) return null;
  const { origin, host } = from;
  if (end === length || code === 35) return { origin, host, path, query: "" };
  if (code !== 63) return null;
  let queryEnd = end + 1;
  for (; queryEnd < length; queryEnd++) {
    code = text.charCodeAt(queryEnd);
    if (code === 35) break;
    if (code < 32) return null;
  }
  return { origin, host, path, query: text.slice(end + 1, queryEnd) };
}

const NO_ORIGIN: Origin = { origin: "", host: "" };

/** Returns a function that splits URLs like `new URL`, but faster. It returns null for text that is no URL or path. */
export function createTargetReader(): (url: string) => RequestTarget | null {
  const origins = new Map<string, Origin | null>();
  let lastText = "\0";
  let last: Origin | null = null;
  const cachedOrigin = (text: string): Origin | null => {
    let origin = origins.get(text);
    if (origin === undefined) {
      if (origins.size >= MAX_CACHED_ORIGINS) origins.clear();
      origin = readOrigin(text);
      origins.set(text, origin);
    }
    lastText = text;
    last = origin;
    return origin;
  };
  return (url) => {
    if (url.charCodeAt(0) === 47) return readPath(url, 0, NO_ORIGIN) ?? readSlowly(url);
    let end = lastText.length;
    let origin = last;
    if (!endsOrigin(url.charCodeAt(end)) || !url.startsWith(lastText)) {
      end = url.indexOf("://") + 3;
      if (end < 3) return readSlowly(url);
      while (end < url.length && !endsOrigin(url.charCodeAt(end))) end++;
      origin = cachedOrigin(url.slice(0, end));
    }
    return (origin === null ? null : readPath(url, end, origin)) ?? readSlowly(url);
  };
}

/** True for the codes of `/`, `?`, `#` and `\`. */
function endsOrigin(code: number): boolean {
  return code === 47 || code === 63 || code === 35 || code === 92;
}

export interface SplitPath {
  /** The segments as written; a trailing slash adds none. */
  readonly raw: readonly string[];
  /** The segments percent-decoded on demand: most escaped segments match a template, which accepts any text. */
  readonly decoded: (string | undefined)[];
  readonly trailingSlash: boolean;
}

export function splitPath(path: string): SplitPath {
  const raw: string[] = [];
  let start = 1;
  for (let end = path.indexOf("/", 1); end >= 0; end = path.indexOf("/", start)) {
    raw.push(path.slice(start, end));
    start = end + 1;
  }
  const trailingSlash = start === path.length;
  if (!trailingSlash) raw.push(path.slice(start));
  return { raw, decoded: path.includes("%") ? new Array(raw.length) : raw, trailingSlash };
}

/** Empty after the last segment. */
export function decodedSegment(path: SplitPath, depth: number): string {
  const raw = path.raw[depth];
  return raw === undefined ? "" : path.decoded[depth] ??= decodeUri(raw);
}

/** Returns the offset in the raw text of each UTF-16 unit of the decoded text, followed by the raw text's length. */
export function rawOffsets(raw: string, decoded: string): readonly number[] {
  const offsets: number[] = [];
  let at = 0;
  while (offsets.length < decoded.length) {
    offsets.push(at);
    if (raw === decoded || raw.charCodeAt(at) !== 37) {
      at += 1;
      continue;
    }
    const lead = parseInt(raw.slice(at + 1, at + 3), 16);
    if (lead >= 0xf0) offsets.push(at);
    at += lead < 0x80 ? 3 : lead < 0xe0 ? 6 : lead < 0xf0 ? 9 : 12;
  }
  offsets.push(raw.length);
  return offsets;
}
