import { type CoveredOperation, coveredOperations } from "../map/coverage.ts";
import type { CoveragePlan } from "../map/coverage_plan.ts";
import type { Exclusions } from "../map/exclusions.ts";
import { uncoveredResponses } from "../map/gaps.ts";
import type { Hits } from "../map/hits.ts";
import type { Gap } from "../map/results.ts";
import { areValuesCounted } from "../map/value_coverage.ts";
import { findGaps } from "./find_gaps.ts";
import { GAP_KINDS, OperationGoals } from "./goals.ts";
import { LEADS_ELSEWHERE, type OperationSuggestions } from "./operation_suggester.ts";
import type { RecordedRequests } from "./recorded_requests.ts";
import { dummyServer, findServer, suggesterMaker, withPlaceholder } from "./suggester_maker.ts";
import {
  countClosed,
  interleaveRequests,
  SuggestError,
  type Suggestion,
  type Suggestions,
  type SuggestOptions,
  type UnreachableGap,
} from "./suggestion.ts";
import { selectOperations } from "./select_operations.ts";

/**
 * Finds requests that close gaps. Each request is recorded on trial first, and claims the gaps that this closed.
 *
 * @param recorded Successful requests to base others on; without them, values come from examples and schemas alone.
 * @throws {SuggestError} if an operation or kind is unknown, or no URL is known to send requests to.
 */
export function suggestRequests(
  plan: CoveragePlan,
  hits: Hits,
  exclusions: Exclusions | undefined,
  options: SuggestOptions = {},
  recorded?: RecordedRequests,
): Suggestions {
  const selected = selectOperations(plan, options.operations);
  const kinds = new Set(selectKinds(options.kinds));
  if (!areValuesCounted(plan, hits)) kinds.delete("value_uncovered");
  const gaps = options.gaps === undefined ? undefined : findGaps(plan, options.gaps, hits);
  const ids = gaps && new Set(gaps.flatMap(({ gap }) => gap.id ?? []));
  const operations = gaps === undefined ? selected : new Set(
    Array.from(gaps.values(), ({ operation }) => operation).filter((one) => selected.has(one)),
  );
  const goalsFor = (operation: CoveredOperation): OperationGoals =>
    new OperationGoals(operation, kinds, plan.gapIds, ids);
  const server = options.server === undefined ? undefined : readServer(options.server);
  const knownServer = server ?? recorded?.server;
  const suggesterFor = suggesterMaker(plan, recorded);
  const open = [...coveredOperations(plan, hits, exclusions)]
    .filter(({ excluded, plan: one }) => excluded === undefined && operations.has(one));
  const search = (operation: CoveredOperation): OperationSuggestions => {
    const { model } = operation.plan;
    const goals = goalsFor(operation);
    const known = knownServer ?? findServer(model, plan);
    const url = known ??
      (options.serverPlaceholder === true ? dummyServer(model, plan) : undefined);
    if (url === undefined) {
      throw new SuggestError(
        "no_server",
        "The description names no server with a host: say which `server` the requests are for, such as http://localhost:3000.",
      );
    }
    const suggester = goals.all.length === 0
      ? { suggestions: [], finish: () => ({ values: [], unreachable: [] }) }
      : suggesterFor(operation, goals, url).suggest(options.seed);
    const withServer = (one: Suggestion): Suggestion =>
      known === undefined ? withPlaceholder(one) : one;
    const responses = (suggestions: readonly Suggestion[]): UnreachableGap[] => {
      if (!kinds.has("response_uncovered")) return [];
      const expected = new Set(suggestions.flatMap(({ expects }) => expects));
      return uncoveredResponses(operation, hits)
        .filter((gap) => !("status_code" in gap) || !expected.has(gap.status_code))
        .map((gap) => ({ id: plan.gapIds.id(gap), ...gap }))
        .filter(({ id }) => ids?.has(id) !== false)
        .map((gap) => ({ gap, reason: UNKNOWN_REQUEST, impossible: false }));
    };
    const finish = (withValues: boolean): ReturnType<OperationSuggestions["finish"]> => {
      const { values, unreachable } = suggester.finish(withValues);
      const open = responses([...suggester.suggestions, ...values]);
      return { values: values.map(withServer), unreachable: [...unreachable, ...open] };
    };
    return { suggestions: suggester.suggestions.map(withServer), finish };
  };
  const { limit } = options;
  // Requests that cover only classes of values come after all those that close gaps of the dimensions.
  const dimensionRequests: (readonly Suggestion[])[] = [];
  const finishOne = (withValues: boolean) => ({ suggestions, finish }: OperationSuggestions) => {
    dimensionRequests.push(suggestions);
    return finish(withValues);
  };
  let finished;
  if (limit === undefined) finished = open.map((one) => finishOne(true)(search(one)));
  else {
    const searched = searchLargest(open, goalsFor, limit, search);
    const count = searched.reduce((sum, { suggestions }) => sum + suggestions.length, 0);
    finished = searched.map(finishOne(count < limit));
  }
  const requests = [
    ...interleaveRequests(dimensionRequests),
    ...interleaveRequests(finished.map(({ values }) => values)),
  ];
  const unreachable = finished.flatMap(({ unreachable }) => unreachable);
  if (
    server !== undefined && requests.length === 0 &&
    unreachable.some(({ reason }) => reason === LEADS_ELSEWHERE)
  ) {
    throw new SuggestError(
      "invalid_server",
      `Requests to ${server} match no operation of the description. Leave out its path, or set the base path to it.`,
    );
  }
  return { requests: requests.slice(0, limit ?? Infinity), unreachable };
}

