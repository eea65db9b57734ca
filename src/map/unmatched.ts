import { byMembers } from "../values/collections.ts";
import { addCounts } from "../values/errors.ts";
import { Tallies } from "./tallies.ts";
import type { UnmatchedReason, UnmatchedRequest } from "./results.ts";

/** A segment that is an id rather than a name: digits, a UUID, long hexadecimal, or long and of letters and digits mixed. */
const ID =
  /^(?:\d+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[^/]*\d)[0-9a-f]{12,}|(?=[^/]*\d)(?=[^/]*[a-z])[\w~-]{16,})$/i;

/** A path with its ids written `{}`, so that a thousand requests to one endpoint are one entry. */
export function normalizeIds(path: string): string {
  return path.split("/").map((segment) => ID.test(segment) ? "{}" : segment).join("/");
}

/** The number of different unmatched requests to keep (semantics, section 8). */
export const UNMATCHED_KEPT = 1000;

/** The unmatched requests of a map, to be stored and merged. */
export interface UnmatchedState {
  /** The number of all of them, including those not listed. */
  readonly total: number;
  /** The smallest ones, paths without ids before others, in order of path, method, host and reason. */
  readonly requests: readonly UnmatchedRequest[];
}

type Entry = Omit<UnmatchedRequest, "first_at"> & { readonly firstAt: number };

const KEY = ["path", "method", "host", "reason"] as const;
const inOrder = byMembers<UnmatchedRequest>(KEY);

/** The requests that matched no operation: the 1,000 smallest and a total, in whatever order they come. */
export class Unmatched {
  #total = 0;
  readonly #requests = new Tallies<Entry>({
    key: KEY,
    sums: ["count"],
    limit: UNMATCHED_KEPT,
    // One undocumented path with ids in it must not push out all others.
    rank: ({ path }) => Number(normalizeIds(path) !== path),
  });

  /** Counts one request; `timestamp` is in seconds since 1970, null if unknown. */
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

  /** The number of requests that matched nothing, including those not listed. */
  get total(): number {
    return this.#total;
  }

  /** The requests by path, method, host and reason. */
  list(): UnmatchedRequest[] {
    return this.#requests.list().map(({ firstAt, ...request }) => ({
      ...request,
      first_at: firstAt === Infinity ? null : firstAt,
    })).sort(inOrder);
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
