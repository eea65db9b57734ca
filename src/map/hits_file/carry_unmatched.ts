import type { CoveragePlan } from "../coverage_plan.ts";
import type { UnmatchedState } from "../unmatched.ts";
import { operationName } from "./names.ts";
import type { DroppedHits } from "../results.ts";

/**
 * The unmatched requests that another description matches neither; what they carried is not known, so that those it
 * matches are neither unmatched nor hits.
 *
 * @param dropped Takes these.
 */
export function carryUnmatched(
  plan: CoveragePlan,
  state: UnmatchedState | undefined,
  dropped: DroppedHits[],
): UnmatchedState | undefined {
  if (state === undefined) return undefined;
  const names = new Set(plan.operations.map(operationName));
  let { total } = state;
  const requests = state.requests.filter(({ method, host, path, reason, count }) => {
    const operation = `${method} ${path}`;
    // The path of a method that the description doesn't have is a template.
    const isKnown = reason === "method_not_documented"
      ? names.has(operation)
      : plan.routes.match(method, `http://${host || "localhost"}${path}`).kind !== "unmatched";
    if (isKnown) {
      dropped.push({ kind: "unmatched", operation, hits: count });
      total -= count;
    }
    return !isKnown;
  });
  return { total: Math.max(0, total), requests };
}
