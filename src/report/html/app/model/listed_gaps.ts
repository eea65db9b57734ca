import { changeOf, gapChanges } from "./changes.ts";
import type { Model, Operation } from "./model.ts";
import { type OperationGap, operationGaps } from "./operation_gaps.ts";

/**
 * The gaps of an operation that filters ask for.
 *
 * @param kinds The kinds to list; empty for all.
 * @param since What they are since the baseline, `new` or `added` or both with a dot between; empty for all.
 */
export function listedGaps(
  model: Model,
  operation: Operation,
  kinds: ReadonlySet<string>,
  since: string,
): OperationGap[] {
  const change = changeOf(model, operation);
  if (since !== "" && change.gaps.size === 0) return [];
  const sought = since.split(".");
  return operationGaps(model, operation).filter((gap) =>
    (kinds.size === 0 || kinds.has(gap.kind)) &&
    (since === "" || gapChanges(change, gap).some((state) => sought.includes(state)))
  );
}

/** The number of gaps that {@linkcode listedGaps} lists, with the two outcomes of a keyword as two. */
export function countListed(
  model: Model,
  operation: Operation,
  kinds: ReadonlySet<string>,
  since: string,
): number {
  const change = changeOf(model, operation);
  const sought = since.split(".");
  return listedGaps(model, operation, kinds, since).reduce(
    (sum, gap) => sum + gapChanges(change, gap).filter((state) => sought.includes(state)).length,
    0,
  );
}
