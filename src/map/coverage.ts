import type { InventoryKeyword } from "../schema/inventory_walk.ts";
import type { SchemaExample } from "../schema/examples.ts";
import type { SchemaNode } from "../schema/schema_node.ts";
import type { CoveragePlan, OperationPlan } from "./coverage_plan.ts";
import type { OperationTests, ParameterTests } from "./covered_by.ts";
import type { Hits } from "./hits.ts";
import type { OperationHits, ParameterHits } from "./operation_hits.ts";
import { countsOf, type KeywordCounts, parameterCounts } from "./keyword_counts.ts";
import type { ParameterPlan } from "./parameter_plan.ts";

/** A keyword of a parameter with what was counted for it. */
export interface CoveredKeyword extends Omit<InventoryKeyword, "node"> {
  /** The number of values that passed. */
  readonly valid: number;
  /** The number of values that failed. */
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
  const keywords: CoveredKeyword[] = [];
  const keywordFirsts: number[] = [];
  let node: SchemaNode | undefined;
  let countsOfNode: readonly KeywordCounts[] | undefined;
  for (const entry of inventory.keywords) {
    // Keywords of a schema mostly stand side by side.
    if (entry.node !== node) {
      node = entry.node;
      countsOfNode = counts.keywords.get(node);
    }
    const { keyword, schema_path, satisfiability } = entry;
    const counted = countsOf(countsOfNode, keyword);
    const valid = counted?.valid ?? 0;
    const invalid = counted?.invalid ?? 0;
    const state = stateOf(valid, invalid);
    keywords.push({ keyword, schema_path, valid, invalid, state, satisfiability });
    if (counted !== undefined && satisfiability === "Normal") keywordFirsts.push(counted.firstAt);
  }
  const examples: CoveredExample[] = [];
  const exampleFirsts: number[] = [];
  const own = new Map(
    plan.ownExamples.map(({ schema_path }, index) => [schema_path, {
      hits: hits.examples[index] ?? 0,
      firstAt: hits.exampleFirsts[index] ?? Infinity,
    }]),
  );
  for (const { schema_path, value } of inventory.examples) {
    const counted = own.get(schema_path) ?? counts.examples.get(schema_path);
    examples.push({ schema_path, value, hits: counted?.hits ?? 0 });
    if (counted !== undefined && counted.hits > 0) exampleFirsts.push(counted.firstAt);
  }
  return { plan, hits, tests, keywords, examples, keywordFirsts, exampleFirsts };
}

/** The state of a keyword. */
function stateOf(valid: number, invalid: number): "none" | "partial" | "full" {
  return valid > 0 ? (invalid > 0 ? "full" : "partial") : invalid > 0 ? "partial" : "none";
}
