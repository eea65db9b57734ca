import { type CoveredOperation, coveredOperations } from "../map/coverage.ts";
import type { CoveragePlan, OperationPlan } from "../map/coverage_plan.ts";
import type { Exclusions } from "../map/exclusions.ts";
import type { Hits } from "../map/hits.ts";
import type { Gap } from "../map/results.ts";
import { samePaths } from "../map/same_paths.ts";
import { nearestName } from "../values/nearest_name.ts";
import { OperationGoals } from "./goals.ts";
import { LEADS_ELSEWHERE, type OperationSuggestions } from "./operation_suggester.ts";
import type { RecordedRequests } from "./recorded_requests.ts";
import { serverOf } from "./request/server_url.ts";
import {
  SuggestError,
  type Suggestion,
  type Suggestions,
  type SuggestOptions,
  type UnreachableGap,
} from "./suggestion.ts";
import { suggesterMaker } from "./suggester_maker.ts";

/** All kinds of gaps. */
export const GAP_KINDS: readonly Gap["kind"][] = [
  "operation_uncovered",
  "parameter_uncovered",
  "keyword_uncovered",
  "example_uncovered",
  "response_uncovered",
];

/**
 * Finds requests that close gaps. Each is recorded before it is suggested, and claims what that has closed.
 *
 * @param recorded Successful requests to make others of; without them, values are those of examples and schemas.
 * @throws {SuggestError} if an operation or kind is unknown, or no URL is known to send requests to.
 */
export function suggestRequests(
  plan: CoveragePlan,
  hits: Hits,
  exclusions: Exclusions | undefined,
  options: SuggestOptions = {},
  recorded?: RecordedRequests,
): Suggestions {
  const wanted = wantedOperations(plan, options.operations);
  const kinds = wantedKinds(options.kinds);
  const server = options.server === undefined ? undefined : readServer(options.server);
  const suggesterFor = suggesterMaker(plan, recorded);
  const same = samePaths(plan.operations.map(({ model }) => model));
  const open = [...coveredOperations(plan, hits, exclusions)]
    .filter(({ excluded, plan: one }) => excluded === undefined && wanted.has(one));
  const search = (operation: CoveredOperation): OperationSuggestions => {
    const { model } = operation.plan;
    const goals = new OperationGoals(operation, kinds);
    const url = server ?? recorded?.server ?? serverOf(model, plan);
    if (url === undefined) {
      throw new SuggestError(
        "no_server",
        "The description names no server with a host: say which `server` the requests are for, such as http://localhost:3000.",
      );
    }
    const isSame = same.has(model);
    const found = goals.all.length === 0
      ? { suggestions: [], unreachable: [] }
      : isSame
      ? { suggestions: [], unreachable: goals.all.map(({ gap }) => left(gap, SAME_PATH, true)) }
      : suggesterFor(operation, goals, url).suggest();
    if (!kinds.has("response_uncovered")) return found;
    const responses = openResponses(operation, found.suggestions)
      .map((gap) => left(gap, isSame ? SAME_PATH : NOT_BY_DATA, isSame));
    return { ...found, unreachable: [...found.unreachable, ...responses] };
  };
  const found = options.limit === undefined
    ? open.map(search)
    : searchLargest(open, kinds, options.limit, search);
  const requests = found.flatMap(({ suggestions }) => suggestions);
  const unreachable = found.flatMap(({ unreachable }) => unreachable);
  if (server !== undefined && requests.length === 0 && unreachable.some(isElsewhere)) {
    throw new SuggestError(
      "invalid_server",
      `Requests to ${server} match no operation of the description. Leave out its path, or set the base path to it.`,
    );
  }
  requests.sort((one, other) => other.closes.length - one.closes.length);
  return { requests: requests.slice(0, options.limit ?? Infinity), unreachable };
}

/**
 * Searches the operations with most open first, until the others have too little open for requests among the best. The
 * results are in document order, those of the others are left out.
 */
function searchLargest(
  open: readonly CoveredOperation[],
  kinds: ReadonlySet<Gap["kind"]>,
  limit: number,
  search: (operation: CoveredOperation) => OperationSuggestions,
): OperationSuggestions[] {
  const bySize = open.map((operation, order) => ({
    operation,
    order,
    size: new OperationGoals(operation, kinds).all.length,
  })).sort((one, other) => other.size - one.size);
  const found: { readonly order: number; readonly result: OperationSuggestions }[] = [];
  let best: number[] = [];
  for (const { operation, order, size } of bySize) {
    // As many as the least of the best is enough, as the first in the document counts then.
    if (best.length >= limit && size < (best[limit - 1] ?? Infinity)) break;
    const result = search(operation);
    found.push({ order, result });
    best = [...best, ...result.suggestions.map(({ closes }) => closes.length)]
      .sort((one, other) => other - one).slice(0, limit);
  }
  return found.sort((one, other) => one.order - other.order).map(({ result }) => result);
}

/** The documented responses that were not seen, and that no suggestion expects. */
function openResponses(operation: CoveredOperation, suggestions: readonly Suggestion[]): Gap[] {
  const { method, path, responses } = operation.plan.model;
  const expected = new Set(suggestions.flatMap(({ expects }) => expects));
  return responses.flatMap(({ status_code }, index): Gap[] =>
    operation.hits?.responses[index] !== undefined || expected.has(status_code) ||
      operation.excludedResponses[index] !== undefined
      ? []
      : [{ kind: "response_uncovered", method, path, status_code }]
  );
}

function left(gap: Gap, reason: string, impossible: boolean): UnreachableGap {
  return { gap, reason, impossible };
}

/** True for what no request was found for as it would lead elsewhere. */
function isElsewhere({ reason }: UnreachableGap): boolean {
  return reason === LEADS_ELSEWHERE;
}

const SAME_PATH = "Its requests count for an earlier operation, whose path matches the same ones.";
const NOT_BY_DATA = "The description doesn't say which request leads to this status.";

function wantedOperations(
  plan: CoveragePlan,
  names: readonly string[] | undefined,
): ReadonlySet<OperationPlan> {
  if (names === undefined || names.length === 0) return new Set(plan.operations);
  const found = new Set<OperationPlan>();
  for (const name of names) {
    const meant = plan.operations.filter(({ model }) =>
      model.operationId === name ||
      nameOf(model) === name.trim().replace(/^\S+/, (method) => method.toUpperCase())
    );
    if (meant.length === 0) {
      throw new SuggestError("unknown_operation", unknownOperation(plan, name));
    }
    for (const operation of meant) found.add(operation);
  }
  return found;
}

function nameOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}

function unknownOperation(plan: CoveragePlan, name: string): string {
  const names = plan.operations.flatMap(({ model }) => [
    ...model.operationId === null ? [] : [model.operationId],
    nameOf(model),
  ]);
  const nearest = nearestName(name, names);
  const hint = nearest === undefined
    ? "Name an operation by its operationId, or as `GET /path`."
    : `Did you mean ${JSON.stringify(nearest)}?`;
  return `Unknown operation ${JSON.stringify(name)}. ${hint}`;
}

function wantedKinds(kinds: readonly Gap["kind"][] | undefined): ReadonlySet<Gap["kind"]> {
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
