import { getOrAdd } from "../values/collections.ts";
import type { Counters } from "../schema/counters.ts";
import type { SchemaNode } from "../schema/schema_node.ts";
import type { SchemaClass } from "../schema/value_class.ts";
import type { CoveredOperation, CoveredParameter } from "./coverage.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import type { Hits } from "./hits.ts";
import type { OperationHits } from "./operation_hits.ts";
import type { ValuesSummary } from "./results.ts";
import { parameterName, type ScalarValue } from "./parameter_plan.ts";
import { percentage, sumCounts } from "./statistic.ts";
import {
  defaultLeftOutClass,
  findValuePlaces,
  listClasses,
  nameClass,
  type NamedClass,
  type ParameterClass,
} from "./value_places.ts";

/** A class of a parameter's values, with the number of valid values in it that were sent. */
export interface CoveredClass extends NamedClass {
  readonly hits: number;
}

export interface CoveredValues {
  readonly seen: number;
  readonly total: number;
  /** Classes that no traffic could show, not included in the total. */
  readonly not_measured?: number;
  /** The classes of a parameter that was sent, at places that a valid value reached. Classes in a property that was never sent are one gap with it. */
  readonly list: readonly CoveredClass[];
}

/** True if classes of values are counted, and were counted for all merged hits. */
export function areValuesCounted(plan: CoveragePlan, hits: Hits): boolean {
  return plan.schemas.program.countsValues && !hits.lacksValues;
}

function classCounts(counters: Counters): ReadonlyMap<SchemaNode, Float64Array> {
  const byNode = new Map<SchemaNode, Float64Array>();
  const { store: { counts }, units } = counters;
  for (const unit of units) {
    const base = counters.base(unit);
    for (const { node, classes, slot } of unit.classes) {
      const sums = getOrAdd(byNode, node, () => new Float64Array(classes.counters.length));
      sums.forEach((sum, index) => sums[index] = sum + (counts[base + slot + index] as number));
    }
  }
  return byNode;
}

/** Returns the hits of a class. One with a `total` has the hits of that counter minus those of its own. */
function classHits(sums: Float64Array | undefined, { slot, total }: SchemaClass): number {
  const own = sums?.[slot] ?? 0;
  return total === undefined ? own : (sums?.[total] ?? 0) - own;
}

/** Returns the number of requests without the parameter, among those whose recording would show it. */
export function countLeftOut(
  operation: OperationHits | undefined,
  { plan, hits }: Pick<CoveredParameter, "plan" | "hits">,
): number {
  if (operation === undefined) return 0;
  const hidden = operation.hiddenParameters.get(parameterName(plan)) ?? 0;
  return Math.max(0, operation.hits - hidden - (hits?.hits ?? 0));
}

export function coveredValues(
  operation: Pick<CoveredOperation, "hits">,
  parameter: Pick<CoveredParameter, "plan" | "hits" | "innerExclusions">,
): CoveredValues {
  const { plan, hits, innerExclusions } = parameter;
  const counts = hits === undefined ? undefined : classCounts(hits.counters);
  const list: CoveredClass[] = [];
  let [seen, total] = [0, 0];
  const defaultClass = defaultLeftOutClass(plan);
  if (defaultClass !== undefined) {
    total++;
    const requestsWithout = countLeftOut(operation.hits, parameter);
    if (requestsWithout > 0) seen++;
    if (operation.hits !== undefined) list.push({ ...defaultClass, hits: requestsWithout });
  }
  for (const place of findValuePlaces(plan)) {
    const { node, instance_path, classes } = place;
    if (innerExclusions?.schema(node) !== undefined) continue;
    total += classes.length;
    const sums = counts?.get(node);
    const isSent = instance_path === "" && hits !== undefined;
    if (!isSent && (sums?.every((sum) => sum === 0) ?? true)) continue;
    const path = node.schemaPath();
    for (const schemaClass of classes) {
      const hits = classHits(sums, schemaClass);
      if (hits > 0) seen++;
      list.push({ ...nameClass(place, schemaClass, path), hits });
    }
  }
  return { seen, total, list };
}

/** Returns the classes of a parameter that were never sent, at all places that a value can reach. */
export function uncoveredClasses(
  operation: Pick<CoveredOperation, "hits">,
  parameter: Pick<CoveredParameter, "plan" | "hits" | "innerExclusions">,
): ParameterClass[] {
  const { plan, hits, innerExclusions } = parameter;
  const counts = hits === undefined ? undefined : classCounts(hits.counters);
  return listClasses(plan, (node, schemaClass) => {
    if (node === undefined || schemaClass === undefined) {
      return countLeftOut(operation.hits, parameter) === 0;
    }
    if (innerExclusions?.schema(node) !== undefined) return false;
    return classHits(counts?.get(node), schemaClass) === 0;
  });
}

/** Returns the values that the schema of a parameter lists; none if this schema is excluded. */
export function countedValues(
  { plan, innerExclusions }: Pick<CoveredParameter, "plan" | "innerExclusions">,
): readonly ScalarValue[] {
  const { node, values } = plan.listed;
  const excluded = node && innerExclusions?.schema(node);
  return excluded === undefined ? values : [];
}

/** Counts the members of enums and booleans in a parameter at any depth. */
export function countListedValues(
  { plan, hits, innerExclusions }: Pick<CoveredParameter, "plan" | "hits" | "innerExclusions">,
): { readonly seen: number; readonly total: number } {
  const counts = hits === undefined ? undefined : classCounts(hits.counters);
  let [seen, total] = [0, 0];
  for (const { node, classes } of findValuePlaces(plan)) {
    if (innerExclusions?.schema(node) !== undefined) continue;
    const sums = counts?.get(node);
    for (const { name, slot } of classes) {
      if (name !== "enum" && name !== "boolean") continue;
      total++;
      if ((sums?.[slot] ?? 0) > 0) seen++;
    }
  }
  return { seen, total };
}

/** Returns the classes of an operation by parameter. Excluded ones and those that no traffic could show don't count. */
export function operationValues(operation: CoveredOperation): readonly CoveredValues[] {
  return operation.parameters.map((parameter) => {
    if (operation.excluded !== undefined || parameter.excluded !== undefined) return NO_VALUES;
    if (parameter.measured) return coveredValues(operation, parameter);
    const { total } = coveredValues(operation, { ...parameter, hits: undefined });
    return total === 0 ? NO_VALUES : { ...NO_VALUES, not_measured: total };
  });
}

const NO_VALUES: CoveredValues = { seen: 0, total: 0, list: [] };

/** Adds up classes for reports. The number seen is unknown if some hits were counted without classes. */
export function summarizeValues(
  values: Iterable<Omit<CoveredValues, "list">>,
  measured: boolean,
): ValuesSummary {
  const sum = sumCounts<Omit<CoveredValues, "list">>(values, { seen: 0, total: 0 });
  return measured
    ? { ...sum, percent: percentage(sum.seen, sum.total), measured }
    : { ...sum, seen: 0, percent: null, measured };
}