/** Searches operations with most gaps first, until no other operation's first request can be among the best. */
function searchLargest(
  open: readonly CoveredOperation[],
  goalsFor: (operation: CoveredOperation) => OperationGoals,
  limit: number,
  search: (operation: CoveredOperation) => OperationSuggestions,
): OperationSuggestions[] {
  const bySize = open.map((operation, order) => ({
    operation,
    order,
    size: goalsFor(operation).firstValueIndex,
  })).sort((one, other) => other.size - one.size);
  const found: { readonly order: number; readonly result: OperationSuggestions }[] = [];
  let best: number[] = [];
  for (const { operation, order, size } of bySize) {
    // An equal size is searched, too: of requests that close equally many gaps, the first in the document wins.
    if (best.length >= limit && size < (best[limit - 1] ?? Infinity)) break;
    const result = search(operation);
    found.push({ order, result });
    best = [...best, ...result.suggestions.slice(0, 1).map(({ closes }) => countClosed(closes))]
      .sort((one, other) => other - one).slice(0, limit);
  }
  return found.sort((one, other) => one.order - other.order).map(({ result }) => result);
}

const UNKNOWN_REQUEST = "The description doesn't say which request leads to this status.";

/** @throws {SuggestError} if a kind is unknown. */
export function selectKinds(kinds: readonly Gap["kind"][] | undefined): ReadonlySet<Gap["kind"]> {
  for (const kind of kinds ?? []) {
    if (!GAP_KINDS.includes(kind)) {
      throw new SuggestError(
        "unknown_kind",
        `Unknown kind of gap ${JSON.stringify(kind)}. Choose from ${GAP_KINDS.join(", ")}.`,
      );
    }
  }
  return new Set(kinds ?? GAP_KINDS);
}

function readServer(server: string): string {
  if (!/^https?:\/\//i.test(server) || !URL.canParse(server)) {
    throw new SuggestError(
      "invalid_server",
      `The server ${
        JSON.stringify(server)
      } is not a URL. Write it with its scheme: http://localhost:3000.`,
    );
  }
  const { origin, pathname } = new URL(server);
  return origin + pathname.replace(/\/+$/, "");
}
