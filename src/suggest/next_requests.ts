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

/** The effort that a report has for requests, in the unit of {@linkcode OperationSuggester.effort}. */
interface Budget {
  /** For requests with everything in them, of the operations with most gaps. */
  readonly whole: number;
  /** The most of it for one operation. */
  readonly wholeOfOne: number;
  /** For requests that close what these leave open. */
  readonly parts: number;
  /** Operations with more gaps get neither: trying a request takes as long as its schemas are large. */
  readonly mostGaps: number;
  /** So many goals count as one try: the schemas behind them are compiled for the first time. */
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

/** Operations that were never called beyond so many have no plain request. */
const MOST_PLAIN = 400;
/** The effort for all plain requests, and the most of it for one. */
const FOR_PLAIN = { all: 800, one: 10 };

/** Classes of values are no part of what reports count as gaps. */
const ALL_KINDS = new Set(DIMENSION_KINDS);
/** What a plain request is for: its keywords would have to be listed first, which takes longer than trying it. */
const PLAIN_KINDS = new Set<Gap["kind"]>(["operation_uncovered", "parameter_uncovered"]);

/**
 * Finds requests that close gaps with a bounded effort, for reports: of the operations with most gaps those that close
 * most, then those for the rest, and of each other operation that was never called the least valid one. Each was
 * recorded before, as those of `suggestRequests()`.
 *
 * @param gapsOf The number of gaps that requests could close, by the index of the operation.
 */
export function nextRequests(
  plan: CoveragePlan,
  hits: Hits,
  exclusions: Exclusions | undefined,
  gapsOf: readonly number[],
  recorded?: RecordedRequests,
): NextRequests {
  const suggesterFor = suggesterMaker(plan, recorded);
  hits.coveredBy.settle();
  const covered = (operation: OperationPlan) => coveredOperation(operation, hits, exclusions);
  const open = plan.operations
    .filter((operation) =>
      (gapsOf[operation.index] ?? 0) > 0 &&
      exclusions?.operation(operation).operation === undefined
    )
    .sort((one, other) => (gapsOf[other.index] ?? 0) - (gapsOf[one.index] ?? 0));
  // The first server of a description is often the one of production: nobody asked for requests to that.
  const known = recorded?.server;
  const start = (operation: CoveredOperation, goals: OperationGoals): OperationSuggester =>
    suggesterFor(operation, goals, known ?? noServer(operation.plan.model, plan));

  const budget = open.length <= FEW_OPERATIONS ? FOR_FEW : FOR_MANY;
  const searched: OperationSuggester[] = [];
  const others: OperationPlan[] = [];
  let effort = 0;
  for (const operation of open) {
    if (effort >= budget.whole || (gapsOf[operation.index] ?? 0) > budget.mostGaps) {
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

/** Those whose best request closes most first. */
function byClosed(searched: readonly OperationSuggester[]): readonly OperationSuggester[] {
  return searched
    .map((suggester) => ({ suggester, most: suggester.chosen()[0]?.closes.length ?? 0 }))
    .sort((one, other) => other.most - one.most)
    .map(({ suggester }) => suggester);
}
