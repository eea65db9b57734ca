import { parseHostAndPort } from "../http/host_and_port.ts";
import { type HostPattern, parseHostPattern } from "../http/host_pattern.ts";
import type { RequestTarget } from "./request_target.ts";

/** Hosts repeat, so each is looked at once; with more different ones it starts anew. */
const HOSTS_KEPT = 256;

/**
 * The ranks of precision with which an API names the host of a request, the most precise highest: any host, a server of
 * its description, a pattern with `*`, the host, the host with its port.
 */
export const HOST_RANKS = { any: 0, server: 1, pattern: 2, host: 3, port: 4 } as const;

interface RankedPattern {
  readonly matches: HostPattern;
  readonly rank: number;
}

/** The hosts whose requests belong to an API. */
export class HostClaims {
  readonly #patterns: readonly RankedPattern[];
  readonly #servers: ReadonlySet<string>;
  readonly #known = new Map<string, number | null>();

  /**
   * @param patterns The only hosts (`api.example`, `*.example`, `localhost:8080`); none for every host.
   * @param servers Hosts of the servers in the description, as `URL.host` has them.
   * @throws {TypeError} if a pattern is malformed.
   */
  constructor(patterns: readonly string[], servers: readonly string[]) {
    this.#patterns = patterns.map((text) => ({
      matches: parseHostPattern(text),
      rank: rankOf(text),
    })).sort((a, b) => b.rank - a.rank);
    this.#servers = new Set(servers);
  }

  /** The rank of a host, see {@linkcode HOST_RANKS}; null if it is the host of other APIs. */
  rankOf(target: Pick<RequestTarget, "origin" | "host">): number | null {
    const { origin } = target;
    let rank = this.#known.get(origin);
    if (rank === undefined) {
      if (this.#known.size >= HOSTS_KEPT) this.#known.clear();
      this.#known.set(origin, rank = this.#find(target));
    }
    return rank;
  }

  #find({ origin, host }: Pick<RequestTarget, "origin" | "host">): number | null {
    if (this.#patterns.length === 0) {
      return this.#servers.has(host) ? HOST_RANKS.server : HOST_RANKS.any;
    }
    const server = parseHostAndPort(host, origin.startsWith("https:") ? 443 : 80);
    if (server === undefined) return null;
    return this.#patterns.find(({ matches }) => matches(server.host, server.port))?.rank ?? null;
  }
}

/** Of two patterns with `*`, the one with more text is the more exact. */
function rankOf(pattern: string): number {
  if (pattern.includes("*")) {
    return HOST_RANKS.pattern + Math.min(0.999, pattern.replaceAll("*", "").length / 1000);
  }
  const hasPort = /^(?:[^:]*|\[.*\]):\d+$/.test(pattern);
  return hasPort ? HOST_RANKS.port : HOST_RANKS.host;
}
