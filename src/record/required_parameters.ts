import type { OperationPlan } from "../map/coverage_plan.ts";
import { requiredPointer } from "../map/parameter_plan.ts";
import type { MissingParameter } from "./request_verdict.ts";
import type { Target } from "./target.ts";

/** A parameter that requests have to carry, with what records it; all media types of a body are one. */
export interface RequiredParameter extends MissingParameter {
  readonly targets: readonly Target[];
  /** True for bodies and their form fields. */
  readonly isBody: boolean;
}

/** The required parameters of an operation; not those of its path, without which a request is for another path. */
export function requiredParameters(
  operation: OperationPlan,
  targets: readonly Target[],
): RequiredParameter[] {
  const found = new Map<
    string,
    RequiredParameter & { readonly targets: Target[]; readonly parameters: number[] }
  >();
  for (const target of targets) {
    const model = operation.parameters[target.index]?.model;
    if (model === undefined || !model.required || model.location === "path") continue;
    const path = requiredPointer(model);
    let required = found.get(path);
    if (required === undefined) {
      const isBody = model.location === "body" || model.location === "form_data";
      found.set(path, required = { path, targets: [], parameters: [], isBody });
    }
    required.targets.push(target);
    required.parameters.push(target.index);
  }
  return [...found.values()];
}
