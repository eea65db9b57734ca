import { type CoveredOperation, coveredOperations } from "./coverage.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import type { Hits } from "./hits.ts";
import type { Statistic, Summary } from "./results.ts";

interface Tally {
  readonly operations: { seen: number; total: number };
  readonly parameters: { seen: number; total: number };
  readonly keywords: { partial: number; full: number; total: number };
  readonly examples: { seen: number; total: number };
  readonly responses: { seen: number; total: number };
}

function emptyTally(): Tally {
  return {
    operations: { seen: 0, total: 0 },
    parameters: { seen: 0, total: 0 },
    keywords: { partial: 0, full: 0, total: 0 },
    examples: { seen: 0, total: 0 },
    responses: { seen: 0, total: 0 },
  };
}

function tallyOperation(tally: Tally, operation: CoveredOperation): void {
  tally.operations.total++;
  if (operation.hits !== undefined) tally.operations.seen++;
  for (const { plan, hits, keywords, examples } of operation.parameters) {
    tally.parameters.total++;
    const totals = plan.totals;
    tally.keywords.total += totals.keywords;
    tally.examples.total += totals.examples;
    if (hits === undefined) continue;
    tally.parameters.seen++;
    for (const { satisfiability, state } of keywords) {
      if (satisfiability === "Normal" && state !== "none") tally.keywords[state]++;
    }
    for (const example of examples) if (example.hits > 0) tally.examples.seen++;
  }
  tally.responses.total += operation.plan.model.responses.length;
  for (const response of operation.hits?.responses ?? []) {
    if (response !== undefined) tally.responses.seen++;
  }
}

/** The coverage of one operation, as the same five counts. */
export function operationStatistic(operation: CoveredOperation): Statistic {
  const tally = emptyTally();
  tallyOperation(tally, operation);
  return tally;
}

/** The counts of the five dimensions. */
export function statistic(plan: CoveragePlan, hits: Hits): Statistic {
  const tally = emptyTally();
  for (const operation of coveredOperations(plan, hits)) tallyOperation(tally, operation);
  return tally;
}

/** The sum of the counts of several operations. */
export function addStatistics(statistics: Iterable<Statistic>): Statistic {
  const sum = emptyTally();
  for (const one of statistics) {
    for (const dimension of ["operations", "parameters", "examples", "responses"] as const) {
      sum[dimension].seen += one[dimension].seen;
      sum[dimension].total += one[dimension].total;
    }
    sum.keywords.partial += one.keywords.partial;
    sum.keywords.full += one.keywords.full;
    sum.keywords.total += one.keywords.total;
  }
  return sum;
}

/** A percentage from 0 to 100, exact; null where there is nothing to measure (semantics, section 8). */
export function percentOf(covered: number, total: number): number | null {
  return total === 0 ? null : covered * 100 / total;
}

/**
 * The counts with their percentages.
 *
 * @param measured False where no recorded interaction has a response.
 * @param succeeded The number of operations with an answer of 2xx or 3xx; undefined leaves it out.
 *
 * @example
 * ```ts
 * import { summarize } from "./statistic.ts";
 * import assert from "node:assert/strict";
 *
 * const seen = { seen: 1, total: 4 };
 * const keywords = { partial: 1, full: 1, total: 4 };
 * const counts = { operations: seen, parameters: seen, keywords, examples: seen, responses: seen };
 * const summary = summarize(counts, false);
 * assert.equal(summary.operations.percent, 25);
 * assert.equal(summary.keywords.percent, 50);
 * assert.equal(summary.responses.percent, null);
 * ```
 */
export function summarize(
  statistic: Statistic,
  measured: boolean,
  succeeded?: number,
): Summary {
  const { operations, parameters, keywords, examples, responses } = statistic;
  return {
    operations: {
      ...operations,
      percent: percentOf(operations.seen, operations.total) ?? 100,
      ...(succeeded !== undefined && { succeeded: measured ? succeeded : null }),
    },
    parameters: { ...parameters, percent: percentOf(parameters.seen, parameters.total) },
    keywords: {
      ...keywords,
      percent: percentOf(keywords.partial + keywords.full, keywords.total),
    },
    examples: { ...examples, percent: percentOf(examples.seen, examples.total) },
    responses: {
      ...responses,
      percent: measured ? percentOf(responses.seen, responses.total) : null,
      measured,
    },
  };
}
