import { type Choice, findChoices } from "../schema/causes/choose_alternative.ts";
import type { InventoryKeyword } from "../schema/inventory_walk.ts";
import type { SchemaExample } from "../schema/examples.ts";
import type { SchemaNode } from "../schema/schema_node.ts";
import type { CoveragePlan, OperationPlan } from "./coverage_plan.ts";
import { credentialEvidence, type OperationCredentials } from "./credentials.ts";
import type { Exclusions } from "./exclusions.ts";
import type { Hits } from "./hits.ts";
import {
  type KeywordCounts,
  type OperationHits,
  parameterCounts,
  type ParameterHits,
} from "./operation_hits.ts";
import type { ParameterPlan } from "./parameter_plan.ts";
import { showsParameter, type TrafficVisibility } from "./visible_parts.ts";
import { type InnerExclusions, NONE_EXCLUDED, type ScopedTotals } from "./scope_totals.ts";

export interface CoveredKeyword extends Omit<InventoryKeyword, "node"> {
  readonly valid: number;
  readonly invalid: number;
  /** `full` if some values passed and some failed, `partial` if all passed or all failed. */
  readonly state: "none" | "partial" | "full";
  /** The number of times that `discriminator` selected each alternative; absent without a `discriminator`. */
  readonly chosen?: readonly number[];
  /** The number of the exclusion that applies; absent if none does. */
  readonly excluded?: number;
}

export interface CoveredExample extends SchemaExample {
  readonly hits: number;
  readonly excluded?: number;
}

export interface CoveredParameter {
  readonly plan: ParameterPlan;
  readonly hits: ParameterHits | undefined;
  /** False if no traffic could have shown it. */
  readonly measured: boolean;
  readonly excluded: number | undefined;
  readonly totals: () => ScopedTotals;
  /** The excluded keywords and examples; undefined if none is excluded. */
  readonly innerExclusions: InnerExclusions | undefined;
  /** Empty if the parameter was never hit. */
  readonly keywords: readonly CoveredKeyword[];
  readonly examples: readonly CoveredExample[];
  /** The times at which counted keywords were first evaluated, one for each evaluated keyword; Infinity if unknown. */
  readonly keywordFirstTimes: readonly number[];
  /** The times at which counted examples were first sent, one for each sent example; Infinity if unknown. */
  readonly exampleFirstTimes: readonly number[];
}

export interface CoveredOperation {
  readonly plan: OperationPlan;
  /** Undefined if the operation was never called. */
  readonly hits: OperationHits | undefined;
  /** Evidence about its credentials; undefined if the operation requires none. */
  readonly credentials: OperationCredentials | undefined;
  /** The number of the exclusion that applies; undefined if none does. */
  readonly excluded: number | undefined;
  readonly excludedResponses: readonly (number | undefined)[];
  readonly parameters: readonly CoveredParameter[];
  /** Undefined if there is no traffic. */
  readonly visible: TrafficVisibility | undefined;
  readonly exclusions: Exclusions | undefined;
}

/** Yields every operation with its plan and hits, in document order. */
export function* coveredOperations(
  plan: CoveragePlan,
  hits: Hits,
  exclusions?: Exclusions,
): Generator<CoveredOperation, void> {
  hits.coveredBy.attributeCounts();
  for (const operation of plan.operations) yield coveredOperation(operation, hits, exclusions);
}

export function coveredOperation(
  operation: OperationPlan,
  hits: Hits,
  exclusions?: Exclusions,
): CoveredOperation {
  const visible = visibleParts(hits);
  const operationHits = hits.operations[operation.index];
  const excluded = exclusions?.operation(operation);
  return {
    plan: operation,
    hits: operationHits,
    credentials: credentialEvidence(operation, hits),
    excluded: excluded?.operation,
    excludedResponses: excluded?.responses ?? [],
    parameters: operation.parameters.map((parameter, index) =>
      coveredParameter(
        parameter,
        operationHits?.parameters[index],
        visible,
        partScope(parameter, exclusions, excluded?.parameters[index]),
      )
    ),
    visible,
    exclusions,
  };
}

/** Returns the parts that the traffic could show; undefined if there is no traffic, as nothing is hidden then. */
export function visibleParts(hits: Hits): TrafficVisibility | undefined {
  return hits.recorded > 0 ? hits.visible.parts : undefined;
}

