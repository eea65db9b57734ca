/** A request that could be sent, by what it covers. */
export interface Coverer {
  /** The indexes of what it covers. */
  readonly goals: readonly number[];
}

/** A chosen request with what it adds to those chosen before. */
export interface Chosen<Request extends Coverer> {
  readonly request: Request;
  readonly added: readonly number[];
}

/**
 * The fewest requests that cover everything that all of them cover, as far as taking the largest first finds them; of
 * equal ones the first.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { chooseRequests } from "./choose_requests.ts";
 *
 * const chosen = chooseRequests([{ goals: [1] }, { goals: [1, 2, 3] }, { goals: [3, 4] }]);
 * assert.deepEqual(chosen.map(({ added }) => added), [[1, 2, 3], [4]]);
 * ```
 */
export function chooseRequests<Request extends Coverer>(
  requests: readonly Request[],
): Chosen<Request>[] {
  const covered = new Set<number>();
  const chosen: Chosen<Request>[] = [];
  // What a request adds only shrinks, so that one that is the largest again when looked at is the largest of all.
  const bySize: { request: Request; order: number; size: number }[][] = [];
  requests.forEach((request, order) => {
    const size = request.goals.length;
    (bySize[size] ??= []).push({ request, order, size });
  });
  for (let size = bySize.length - 1; size > 0; size--) {
    const bucket = bySize[size]?.sort((one, other) => one.order - other.order) ?? [];
    for (const entry of bucket) {
      const added = entry.request.goals.filter((goal) => !covered.has(goal));
      if (added.length === size) {
        for (const goal of added) covered.add(goal);
        chosen.push({ request: entry.request, added });
      } else if (added.length > 0) (bySize[added.length] ??= []).push(entry);
    }
  }
  return chosen;
}
