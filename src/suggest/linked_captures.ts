import { encodePercent } from "../http/percent.ts";
import { evaluateExpression, type RuntimeSource, scalarText } from "../http/runtime_expression.ts";
import type { CoveragePlan, OperationPlan } from "../map/coverage_plan.ts";
import { documentedResponse } from "../map/response_plan.ts";
import { parsePathTemplate } from "../map/path_template.ts";

export interface LinkedPath {
  readonly path: string;
  readonly captures: readonly string[];
}

/** The paths of an answer's documented links that say all templates. */
export function linkedCaptures(
  { operations, links }: CoveragePlan,
  { index, model }: OperationPlan,
  status: number,
  source: RuntimeSource,
): readonly LinkedPath[] {
  const response = documentedResponse(model.responses, status);
  return links.flatMap((link) => {
    const target = operations[link.target]?.model;
    if (link.operation !== index || link.response !== response || target === undefined) return [];
    const captures = parsePathTemplate(target.path).names.map((name) => {
      const given = link.parameters.find((one) => one.location === "path" && one.name === name);
      return typeof given?.value === "string"
        ? evaluateExpression(given.value, source)
        : scalarText(given?.value);
    });
    const known = captures.filter((text) => text !== undefined);
    if (captures.length === 0 || known.length < captures.length) return [];
    return [{ path: target.path, captures: known.map(encodePercent) }];
  });
}
