import type { Gap } from "../../map/results.ts";

/** A gap in a list, with the number of further gaps that follow from it. */
export interface ListedGap {
  readonly gap: Gap;
  /** The number of gaps that follow from it: of an operation that was never called, all of its others. */
  readonly others: number;
}

/** The first gaps of a list, for people. */
export interface GapList {
  readonly shown: readonly ListedGap[];
  /** The number of gaps that are left out. */
  readonly rest: number;
}

/**
 * The first gaps for a list that people read. An operation that was never called is listed once, with the number of its
 * other gaps.
 *
 * @param most How many entries the list has at most.
 *
 * @example
 * ```ts
 * import { listGaps } from "./list_gaps.ts";
 * import assert from "node:assert/strict";
 *
 * const of = { method: "GET", path: "/users" };
 * const { shown, rest } = listGaps([
 *   { kind: "operation_uncovered", ...of },
 *   { kind: "response_uncovered", ...of, status_code: "200" },
 * ], 10);
 * assert.deepEqual(shown, [{ gap: { kind: "operation_uncovered", ...of }, others: 1 }]);
 * assert.equal(rest, 0);
 * ```
 */
export function listGaps(gaps: readonly Gap[], most: number): GapList {
  const others = new Map<string, number>();
  for (const gap of gaps) {
    if (gap.kind === "operation_uncovered") others.set(operationOf(gap), 0);
  }
  const listed: Gap[] = [];
  for (const gap of gaps) {
    const operation = operationOf(gap);
    const number = others.get(operation);
    if (number === undefined || gap.kind === "operation_uncovered") listed.push(gap);
    else others.set(operation, number + 1);
  }
  const numberOf = (gap: Gap): number =>
    gap.kind === "operation_uncovered" ? others.get(operationOf(gap)) ?? 0 : 0;
  const shown = listed.slice(0, most).map((gap) => ({ gap, others: numberOf(gap) }));
  const rest = listed.slice(most).reduce((sum, gap) => sum + 1 + numberOf(gap), 0);
  return { shown, rest };
}

function operationOf({ method, path }: Gap): string {
  return `${method} ${path}`;
}