export function isMeasured(
  { model: { location, name } }: ParameterPlan,
  hits: ParameterHits | undefined,
  visible: TrafficVisibility | undefined,
): boolean {
  return visible === undefined || showsParameter(visible, location, name) ||
    (hits !== undefined && hits.hits > hits.notRecorded);
}

export type PartScope = Pick<CoveredParameter, "excluded" | "totals" | "innerExclusions">;

/** Returns the excluded part of a parameter, or of a part of a response: all of it, or some keywords and examples. */
export function partScope(
  parameter: ParameterPlan,
  exclusions: Exclusions | undefined,
  excluded: number | undefined,
): PartScope {
  if (exclusions === undefined) {
    const totals = () => ({ counted: parameter.totals, excluded: NONE_EXCLUDED });
    return { excluded, totals, innerExclusions: undefined };
  }
  const { totals } = exclusions;
  if (excluded !== undefined) {
    return {
      excluded,
      totals: () => ({
        counted: { keywords: 0, examples: 0 },
        excluded: new Map([[excluded, parameter.totals]]),
      }),
      innerExclusions: { keyword: () => excluded, example: () => excluded, schema: () => excluded },
    };
  }
  const parameterTotals = totals.forParameter(parameter);
  const innerExclusions = parameterTotals.excluded.size === 0
    ? undefined
    : totals.innerExclusions(parameter);
  return { excluded, totals: () => parameterTotals, innerExclusions };
}

function coveredParameter(
  plan: ParameterPlan,
  hits: ParameterHits | undefined,
  visible: TrafficVisibility | undefined,
  scope: PartScope,
): CoveredParameter {
  const measured = isMeasured(plan, hits, visible);
  const base = { plan, hits, measured, ...scope };
  if (hits === undefined || !measured) {
    return { ...base, keywords: [], examples: [], keywordFirstTimes: [], exampleFirstTimes: [] };
  }
  const { innerExclusions } = scope;
  const inventory = plan.inventory;
  const counts = parameterCounts(hits);
  const keywords: CoveredKeyword[] = [];
  const keywordFirstTimes: number[] = [];
  let node: SchemaNode | undefined;
  let nodeCounts: readonly KeywordCounts[] | undefined;
  let choices: readonly Choice[] = [];
  for (const entry of inventory.keywords) {
    // The keywords of a schema are mostly adjacent, so its counts are looked up once.
    if (entry.node !== node) {
      node = entry.node;
      nodeCounts = counts.keywords.get(node);
      choices = findChoices(node);
    }
    const { keyword, schema_path, satisfiability } = entry;
    const keywordCounts = nodeCounts?.find((one) => one.keyword === keyword);
    const valid = keywordCounts?.valid ?? 0;
    const invalid = keywordCounts?.invalid ?? 0;
    const state = keywordState(valid, invalid);
    const excluded = innerExclusions?.keyword(entry);
    const chosen = choices.find((choice) => choice.schema_path === schema_path)?.alternatives
      .map((_, index) => counts.tallies.get(`${schema_path}/${index}`)?.hits ?? 0);
    const covered = {
      ...{ keyword, schema_path, valid, invalid, state, satisfiability },
      ...(chosen !== undefined && { chosen }),
    };
    keywords.push(excluded === undefined ? covered : { ...covered, excluded });
    if (keywordCounts !== undefined && satisfiability === "Normal" && excluded === undefined) {
      keywordFirstTimes.push(keywordCounts.firstAt);
    }
  }
  const examples: CoveredExample[] = [];
  const exampleFirstTimes: number[] = [];
  const ownExampleCounts = new Map(
    plan.ownExamples.map(({ schema_path, index }) => [schema_path, hits.exampleCounts(index)]),
  );
  for (const example of inventory.examples) {
    const { schema_path, value } = example;
    const exampleCounts = ownExampleCounts.get(schema_path) ?? counts.tallies.get(schema_path);
    const excluded = innerExclusions?.example(example);
    const covered = { schema_path, value, hits: exampleCounts?.hits ?? 0 };
    examples.push(excluded === undefined ? covered : { ...covered, excluded });
    if (exampleCounts !== undefined && exampleCounts.hits > 0 && excluded === undefined) {
      exampleFirstTimes.push(exampleCounts.firstAt);
    }
  }
  return { ...base, keywords, examples, keywordFirstTimes, exampleFirstTimes };
}

function keywordState(valid: number, invalid: number): "none" | "partial" | "full" {
  return valid > 0 ? (invalid > 0 ? "full" : "partial") : invalid > 0 ? "partial" : "none";
}
