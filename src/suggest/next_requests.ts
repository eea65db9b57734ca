import { type CoveredOperation, coveredOperation } from "../map/coverage.ts";
import type { CoveragePlan, OperationPlan } from "../map/coverage_plan.ts";
import type { Exclusions } from "../map/exclusions.ts";
import type { Hits } from "../map/hits.ts";
import { DIMENSION_KINDS, type Gap } from "../map/results.ts";
import { OperationGoals } from "./goals.ts";
import type { OperationSuggester } from "./operation_suggester.ts";
import type { RecordedRequests } from "./recorded_requests.ts";
import { noServer, suggesterMaker, withPlaceholder } from "./suggester_maker.ts";
import { type NextRequests, takeTurns } from "./suggestion.ts";

/** Limits of the search for a report, as effort in the unit of {@linkcode OperationSuggester.effort}. */
interface Budget {
  /** For requests with all parameters, of the operations with most gaps. */
  readonly whole: number;
  /** The part of `whole` that one operation may use. */
  readonly wholeOfOne: number;
  /** For requests that close the gaps left by those of `whole`. */
  readonly parts: number;
  /** Operations with more gaps get neither: their schemas are large, so that each request takes long to try. */
  readonly mostGaps: number;
  /** The number of goals that count as one unit of effort, since the schemas behind them have to be compiled first. */
  readonly goalsOfOne: number;
}

const FEW_OPERATIONS = 100;
const FOR_FEW: Budget = {
  whole: 60,
  wholeOfOne: Infinity,
  parts: 100,
  mostGaps: 500,
  goalsOfOne: Infinity,
};
const FOR_MANY: Budget = { whole: 40, wholeOfOne: 6, parts: 10, mostGaps: 100, goalsOfOne: 20 };

/** The most operations that get a plain request because they were never called. */
const MOST_PLAIN = 400;
/** The effort for all plain requests, and for each of them. */
const FOR_PLAIN = { all: 800, one: 10 };

/** Without classes of values, which reports don't count as gaps. */
const ALL_KINDS = new Set(DIMENSION_KINDS);
/** The goals of a plain request; listing the goals of its keywords would take longer than trying it. */
const PLAIN_KINDS = new Set<Gap["kind"]>(["operation_uncovered", "parameter_uncovered"]);

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
  hits.coveredBy.settle();
  const covered = (operation: OperationPlan) => coveredOperation(operation, hits, exclusions);
  const open = plan.operations
    .filter((operation) =>
      (gapCounts[operation.index] ?? 0) > 0 &&
      exclusions?.operation(operation).operation === undefined
    )
    .sort((one, other) => (gapCounts[other.index] ?? 0) - (gapCounts[one.index] ?? 0));
  // The first server of a description is often the production server, to which no request must go unasked.
  const known = recorded?.server;
  const start = (operation: CoveredOperation, goals: OperationGoals): OperationSuggester =>
    suggesterFor(operation, goals, known ?? noServer(operation.plan.model, plan));

  const budget = open.length <= FEW_OPERATIONS ? FOR_FEW : FOR_MANY;
  const searched: OperationSuggester[] = [];
  const others: OperationPlan[] = [];
  let effort = 0;
  for (const operation of open) {
    if (effort >= budget.whole || (gapCounts[operation.index] ?? 0) > budget.mostGaps) {
      others.push(operation);
      continue;
    }
    const searchedOne = covered(operation);
    const goals = new OperationGoals(searchedOne, ALL_KINDS, plan.gapIds);
    if (goals.all.length === 0) continue;
    const one = start(searchedOne, goals);
    one.tryWhole(budget.wholeOfOne);
    effort += one.effort + goals.all.length / budget.goalsOfOne;
    searched.push(one);
  }
  let complete = others.length === 0;
  let left = budget.parts;
  for (const suggester of byClosed(searched)) {
    if (left <= 0) {
      complete = false;
      break;
    }
    const before = suggester.effort;
    suggester.tryParts(left);
    left -= suggester.effort - before;
  }
  let plain = FOR_PLAIN.all;
  const uncalled = others.filter(({ index }) => hits.operations[index] === undefined);
  for (const operation of uncalled.slice(0, MOST_PLAIN).map(covered)) {
    if (plain <= 0) break;
    const one = start(operation, new OperationGoals(operation, PLAIN_KINDS, plan.gapIds));
    one.tryPlain(FOR_PLAIN.one);
    plain -= one.effort;
    searched.push(one);
  }
  const requests = searched.map((suggester) =>
    known === undefined ? suggester.chosen().map(withPlaceholder) : suggester.chosen()
  );
  return { requests: takeTurns(requests), complete };
}

/** Sorts by the number of gaps that the best request closes, largest first. */
function byClosed(searched: readonly OperationSuggester[]): readonly OperationSuggester[] {
  return searched
    .map((suggester) => ({ suggester, most: suggester.chosen()[0]?.closes.length ?? 0 }))
    .sort((one, other) => other.most - one.most)
    .map(({ suggester }) => suggester);
}
