import type { UnmatchedReason } from "../map/results.ts";
import { HOST_RANKS } from "../map/request_target.ts";
import type { RouteMessage } from "../map/route_conditions.ts";
import type { RouteClaim, Routes } from "../map/routes.ts";

interface Candidate extends RouteClaim {
  readonly index: number;
}

/**
 * Returns the indexes of the APIs that count a request: the one that it belongs to, or, if no API has an operation for
 * it, all to which it may belong; there it counts as unmatched.
 *
 * A request belongs to the API that specifies its host most precisely, then to the one with the longest base path. Among
 * equals, the one with a matching operation wins; then the one with fewer templates in the path, then the first. If none
 * of them matches, a less precise API takes the request if its path template literally contains the longer base path.
 * Only APIs that specify a host by a pattern or base URL take requests to such a host.
 */
export function routeRequest(
  apis: readonly Routes[],
  method: string,
  url: string,
  onTie?: (taker: number, operation: number, other: number) => void,
  message?: RouteMessage,
): readonly number[] {
  const candidates: Candidate[] = [];
  for (let index = 0; index < apis.length; index++) {
    const claim = apis[index]?.claim(url) ?? null;
    if (claim !== null) candidates.push({ index, host: claim.host, depth: claim.depth });
  }
  if (candidates.length > 1) candidates.sort((a, b) => b.host - a.host || b.depth - a.depth);
  const [best, second] = candidates;
  if (best === undefined) return apis.map((_, index) => index);
  if (second === undefined) return [best.index];
  const isAsPrecise = ({ host, depth }: Candidate): boolean =>
    host === best.host && depth === best.depth;
  const undocumented: number[] = [];
  let chosen: number | undefined;
  let operation = 0;
  let fewestTemplates = Infinity;
  let tied: number[] = [];
  for (const candidate of candidates) {
    const { index } = candidate;
    const match = apis[index]?.match(method, url, message);
    if (!isAsPrecise(candidate)) {
      if (chosen !== undefined) break;
      if (match?.kind !== "operation" || !canTake(candidate, best)) continue;
      const literals = apis[index]?.literalSegments(url, match.index) ?? 0;
      if (literals >= Math.max(best.depth, 1)) return [index];
    } else if (match?.kind === "operation") {
      if (match.captures.length > fewestTemplates) continue;
      if (match.captures.length === fewestTemplates) {
        tied.push(index);
        continue;
      }
      fewestTemplates = match.captures.length;
      chosen = index;
      operation = match.index;
      tied = [];
    } else if (hasPath(match?.reason)) undocumented.push(index);
  }
  if (chosen !== undefined) {
    for (const other of tied) onTie?.(chosen, operation, other);
    return [chosen];
  }
  if (undocumented.length > 0) return undocumented;
  return candidates.filter(isAsPrecise).map(({ index }) => index).sort((a, b) => a - b);
}

/** True if the API has the path, although none of its operations matches the request. */
function hasPath(reason: UnmatchedReason | undefined): boolean {
  return reason === "method_not_documented" || reason === "condition_not_met";
}

/** The host of a server in a description is a hint; a host in the options is a rule. */
function canTake({ host }: Candidate, best: Candidate): boolean {
  return host === best.host || best.host <= HOST_RANKS.server;
}
