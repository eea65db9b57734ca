import type { Gap } from "../../../../map/results.ts";
import type { Comparison } from "../../../comparison/comparison.ts";
import type { Model, Operation } from "./model.ts";
import type { OperationGap } from "./gaps.ts";
import { getOrAdd } from "../../../../values/collections.ts";
import { operationName } from "../../../../values/operation_name.ts";

/** The state of a gap since the baseline: covered there, or about something that the baseline doesn't have. */
export type GapChange = "new" | "added";

export interface OperationChange {
  readonly isAdded: boolean;
  readonly fresh: number;
  readonly additions: number;
  /** The states of these gaps, by id: a keyword that never passed and never failed has two. */
  readonly gaps: ReadonlyMap<string, GapChange>;
}

const NONE: OperationChange = { isAdded: false, fresh: 0, additions: 0, gaps: new Map() };

const known = new WeakMap<Comparison, ReadonlyMap<string, OperationChange>>();

export function operationChange({ data }: Model, operation: Operation): OperationChange {
  const { comparison } = data;
  if (comparison === undefined) return NONE;
  const changes = getOrAdd(known, comparison, () => readChanges(comparison));
  return changes.get(operationName(operation.data)) ?? NONE;
}

/** The state of a gap since the baseline, or of one of its outcomes; null if it was a gap before. */
export function gapChange(change: OperationChange, gap: OperationGap): GapChange | null {
  return gapChanges(change, gap)[0] ?? null;
}

/** The states of the outcomes of a gap that changed since the baseline. */
export function gapChanges({ gaps }: OperationChange, { ids }: OperationGap): readonly GapChange[] {
  return ids.flatMap((id) => gaps.get(id) ?? []);
}

/** True if an operation has a change that the filter names: `new`, `added`, or both with a dot between. */
export function isChanged({ isAdded, fresh, additions }: OperationChange, since: string): boolean {
  if (since === "") return true;
  const kinds = since.split(".");
  return kinds.includes("new") && fresh > 0 ||
    kinds.includes("added") && (isAdded || additions > 0);
}

function readChanges(comparison: Comparison): ReadonlyMap<string, OperationChange> {
  const { new_gaps, uncovered_additions, added } = comparison;
  const changes = new Map<string, {
    isAdded: boolean;
    fresh: number;
    additions: number;
    gaps: Map<string, GapChange>;
  }>();
  const changeOf = (thing: Gap | Comparison["added"][number]) =>
    getOrAdd(changes, operationName(thing), () => ({
      isAdded: false,
      fresh: 0,
      additions: 0,
      gaps: new Map(),
    }));
  for (const part of added) {
    const change = changeOf(part);
    if (part.kind === "operation") change.isAdded = true;
  }
  for (const gap of new_gaps) {
    const change = changeOf(gap);
    change.fresh++;
    change.gaps.set(gap.id ?? "", "new");
  }
  for (const gap of uncovered_additions) {
    const change = changeOf(gap);
    change.additions++;
    change.gaps.set(gap.id ?? "", "added");
  }
  return changes;
}
