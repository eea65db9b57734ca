import type { OperationModel } from "../openapi/model.ts";
import { parsePathTemplate } from "./path_template.ts";

/**
 * The operations that no request can tell from an earlier one, with that: their paths differ in the names of templates
 * only.
 */
export function samePaths<Operation extends Pick<OperationModel, "method" | "path">>(
  operations: readonly Operation[],
): ReadonlyMap<Operation, Operation> {
  const found = new Map<Operation, Operation>();
  const firsts = new Map<string, Operation>();
  for (const operation of operations) {
    const { method, path } = operation;
    const template = parsePathTemplate(path);
    const key = JSON.stringify([method, template?.segments, template?.trailingSlash]);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, operation);
    else found.set(operation, first);
  }
  return found;
}
