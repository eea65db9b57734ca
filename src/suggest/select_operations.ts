import type { CoveragePlan, OperationPlan } from "../map/coverage_plan.ts";
import { nearestName } from "../values/nearest_name.ts";
import { operationName } from "../values/operation_name.ts";
import { SuggestError } from "./suggestion.ts";

/**
 * Finds operations by name: an operationId, or method and path. Without names, returns all operations.
 *
 * @throws {SuggestError} if an operation is unknown.
 */
export function selectOperations(
  plan: CoveragePlan,
  names: readonly string[] | undefined,
): ReadonlySet<OperationPlan> {
  if (names === undefined || names.length === 0) return new Set(plan.operations);
  const selected = new Set<OperationPlan>();
  for (const name of names) {
    const given = name.trim();
    // Methods of `additionalOperations` may have lower-case letters.
    const names = [given, given.replace(/^\S+/, (method) => method.toUpperCase())];
    const matches = plan.operations.filter(({ model }) =>
      model.operationId === name || names.includes(operationName(model))
    );
    if (matches.length === 0) {
      throw new SuggestError("unknown_operation", unknownOperation(plan, name));
    }
    for (const operation of matches) selected.add(operation);
  }
  return selected;
}

function unknownOperation(plan: CoveragePlan, name: string): string {
  const names = plan.operations.flatMap(({ model }) => [
    ...model.operationId === null ? [] : [model.operationId],
    operationName(model),
  ]);
  const nearest = nearestName(name, names);
  const hint = nearest === undefined
    ? "Name an operation by its operationId, or as `GET /path`."
    : `Did you mean ${JSON.stringify(nearest)}?`;
  return `Unknown operation ${JSON.stringify(name)}. ${hint}`;
}
