import type { InventoryKeyword } from "../schema/schema_inventory.ts";
import type { SchemaExample } from "../schema/examples.ts";
import type { CoveragePlan, OperationPlan } from "./coverage_plan.ts";
import type { OperationTests, ParameterTests } from "./covered_by.ts";
import type { Hits, OperationHits, ParameterHits } from "./hits.ts";
import { parameterCounts } from "./keyword_counts.ts";
import type { ParameterPlan } from "./parameter_plan.ts";

/** A keyword of a parameter with what was counted for it. */
export interface CoveredKeyword extends Omit<InventoryKeyword, "node"> {
  /** How many values passed. */
  readonly valid: number;
  /** How many values failed. */
  readonly invalid: number;
  /** `full` where values passed and failed, `partial` where they did one of it. */
  readonly state: "none" | "partial" | "full";
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
  /** Undefined where no test sent it. */
  readonly tests: ParameterTests | undefined;
  /** None where it was never hit. */
  readonly keywords: readonly CoveredKeyword[];
  /** None where it was never hit. */
  readonly examples: readonly CoveredExample[];
  /** When its keywords that count were first evaluated, one for each that was; Infinity where that is not known. */
  readonly keywordFirsts: readonly number[];
  /** When its examples were first sent, likewise. */
  readonly exampleFirsts: readonly number[];
}

/** An operation with its hits. */
export interface CoveredOperation {
  readonly plan: OperationPlan;
  /** Undefined where it was never called. */
  readonly hits: OperationHits | undefined;
  /** Undefined where no test called it. */
  readonly tests: OperationTests | undefined;
  readonly parameters: readonly CoveredParameter[];
}

/** Joins what a description holds with what traffic has shown, one operation at a time, in document order. */
export function* coveredOperations(
  plan: CoveragePlan,
  hits: Hits,
): Generator<CoveredOperation, void> {
  hits.coveredBy.settle(hits.operations);
  for (const operation of plan.operations) {
    const operationHits = hits.operations[operation.index];
    const tests = hits.coveredBy.operations[operation.index];
    yield {
      plan: operation,
      hits: operationHits,
      tests,
      parameters: operation.parameters.map((parameter, index) =>
        coverParameter(parameter, operationHits?.parameters[index], tests?.parameters[index])
      ),
    };
  }
}

const NEVER = { valid: 0, invalid: 0 };

function coverParameter(
  plan: ParameterPlan,
  hits: ParameterHits | undefined,
  tests: ParameterTests | undefined,
): CoveredParameter {
  if (hits === undefined) {
    return { plan, hits, tests, keywords: [], examples: [], keywordFirsts: [], exampleFirsts: [] };
  }
  const inventory = plan.inventory;
  const counts = parameterCounts(hits);
  const own = new Map(
    plan.ownExamples.map(({ schema_path }, index) => [schema_path, {
      hits: hits.examples[index] ?? 0,
      firstAt: hits.exampleFirsts[index] ?? Infinity,
    }]),
  );
  const keywordFirsts: number[] = [];
  const exampleFirsts: number[] = [];
  return {
    plan,
    hits,
    tests,
    keywords: inventory.keywords.map(({ node, keyword, schema_path, satisfiability }) => {
      const counted = counts.keywords.get(node)?.find((one) => one.keyword === keyword);
      const { valid, invalid } = counted ?? NEVER;
      if (counted !== undefined && satisfiability === "Normal") keywordFirsts.push(counted.firstAt);
      return {
        keyword,
        schema_path,
        valid,
        invalid,
        state: stateOf(valid, invalid),
        satisfiability,
      };
    }),
    examples: inventory.examples.map((example) => {
      const counted = own.get(example.schema_path) ?? counts.examples.get(example.schema_path);
      if (counted !== undefined && counted.hits > 0) exampleFirsts.push(counted.firstAt);
      return { ...example, hits: counted?.hits ?? 0 };
    }),
    keywordFirsts,
    exampleFirsts,
  };
}

/** How much of a keyword was seen. */
function stateOf(valid: number, invalid: number): "none" | "partial" | "full" {
  return valid > 0 ? (invalid > 0 ? "full" : "partial") : invalid > 0 ? "partial" : "none";
}
