import { type CoveredOperation, coveredOperations, type CoveredParameter } from "./coverage.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import type { Exclusions } from "./exclusions.ts";
import type { Hits } from "./hits.ts";
import type { Statistic, Summary } from "./results.ts";
import type { ScopedTotals } from "./scope_totals.ts";

type Mutable<Value> = { -readonly [Name in keyof Value]: Mutable<Value[Name]> };
type Tally = Mutable<Statistic>;

function emptyTally(): Tally {
  return {
    operations: { seen: 0, total: 0 },
    parameters: { seen: 0, total: 0 },
    keywords: { partial: 0, full: 0, total: 0 },
    examples: { seen: 0, total: 0 },
    responses: { seen: 0, total: 0 },
  };
}

type ChooseTally = (excluded: number | undefined) => Tally;

function tallyParameter(chooseTally: ChooseTally, parameter: CoveredParameter): void {
  const parameterTally = chooseTally(parameter.excluded);
  const totals = parameter.totals();
  const add = parameter.measured ? addTotal : addUnmeasured;
  const addInner = (tally: Tally, { keywords, examples }: ScopedTotals["counted"]): void => {
    add(tally.keywords, keywords);
    add(tally.examples, examples);
  };
  add(parameterTally.parameters, 1);
  addInner(parameterTally, totals.counted);
  for (const [excluded, inner] of totals.excluded) addInner(chooseTally(excluded), inner);
  if (parameter.hits === undefined || !parameter.measured) return;
  parameterTally.parameters.seen++;
  for (const { satisfiability, state, excluded } of parameter.keywords) {
    if (satisfiability !== "Normal" || state === "none") continue;
    (excluded === undefined ? parameterTally : chooseTally(excluded)).keywords[state]++;
  }
  for (const { hits, excluded } of parameter.examples) {
    if (hits > 0) (excluded === undefined ? parameterTally : chooseTally(excluded)).examples.seen++;
  }
}

function addTotal(tally: { total: number }, count: number): void {
  tally.total += count;
}

function addUnmeasured(tally: { not_measured?: number }, count: number | undefined): void {
  if (count !== undefined && count > 0) tally.not_measured = (tally.not_measured ?? 0) + count;
}

/** Counts one operation. Excluded items are added to `excluded` instead. */
export function operationStatistic(
  operation: CoveredOperation,
  excluded: ExclusionTallies = new ExclusionTallies(),
): Statistic {
  const { hits, excludedResponses } = operation;
  const tally = emptyTally();
  const chooseTally: ChooseTally = (index) => index === undefined ? tally : excluded.tally(index);
  const { operations } = chooseTally(operation.excluded);
  operations.total++;
  if (hits !== undefined) operations.seen++;
  for (const parameter of operation.parameters) tallyParameter(chooseTally, parameter);
  operation.plan.model.responses.forEach((_, index) => {
    const { responses } = chooseTally(excludedResponses[index]);
    responses.total++;
    if (hits?.responses[index] !== undefined) responses.seen++;
  });
  return tally;
}

export class ExclusionTallies {
  readonly #tallies: Tally[] = [];

  tally(index: number): Tally {
    return this.#tallies[index] ??= emptyTally();
  }
}

export function statistic(plan: CoveragePlan, hits: Hits, exclusions?: Exclusions): Statistic {
  const operations = coveredOperations(plan, hits, exclusions);
  return addStatistics(Array.from(operations, (operation) => operationStatistic(operation)));
}

export function addStatistics(statistics: readonly Statistic[]): Statistic {
  const { operations, parameters, keywords, examples, responses } = emptyTally();
  return {
    operations: sumCounts(statistics.map((statistic) => statistic.operations), operations),
    parameters: sumCounts(statistics.map((statistic) => statistic.parameters), parameters),
    keywords: sumCounts(statistics.map((statistic) => statistic.keywords), keywords),
    examples: sumCounts(statistics.map((statistic) => statistic.examples), examples),
    responses: sumCounts(statistics.map((statistic) => statistic.responses), responses),
  };
}

/** Adds up counts: the members of `zero`, and `not_measured`. */
export function sumCounts<Count extends object>(
  counts: Iterable<Readonly<Count>>,
  zero: Readonly<Count>,
): Count {
  const sum = { ...zero } as Record<string, number>;
  const names = new Set([...Object.keys(zero), "not_measured"]);
  for (const counted of counts as Iterable<Readonly<Record<string, number | undefined>>>) {
    for (const name of names) {
      const count = counted[name];
      if (count !== undefined) sum[name] = (sum[name] ?? 0) + count;
    }
  }
  return sum as Count;
}

/** Returns an exact percentage from 0 to 100; null if there is nothing to measure (semantics, section 8). */
export function percentage(covered: number, total: number): number | null {
  return total === 0 ? null : covered * 100 / total;
}

/** Adds percentages to the counts; `succeeded` is absent if unknown. */
export function summarize(
  statistic: Statistic,
  measured: boolean,
  succeeded?: number,
  hasPaths = false,
): Summary {
  const { operations, parameters, keywords, examples, responses } = statistic;
  return {
    operations: {
      ...operations,
      percent: percentage(operations.seen, operations.total) ?? (hasPaths ? null : 100),
      ...(succeeded !== undefined && { succeeded: measured ? succeeded : null }),
    },
    parameters: { ...parameters, percent: percentage(parameters.seen, parameters.total) },
    keywords: {
      ...keywords,
      percent: percentage(keywords.partial + keywords.full, keywords.total),
    },
    examples: { ...examples, percent: percentage(examples.seen, examples.total) },
    responses: {
      ...responses,
      percent: measured ? percentage(responses.seen, responses.total) : null,
      measured,
    },
  };
}
