import { addCounts } from "../values/errors.ts";
import type { UnmatchedReason, UnmatchedRequest } from "./results.ts";
import { BoundedSet, compareText } from "./bounded_set.ts";

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

interface Entry {
  readonly hasId: boolean;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly reason: UnmatchedReason;
  count: number;
  first_at: number | null;
}

/** One undocumented path with ids in it must not push out all others. */
function compareKept(a: Entry, b: Entry): number {
  return Number(a.hasId) - Number(b.hasId) || compareEntries(a, b);
}

function compareEntries(a: UnmatchedRequest, b: UnmatchedRequest): number {
  return compareText(a.path, b.path) || compareText(a.method, b.method) ||
    compareText(a.host, b.host) || compareText(a.reason, b.reason);
}

/** The requests that matched no operation: the 1,000 smallest and a total, in whatever order they come. */
export class Unmatched {
  #total = 0;
  readonly #requests = new BoundedSet<Entry>(UNMATCHED_KEPT, compareKept);

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
    this.#count({ method, host, path, reason, count, first_at: timestamp });
  }

  /** The number of requests that matched nothing, including those not listed. */
  get total(): number {
    return this.#total;
  }

  /** The requests by path, method, host and reason. */
  list(): UnmatchedRequest[] {
    return this.#requests.list().map(({ hasId: _, ...request }) => request).sort(compareEntries);
  }

  export(): UnmatchedState {
    return { total: this.#total, requests: this.list() };
  }

  merge(state: UnmatchedState): void {
    this.#total = addCounts(this.#total, state.total);
    for (const request of state.requests) this.#count(request);
  }

  #count(request: UnmatchedRequest): void {
    const { method, host, path, reason, count, first_at } = request;
    // The lengths make the key unambiguous, whatever characters the parts hold.
    const key = `${reason} ${method.length} ${host.length} ${method}${host}${path}`;
    const entry = this.#requests.at(key, () => {
      const hasId = normalizeIds(path) !== path;
      return { hasId, method, host, path, reason, count: 0, first_at: null };
    });
    entry.count = addCounts(entry.count, count);
    if (first_at !== null && (entry.first_at === null || first_at < entry.first_at)) {
      entry.first_at = first_at;
    }
  }
}
