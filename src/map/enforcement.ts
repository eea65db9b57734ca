import { keywordCanBeCause } from "../schema/causes/attribute_causes.ts";
import type { InventoryKeyword } from "../schema/inventory_walk.ts";
import type { CoveredOperation, CoveredParameter } from "./coverage.ts";
import type { Evidence } from "./evidence.ts";
import type { EnforcementCount, EnforcementSummary } from "./results.ts";
import { type ParameterPlan, requiredPointer } from "./parameter_plan.ts";
import { percentage, sumCounts } from "./statistic.ts";

/** Evidence from requests that broke this rule alone. */
export interface RuleEvidence {
  readonly refused: Evidence | undefined;
  readonly accepted: Evidence | undefined;
}

/** Returns the pointer of a parameter's `required`; undefined if optional, in the path, or in a path's condition. */
export function requiredRule({ model, condition }: ParameterPlan): string | undefined {
  return condition === undefined && model.required && model.location !== "path"
    ? requiredPointer(model)
    : undefined;
}

export function ruleEvidence(
  operation: CoveredOperation,
  parameter: number,
  path: string,
): RuleEvidence {
  const evidence = operation.hits?.evidence;
  return {
    refused: evidence?.get("refused", parameter, path),
    accepted: evidence?.get("accepted", parameter, path),
  };
}

export function testedParameters({ hits }: CoveredOperation): ReadonlySet<number> {
  return new Set(hits?.evidence.list().map(({ parameter }) => parameter));
}

export function countedKeywords(
  { plan, innerExclusions }: CoveredParameter,
): readonly InventoryKeyword[] {
  return plan.inventory.keywords.filter((entry) =>
    entry.satisfiability === "Normal" && innerExclusions?.keyword(entry) === undefined
  );
}

function countRules(parameter: CoveredParameter): number {
  if (parameter.innerExclusions === undefined) return parameter.plan.totals.causes;
  return countedKeywords(parameter)
    .filter(({ node, keyword }) => keywordCanBeCause(node, keyword)).length;
}

export function operationEnforcement(operation: CoveredOperation): EnforcementCount {
  const sum = { enforced: 0, not_enforced: 0, total: 0 };
  const tested = testedParameters(operation);
  // `required` of the body is one rule, although each of its media types has evidence about it.
  const required = new Map<string, { refused: boolean; accepted: boolean }>();
  const hiddenPaths = new Set<string>();
  let not_measured = 0;
  operation.parameters.forEach((parameter, index) => {
    if (parameter.excluded !== undefined) return;
    const path = requiredRule(parameter.plan);
    if (!parameter.measured) {
      not_measured += countRules(parameter);
      if (path !== undefined) hiddenPaths.add(path);
      return;
    }
    sum.total += countRules(parameter);
    if (path !== undefined) {
      const { refused, accepted } = ruleEvidence(operation, index, path);
      const existing = required.get(path);
      required.set(path, {
        refused: refused !== undefined || existing?.refused === true,
        accepted: accepted !== undefined || existing?.accepted === true,
      });
    }
    if (!tested.has(index)) return;
    for (const { schema_path } of countedKeywords(parameter)) {
      const { refused, accepted } = ruleEvidence(operation, index, schema_path);
      if (refused !== undefined) sum.enforced++;
      if (accepted !== undefined) sum.not_enforced++;
    }
  });
  for (const { refused, accepted } of required.values()) {
    sum.total++;
    if (refused) sum.enforced++;
    if (accepted) sum.not_enforced++;
  }
  not_measured += hiddenPaths.size;
  return not_measured === 0 ? sum : { ...sum, not_measured };
}

export function addEnforcement(counts: Iterable<EnforcementCount>): EnforcementCount {
  return sumCounts(counts, { enforced: 0, not_enforced: 0, total: 0 });
}

/** @param measured False if no recorded interaction has a response. */
export function summarizeEnforcement(
  count: EnforcementCount,
  measured: boolean,
): EnforcementSummary {
  return { ...count, percent: measured ? percentage(count.enforced, count.total) : null, measured };
}
