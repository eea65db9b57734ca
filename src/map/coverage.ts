import type { InventoryKeyword } from "../schema/schema_inventory.ts";
import type { SchemaExample } from "../schema/examples.ts";
import type { CoveragePlan, OperationPlan } from "./coverage_plan.ts";
import type { Hits, OperationHits, ParameterHits } from "./hits.ts";
import { parameterCounts } from "./keyword_counts.ts";
import type { ParameterPlan } from "./parameter_plan.ts";

/** A keyword of a parameter with what was counted for it. */
export interface CoveredKeyword extends InventoryKeyword {
  readonly valid: number;
  readonly invalid: number;
}

/** An example of a parameter with how often it was sent. */
export interface CoveredExample extends SchemaExample {
  readonly hits: number;
}

/** A parameter of an operation with its hits. */
export interface CoveredParameter {
  readonly plan: ParameterPlan;
  /** Undefined where it was never hit. */
  readonly hits: ParameterHits | undefined;
  /** None where it was never hit. */
  readonly keywords: readonly CoveredKeyword[];
  /** None where it was never hit. */
  readonly examples: readonly CoveredExample[];
}

/** An operation with its hits. */
export interface CoveredOperation {
  readonly plan: OperationPlan;
  /** Undefined where it was never called. */
  readonly hits: OperationHits | undefined;
  readonly parameters: readonly CoveredParameter[];
}

/** Joins what a description holds with what traffic has shown, one operation at a time, in document order. */
export function* coveredOperations(
  plan: CoveragePlan,
  hits: Hits,
): Generator<CoveredOperation, void> {
  for (const operation of plan.operations) {
    const operationHits = hits.operations[operation.index];
    yield {
      plan: operation,
      hits: operationHits,
      parameters: operation.parameters.map((parameter, index) =>
        coverParameter(parameter, operationHits?.parameters[index])
      ),
    };
  }
}

const NEVER = { valid: 0, invalid: 0 };

function coverParameter(plan: ParameterPlan, hits: ParameterHits | undefined): CoveredParameter {
  if (hits === undefined) return { plan, hits, keywords: [], examples: [] };
  const inventory = plan.inventory;
  const counts = parameterCounts(hits);
  const own = new Map(
    plan.ownExamples.map(({ schema_path }, index) => [schema_path, hits.examples[index] ?? 0]),
  );
  return {
    plan,
    hits,
    keywords: inventory.keywords.map((keyword) => {
      const { schema_path, satisfiability } = keyword;
      const { valid, invalid } = counts.keywords.get(schema_path) ?? NEVER;
      return { keyword: keyword.keyword, schema_path, satisfiability, valid, invalid };
    }),
    examples: inventory.examples.map((example) => ({
      ...example,
      hits: own.get(example.schema_path) ?? counts.examples.get(example.schema_path) ?? 0,
    })),
  };
}

/** How much of a keyword was seen. */
export function stateOf(
  { valid, invalid }: { readonly valid: number; readonly invalid: number },
): "none" | "partial" | "full" {
  return valid > 0 ? (invalid > 0 ? "full" : "partial") : invalid > 0 ? "partial" : "none";
}
