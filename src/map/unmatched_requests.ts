import { byMembers } from "../values/collections.ts";
import { addCounts } from "../values/errors.ts";
import { Tallies } from "./tallies.ts";
import type { UnmatchedReason, UnmatchedRequest } from "./results.ts";

/** Matches a segment that looks like an id: digits, a UUID, long hexadecimal, or long with both letters and digits. */
const ID_SEGMENT =
  /^(?:\d+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[^/]*\d)[0-9a-f]{12,}|(?=[^/]*\d)(?=[^/]*[a-z])[\w~-]{16,})$/i;

/** Replaces ids in a path by `{}`, so that a thousand requests to one endpoint become one entry. */
export function normalizeIds(path: string): string {
  return path.split("/").map((segment) => ID_SEGMENT.test(segment) ? "{}" : segment).join("/");
}

/** The maximum number of different unmatched requests to keep (semantics, section 8). */
export const MAX_UNMATCHED = 1000;

export interface UnmatchedState {
  /** The number of all unmatched requests, including unlisted ones. */
  readonly total: number;
  /** The first ones (paths without ids take precedence), sorted by path, method, host and reason. */
  readonly requests: readonly UnmatchedRequest[];
}

type Entry = Omit<UnmatchedRequest, "first_at"> & { readonly firstAt: number };

const KEY = ["path", "method", "host", "reason"] as const;
const compareRequests = byMembers<UnmatchedRequest>(KEY);

/** The requests that matched no operation: a total and the first 1,000, independent of their order. */
export class UnmatchedRequests {
  #total = 0;
  readonly #requests = new Tallies<Entry>({
    key: KEY,
    sums: ["count"],
    limit: MAX_UNMATCHED,
    // Requests to one undocumented path with ids must not displace all others.
    rank: ({ path }) => Number(normalizeIds(path) !== path),
  });

  /** @param timestamp In seconds since 1970, or null if unknown. */
  add(
    method: string,
    host: string,
    path: string,
    reason: UnmatchedReason,
    timestamp: number | null,
    count = 1,
  ): void {
    this.#total += count;
    this.#requests.add({ method, host, path, reason, count, firstAt: timestamp ?? Infinity });
  }

  get total(): number {
    return this.#total;
  }

  /** Returns the requests, sorted by path, method, host and reason. */
  list(): UnmatchedRequest[] {
    return this.#requests.list().map(({ firstAt, ...request }) => ({
      ...request,
      first_at: firstAt === Infinity ? null : firstAt,
    })).sort(compareRequests);
  }

  export(): UnmatchedState {
    return { total: this.#total, requests: this.list() };
  }

  merge(state: UnmatchedState): void {
    this.#total = addCounts(this.#total, state.total);
    for (const { method, host, path, reason, count, first_at } of state.requests) {
      this.#requests.add({ method, host, path, reason, count, firstAt: first_at ?? Infinity });
    }
  }
}
