import { type CoveredOperation, coveredOperation } from "../map/coverage.ts";
import type { CoveragePlan, OperationPlan } from "../map/coverage_plan.ts";
import type { Exclusions } from "../map/exclusions.ts";
import type { Hits } from "../map/hits.ts";
import { DIMENSION_KINDS, type Gap } from "../map/results.ts";
import { OperationGoals } from "./goals.ts";
import type { OperationSuggester } from "./operation_suggester.ts";
import type { RecordedRequests } from "./recorded_requests.ts";
import { dummyServer, suggesterMaker, withPlaceholder } from "./suggester_maker.ts";
import { interleaveRequests, type NextRequests } from "./suggestion.ts";

/** Limits of the search for a report, as effort in the unit of {@linkcode OperationSuggester.effort}. */
interface Budget {
  /** For requests with all parameters, of the operations with most gaps. */
  readonly allParameters: number;
  readonly allParametersPerOperation: number;
  /** For requests that close the gaps left by those of `allParameters`. */
  readonly singleParameters: number;
  /** Operations with more gaps get neither: their schemas are large, so that each request takes long to try. */
  readonly maxGaps: number;
  /** The number of goals that count as one unit of effort, since the schemas behind them have to be compiled first. */
  readonly goalsPerEffort: number;
}

const FEW_OPERATIONS = 100;
const BUDGET_FOR_FEW: Budget = {
  allParameters: 60,
  allParametersPerOperation: Infinity,
  singleParameters: 100,
  maxGaps: 500,
  goalsPerEffort: Infinity,
};
const BUDGET_FOR_MANY: Budget = {
  allParameters: 40,
  allParametersPerOperation: 6,
  singleParameters: 10,
  maxGaps: 100,
  goalsPerEffort: 20,
};

/** The most operations that get a plain request because they were never called. */
const MAX_MINIMAL_REQUESTS = 400;
/** The effort for all plain requests, and for each of them. */
const MINIMAL_EFFORT = { all: 800, one: 10 };

/** Without classes of values, which reports don't count as gaps. */
const ALL_KINDS = new Set(DIMENSION_KINDS);
/** The goals of a plain request; listing the goals of its keywords would take longer than trying it. */
const MINIMAL_KINDS = new Set<Gap["kind"]>(["operation_uncovered", "parameter_uncovered"]);

/**
 * Finds requests that close gaps with a bounded effort, for reports: for operations with most gaps first requests that
 * close most, then requests for the rest; for other operations that were never called, a minimal valid request. Each
 * request is recorded before it is suggested, as in `suggestRequests()`.
 *
 * @param gapCounts The number of gaps that requests could close, by the index of the operation.
 */
export function nextRequests(
  plan: CoveragePlan,
  hits: Hits,
  exclusions: Exclusions | undefined,
  gapCounts: readonly number[],
  recorded?: RecordedRequests,
): NextRequests {
  const suggesterFor = suggesterMaker(plan, recorded);
  hits.coveredBy.attributeCounts();
  const covered = (operation: OperationPlan) => coveredOperation(operation, hits, exclusions);
  const open = plan.operations
    .filter((operation) =>
      (gapCounts[operation.index] ?? 0) > 0 &&
      exclusions?.operation(operation).operation === undefined
    )
    .sort((one, other) => (gapCounts[other.index] ?? 0) - (gapCounts[one.index] ?? 0));
  // The first server of a description is often the production server, to which no request must go unasked.
  const server = recorded?.server;
  const prepare = (operation: CoveredOperation, goals: OperationGoals): OperationSuggester =>
    suggesterFor(operation, goals, server ?? dummyServer(operation.plan.model, plan));

  const budget = open.length <= FEW_OPERATIONS ? BUDGET_FOR_FEW : BUDGET_FOR_MANY;
  const suggesters: OperationSuggester[] = [];
  const unsearched: OperationPlan[] = [];
  let effort = 0;
  for (const operation of open) {
    if (effort >= budget.allParameters || (gapCounts[operation.index] ?? 0) > budget.maxGaps) {
      unsearched.push(operation);
      continue;
    }
    const searchedOne = covered(operation);
    const goals = new OperationGoals(searchedOne, ALL_KINDS, plan.gapIds);
    if (goals.all.length === 0) continue;
    const suggester = prepare(searchedOne, goals);
    suggester.tryAllParameters(budget.allParametersPerOperation);
    effort += suggester.effort + goals.all.length / budget.goalsPerEffort;
    suggesters.push(suggester);
  }
  let complete = unsearched.length === 0;
  let effortLeft = budget.singleParameters;
  for (const suggester of sortByClosed(suggesters)) {
    if (effortLeft <= 0) {
      complete = false;
      break;
    }
    const before = suggester.effort;
    suggester.trySingleParameters(effortLeft);
    effortLeft -= suggester.effort - before;
  }
  let minimalEffortLeft = MINIMAL_EFFORT.all;
  const uncalled = unsearched.filter(({ index }) => hits.operations[index] === undefined);
  for (const operation of uncalled.slice(0, MAX_MINIMAL_REQUESTS).map(covered)) {
    if (minimalEffortLeft <= 0) break;
    const suggester = prepare(operation, new OperationGoals(operation, MINIMAL_KINDS, plan.gapIds));
    suggester.tryMinimal(MINIMAL_EFFORT.one);
    minimalEffortLeft -= suggester.effort;
    suggesters.push(suggester);
  }
  const requests = suggesters.map((suggester) =>
    server === undefined ? suggester.choose().map(withPlaceholder) : suggester.choose()
  );
  return { requests: interleaveRequests(requests), complete };
}

/** Sorts by the number of gaps that the best request closes, largest first. */
function sortByClosed(suggesters: readonly OperationSuggester[]): readonly OperationSuggester[] {
  return suggesters
    .map((suggester) => ({ suggester, most: suggester.choose()[0]?.closes.length ?? 0 }))
    .sort((one, other) => other.most - one.most)
    .map(({ suggester }) => suggester);
}
