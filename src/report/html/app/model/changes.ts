import type { Gap } from "../../../../map/results.ts";
import type { Comparison } from "../../../comparison/comparison.ts";
import { getOrAdd } from "../../../../values/collections.ts";
import { operationName } from "../../../../values/operation_name.ts";

/** The state of a gap since the baseline: covered there, or about something that the baseline doesn't have. */
export type GapChange = "new" | "added";

/** What became of an operation since the baseline. */
export interface OperationChange {
  isAdded: boolean;
  fresh: number;
  additions: number;
  /** The states of these gaps, by id: a keyword that never passed and never failed has two. */
  readonly gaps: Map<string, GapChange>;
}

export function unchanged(): OperationChange {
  return { isAdded: false, fresh: 0, additions: 0, gaps: new Map() };
}

/** The changes of the operations that have any, by their names. */
export function readChanges(
  { new_gaps, uncovered_additions, added }: Comparison,
): ReadonlyMap<string, OperationChange> {
  const changes = new Map<string, OperationChange>();
  const changeOf = (thing: Gap | Comparison["added"][number]) =>
    getOrAdd(changes, operationName(thing), unchanged);
  for (const part of added) if (part.kind === "operation") changeOf(part).isAdded = true;
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

/** The states of the outcomes of a gap that changed since the baseline. */
export function gapChanges(
  { gaps }: OperationChange,
  { ids }: { readonly ids: readonly string[] },
): readonly GapChange[] {
  return ids.flatMap((id) => gaps.get(id) ?? []);
}

/** True if an operation has a change that the filter names: `new`, `added`, or both with a dot between. */
export function isChanged({ isAdded, fresh, additions }: OperationChange, since: string): boolean {
  if (since === "") return true;
  const kinds = since.split(".");
  return kinds.includes("new") && fresh > 0 ||
    kinds.includes("added") && (isAdded || additions > 0);
}
