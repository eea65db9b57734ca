import type { ReportOperation, ReportParameter } from "../report.ts";
import { pairUpInTurn } from "./pair_up.ts";

const VARIABLE = /\{([^{}]*)\}/g;

/**
 * Finds operations in an earlier report: by method and path, whatever the variables of the path are called.
 *
 * @returns pairs of operations: of the later report, and of the earlier one.
 */
export function matchOperations(
  later: readonly ReportOperation[],
  earlier: readonly ReportOperation[],
): ReadonlyMap<ReportOperation, ReportOperation> {
  const exact = ({ method, path }: ReportOperation) => `${method} ${path}`;
  const unnamed = ({ method, path }: ReportOperation) =>
    `${method} ${path.replace(VARIABLE, "{}")}`;
  return pairUpInTurn(later, earlier, [[exact, exact], [unnamed, unnamed]]);
}

/**
 * Pairs the parameters of an operation with those of an earlier report: by location and name, and in the path by their
 * order.
 *
 * @returns pairs of parameters: of the later report, and of the earlier one.
 */
export function matchParameters(
  later: ReportOperation,
  earlier: ReportOperation,
): ReadonlyMap<ReportParameter, ReportParameter> {
  return pairUpInTurn(later.parameters, earlier.parameters, [
    [nameIn(later.path), nameIn(earlier.path)],
  ]);
}

function nameIn(path: string): (parameter: ReportParameter) => string {
  const variables = [...path.matchAll(VARIABLE)].map(([, name]) => name);
  return ({ location, parameter }) => {
    if (location === "header") return `${location} ${parameter.toLowerCase()}`;
    const index = location === "path" ? variables.indexOf(parameter) : -1;
    return `${location} ${index < 0 ? parameter : `{${index}}`}`;
  };
}
