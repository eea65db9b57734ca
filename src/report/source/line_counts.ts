import type { SourceMark } from "./source_coverage.ts";

/** The counts of a line of a description. */
export interface LineCount {
  /** Counted from 1. */
  readonly line: number;
  /** The largest count on it; 0 if nothing on it was seen. */
  readonly hits: number;
  /** Branches by block: how often each was taken. */
  readonly branches: readonly (readonly number[])[];
}

/** Sums of lines. */
export interface LineTotals {
  readonly lines: number;
  readonly linesHit: number;
  readonly branches: number;
  readonly branchesTaken: number;
}

/**
 * Counts lines as tools for code coverage do. A line counts where it holds an operation, a parameter, a keyword, an
 * example or a response, and was hit where one of them was seen. A keyword is a block of two branches: it passed, and
 * it failed. On a line with several things each of the others is a block of one branch, so that none hides another.
 *
 * @param marks In the order of the text.
 *
 * @example
 * ```ts
 * import { lineCounts } from "./line_counts.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(
 *   lineCounts([{ kind: "keyword", line: 7, column: 3, hits: 5, evaluations: { valid: 5, invalid: 0 } }]),
 *   [{ line: 7, hits: 5, branches: [[5, 0]] }],
 * );
 * ```
 */
export function lineCounts(marks: readonly SourceMark[]): LineCount[] {
  const lines: LineCount[] = [];
  for (let start = 0; start < marks.length;) {
    const line = marks[start]?.line ?? 0;
    let end = start + 1;
    while (marks[end]?.line === line) end++;
    const own = marks.slice(start, end);
    lines.push({
      line,
      hits: own.reduce((most, { hits }) => Math.max(most, hits), 0),
      branches: own.flatMap(({ hits, evaluations }) =>
        evaluations !== null
          ? [[evaluations.valid, evaluations.invalid]]
          : own.length > 1
          ? [[hits]]
          : []
      ),
    });
    start = end;
  }
  return lines;
}

/** Sums lines up. */
export function lineTotals(lines: Iterable<LineCount>): LineTotals {
  const totals = { lines: 0, linesHit: 0, branches: 0, branchesTaken: 0 };
  for (const { hits, branches } of lines) {
    totals.lines++;
    if (hits > 0) totals.linesHit++;
    for (const block of branches) {
      for (const taken of block) {
        totals.branches++;
        if (taken > 0) totals.branchesTaken++;
      }
    }
  }
  return totals;
}
