import type { Model, Operation } from "./model.ts";
import { gapWeight, type OperationGap, operationGaps } from "./operation_gaps.ts";
import { parseSpot, type SpotKind } from "./spot.ts";

/** A gap on the walk through all gaps. */
export interface GapStop {
  readonly operation: Operation;
  readonly gap: OperationGap;
  /** Its number among all gaps, counted from 1. */
  readonly first: number;
  /** The same; more for a parameter that was never sent, whose keywords and examples are gaps too. */
  readonly last: number;
}

/** In which order the kinds come in the view of an operation, and within a parameter. */
const ORDER: Readonly<Record<SpotKind, readonly [number, number]>> = {
  operation: [0, 0],
  request: [0, 1],
  parameter: [1, 0],
  keyword: [1, 1],
  example: [1, 2],
  response: [2, 0],
  line: [3, 0],
};

function rank(at: string | null): readonly number[] {
  const spot = parseSpot(at);
  if (spot === null) return [-1];
  const [outer, inner] = ORDER[spot.kind];
  return [outer, spot.index, inner, spot.row];
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? -1) - (right[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

const ALL: ReadonlySet<string> = new Set();

function weight(gap: OperationGap): number {
  return gapWeight(gap, ALL);
}

function stop(
  model: Model,
  operation: Operation,
  gaps: OperationGap[],
  at: number,
): GapStop | null {
  const gap = gaps[at];
  if (gap === undefined) return null;
  let before = 0;
  for (const other of model.operations.slice(0, operation.index)) before += other.gaps.total;
  for (const other of gaps.slice(0, at)) before += weight(other);
  return { operation, gap, first: before + 1, last: before + weight(gap) };
}

/** The gap that an address names; null where it names none. */
export function gapAt(model: Model, operation: Operation, at: string | null): GapStop | null {
  const gaps = operationGaps(model, operation);
  return stop(model, operation, gaps, gaps.findIndex((gap) => gap.at === at));
}

/**
 * The gap after or before a place, through all operations in their order.
 *
 * @param operation Where one is; null outside of any, from where the way begins at its end.
 * @param at The place within it; null for its beginning.
 * @returns null after the last and before the first.
 */
export function nextGap(
  model: Model,
  operation: Operation | null,
  at: string | null,
  direction: 1 | -1,
): GapStop | null {
  if (operation !== null && operation.gaps.total > 0) {
    const gaps = operationGaps(model, operation);
    const here = rank(at);
    const index = direction === 1
      ? gaps.findIndex((gap) => compare(rank(gap.at), here) > 0)
      : gaps.findLastIndex((gap) => compare(rank(gap.at), here) < 0);
    const found = stop(model, operation, gaps, index);
    if (found !== null) return found;
  }
  const outside = direction === 1 ? 0 : model.operations.length - 1;
  let index = operation === null ? outside : operation.index + direction;
  for (let other = model.operations[index]; other !== undefined;) {
    if (other.gaps.total > 0) {
      const gaps = operationGaps(model, other);
      return stop(model, other, gaps, direction === 1 ? 0 : gaps.length - 1);
    }
    index += direction;
    other = model.operations[index];
  }
  return null;
}
