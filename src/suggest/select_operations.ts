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
    const matches = plan.operations.filter(({ model }) =>
      model.operationId === name || upperMethod(operationName(model)) === upperMethod(name)
    );
    if (matches.length === 0) {
      throw new SuggestError("unknown_operation", unknownOperation(plan, name));
    }
    for (const operation of matches) selected.add(operation);
  }
  return selected;
}

/** Returns a name with its method in upper case, as that of an operation in `additionalOperations` needn't be. */
function upperMethod(name: string): string {
  return name.trim().replace(/^\S+/, (method) => method.toUpperCase());
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
