import { type CoveredBy, parameterTests } from "../map/covered_by.ts";
import type { OperationPlan } from "../map/coverage_plan.ts";
import { Hits } from "../map/hits.ts";
import type { OperationHits } from "../map/operation_hits.ts";
import { gapCounts } from "../report/gap_counts.ts";
import type { Report } from "../report/report.ts";
import { findGaps } from "../suggest/find_gaps.ts";
import { nextRequests } from "../suggest/next_requests.ts";
import { RecordedRequests } from "../suggest/recorded_requests.ts";
import { suggestRequests } from "../suggest/suggest_requests.ts";
import type {
  NextRequests,
  Suggestion,
  Suggestions,
  SuggestOptions,
} from "../suggest/suggestion.ts";
import { readTestName } from "../suggest/formats/request_title.ts";
import { operationName } from "../values/operation_name.ts";
import type { MeasuredApi } from "./measured_api.ts";

/** Points for a test that covered the other state of a keyword, that sent the parameter, and that received success. */
const OTHER_STATE = 3;
const SAME_PARAMETER = 1;
const SUCCEEDED = 2;

export function keepRequests(api: MeasuredApi, kept: true | "newest"): void {
  api.keepRequests(new RecordedRequests(api.plan, kept === true ? "smallest" : kept));
}

/** @throws {SuggestError} like `CoverageMap.suggestRequests()`. */
export function suggestFor(api: MeasuredApi, options: SuggestOptions): Suggestions {
  const hits = options.repeat === true ? new Hits() : api.hits;
  const found = suggestRequests(api.plan, hits, api.exclusions, options, api.requests);
  return { ...found, requests: withClosestTests(api, found.requests) };
}

/** Returns the operations of the gaps with these ids (default: all operations). */
export function findOperations(
  { plan, hits }: MeasuredApi,
  ids?: readonly string[],
): readonly OperationPlan["model"][] {
  const withGaps = ids && new Set(findGaps(plan, ids, hits).map(({ operation }) => operation));
  return plan.operations.filter((one) => withGaps?.has(one) !== false).map(({ model }) => model);
}

export function nextRequestsFor(api: MeasuredApi, report: Report): NextRequests {
  const gapsByOperation = report.operations.map(({ summary }) => {
    const { total, response } = gapCounts(summary, report.traffic);
    return total - response;
  });
  const found = nextRequests(api.plan, api.hits, api.exclusions, gapsByOperation, api.requests);
  return { ...found, requests: withClosestTests(api, found.requests) };
}

function withClosestTests(
  { hits, plan }: Pick<MeasuredApi, "hits" | "plan">,
  suggestions: readonly Suggestion[],
): readonly Suggestion[] {
  const { coveredBy } = hits;
  if (!coveredBy.isUsed) return suggestions;
  coveredBy.attributeCounts();
  const plans = new Map(plan.operations.map((one) => [operationName(one.model), one]));
  const calls = countCalls(hits);
  return suggestions.map((suggestion) => {
    const { request: { method }, path } = suggestion;
    const operation = plans.get(operationName({ method, path }));
    const operationHits = operation && hits.operations[operation.index];
    const tests = coveredBy.testsAt(operationHits?.at);
    if (operation === undefined || operationHits === undefined || tests === undefined) {
      return suggestion;
    }
    const scores = scoreTests(suggestion, operation, operationHits, coveredBy);
    const name = (test: number) => coveredBy.names[test] ?? "";
    const [closest] = tests.toSorted((one, other) =>
      (scores.get(other) ?? 0) - (scores.get(one) ?? 0) ||
      (calls.get(one) ?? 0) - (calls.get(other) ?? 0) ||
      (name(one) < name(other) ? -1 : 1)
    );
    return closest === undefined
      ? suggestion
      : { ...suggestion, closest_test: readTestName(name(closest)) };
  });
}

/** Counts the operations that each test calls. A test that calls few operations is specific to them. */
function countCalls({ operations, coveredBy }: Hits): ReadonlyMap<number, number> {
  const calls = new Map<number, number>();
  for (const operation of operations) {
    for (const test of coveredBy.testsAt(operation?.at) ?? []) {
      calls.set(test, (calls.get(test) ?? 0) + 1);
    }
  }
  return calls;
}

function scoreTests(
  { closes }: Suggestion,
  { model, parameters }: OperationPlan,
  hits: OperationHits,
  coveredBy: CoveredBy,
): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  const add = (list: Iterable<number> | undefined, points: number) => {
    for (const test of list ?? []) scores.set(test, (scores.get(test) ?? 0) + points);
  };
  model.responses.forEach(({ status_code }, index) => {
    if (status_code.startsWith("2")) add(coveredBy.testsAt(hits.responses[index]?.at), SUCCEEDED);
  });
  parameters.forEach((plan, index) => {
    const { location, name } = plan.model;
    const parameterHits = hits.parameters[index];
    const gaps = closes.filter((gap) =>
      "parameter" in gap && gap.location === location && gap.parameter === name
    );
    if (parameterHits === undefined || gaps.length === 0) return;
    add(coveredBy.testsAt(parameterHits.at), SAME_PARAMETER);
    const { keywords } = parameterTests(plan, parameterHits, coveredBy);
    for (const gap of gaps) {
      const tests = gap.kind === "keyword_uncovered" ? keywords.get(gap.schema_path) : undefined;
      if (tests !== undefined) add(new Set([...tests.valid, ...tests.invalid]), OTHER_STATE);
    }
  });
  return scores;
}
