import { changeOf, gapChanges } from "./changes.ts";
import type { Model, Operation } from "./model.ts";
import type { Search } from "./search.ts";
import { gapWeight, type OperationGap, operationGaps } from "./operation_gaps.ts";

/**
 * The gaps of an operation that filters ask for.
 *
 * @param kinds The kinds to list; empty for all.
 * @param since What they are since the baseline, `new` or `added` or both with a dot between; empty for all.
 * @param search What they are about (default: anything).
 */
export function listedGaps(
  model: Model,
  operation: Operation,
  kinds: ReadonlySet<string>,
  since: string,
  search?: Search,
): OperationGap[] {
  const change = changeOf(model, operation);
  if (since !== "" && change.gaps.size === 0) return [];
  const sought = since.split(".");
  return operationGaps(model, operation).filter((gap) =>
    gapWeight(gap, kinds) > 0 &&
    (search?.gap(operation, gap) ?? true) &&
    (since === "" || gapChanges(change, gap).some((state) => sought.includes(state)))
  );
}

/**
 * The number of gaps that {@linkcode listedGaps} lists. Since a baseline it is that of the comparison, which has the two
 * outcomes of a keyword as two.
 */
export function countListed(
  model: Model,
  operation: Operation,
  kinds: ReadonlySet<string>,
  since: string,
  search?: Search,
): number {
  const list = listedGaps(model, operation, kinds, since, search);
  if (since === "") return list.reduce((sum, gap) => sum + gapWeight(gap, kinds), 0);
  const change = changeOf(model, operation);
  const sought = since.split(".");
  return list.reduce(
    (sum, gap) => sum + gapChanges(change, gap).filter((state) => sought.includes(state)).length,
    0,
  );
}
