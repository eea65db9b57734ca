import { getOrAdd } from "../values/collections.ts";
import type { Json } from "../values/json.ts";
import type { Counters } from "../schema/evaluation_context.ts";
import type { SchemaNode, Subschema } from "../schema/schema_node.ts";
import { type ValuePlace, valuePlaces } from "../schema/value_inventory.ts";
import type { ValueClassName } from "../values/value_class_name.ts";
import type { CoveredOperation, CoveredParameter } from "./coverage.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import type { Hits } from "./hits.ts";
import type { ParameterPlan } from "./parameter_plan.ts";
import type { ValuesSummary } from "./results.ts";
import { percentOf } from "./statistic.ts";

/** A class of values of a parameter, with how often a valid value of it came. */
export interface CoveredClass {
  readonly schema_path: string;
  readonly instance_path: string;
  readonly class: ValueClassName;
  /** The value itself, or the boundary, where the class has one. */
  readonly value?: Json;
  readonly hits: number;
}

/** The classes of a parameter: how many there are and came, and those that are listed. */
export interface CoveredValues {
  readonly seen: number;
  readonly total: number;
  /** Those of a parameter that was sent, and at places within that a valid value has reached: what is in a property that never came is one gap with it. */
  readonly list: readonly CoveredClass[];
}

/** True if classes of values are counted, and were in all hits that were added. */
export function areValuesCounted(plan: CoveragePlan, hits: Hits): boolean {
  return plan.schemas.program.countsValues && !hits.lacksValues;
}

const parameterPlaces = new WeakMap<ParameterPlan, readonly ValuePlace[]>();

/** The places of a parameter's values that have classes; none where every request carries the same value. */
export function findValuePlaces(plan: ParameterPlan): readonly ValuePlace[] {
  return getOrAdd(parameterPlaces, plan, () => listPlaces(plan));
}

function listPlaces(plan: ParameterPlan): readonly ValuePlace[] {
  const { schema, itemSchema, positions, itemPositions, condition, model: { location } } = plan;
  if (condition !== undefined) return [];
  const places = valuePlaces([
    ...positions.map((position) => [schema, position, ""] as const),
    ...itemPositions.map((position) => [itemSchema, position, "/*"] as const),
  ], plan.schemas.inventory.judge);
  if (location === "body" || location === "query" || location === "form_data") return places;
  // A path has no empty segment, and header fields hold nothing but ASCII.
  const left = location === "path" ? "empty" : "non_ascii";
  return places.map((place) => ({
    ...place,
    classes: place.classes.filter(({ name, value }) =>
      name !== left && !(location === "path" && value === "")
    ),
  }));
}

/** How often the counters of each schema's classes were counted. */
function classCounts(counters: Counters): ReadonlyMap<SchemaNode, Float64Array> {
  const found = new Map<SchemaNode, Float64Array>();
  const { store: { counts }, units } = counters;
  for (const unit of units) {
    const base = counters.baseOf(unit);
    for (const { node, classes, slot } of unit.classes) {
      const sums = getOrAdd(found, node, () => new Float64Array(classes.counters.length));
      sums.forEach((sum, index) => sums[index] = sum + (counts[base + slot + index] as number));
    }
  }
  return found;
}

/** References in a row beyond which nothing is looked up. */
const MAX_STEPS = 50;

/** The default of a parameter that requests may leave out; undefined for others, and for bodies. */
function documentedDefault(
  { schema, model: { required, location } }: ParameterPlan,
): { readonly schema_path: string; readonly value: Json } | undefined {
  if (required || location === "body" || location === "path") return undefined;
  let node: Subschema | undefined = schema;
  for (let step = 0; step < MAX_STEPS && typeof node === "object"; step++) {
    if (!node.isReferenceOnly && Object.hasOwn(node.schema, "default")) {
      return { schema_path: node.pathOf("default"), value: node.schema["default"] as Json };
    }
    node = node.target;
  }
  return undefined;
}

/** The classes of a parameter of an operation. */
export function coveredValues(
  operation: Pick<CoveredOperation, "hits">,
  { plan, hits, scoped }: Pick<CoveredParameter, "plan" | "hits" | "scoped">,
): CoveredValues {
  const counts = hits === undefined ? undefined : classCounts(hits.counters);
  const list: CoveredClass[] = [];
  let [seen, total] = [0, 0];
  const byDefault = documentedDefault(plan);
  if (byDefault !== undefined) {
    total++;
    const left = (operation.hits?.hits ?? 0) - (hits?.hits ?? 0);
    if (left > 0) seen++;
    if (operation.hits !== undefined) {
      list.push({
        schema_path: byDefault.schema_path,
        instance_path: "",
        class: "default_left_out",
        value: byDefault.value,
        hits: Math.max(0, left),
      });
    }
  }
  for (const { node, instance_path, classes } of findValuePlaces(plan)) {
    if (scoped?.keyword({ node, keyword: "" }) !== undefined) continue;
    total += classes.length;
    const sums = counts?.get(node);
    const isSent = instance_path === "" && hits !== undefined;
    if (!isSent && (sums?.every((sum) => sum === 0) ?? true)) continue;
    const path = node.pathOf("");
    for (const { name, pointer, value, slot, outOf } of classes) {
      const own = sums?.[slot] ?? 0;
      const hits = outOf === undefined ? own : (sums?.[outOf] ?? 0) - own;
      if (hits > 0) seen++;
      list.push({
        schema_path: path + pointer,
        instance_path: name === "present" || name === "absent"
          ? instance_path + pointer.slice("/properties".length)
          : instance_path,
        class: name,
        ...(value !== undefined && { value }),
        hits,
      });
    }
  }
  return { seen, total, list };
}

/** How many members of enums and booleans a parameter has at any depth, and how many of them came. */
export function countNamedValues(
  { plan, hits, scoped }: Pick<CoveredParameter, "plan" | "hits" | "scoped">,
): { readonly seen: number; readonly total: number } {
  const counts = hits === undefined ? undefined : classCounts(hits.counters);
  let [seen, total] = [0, 0];
  for (const { node, classes } of findValuePlaces(plan)) {
    if (scoped?.keyword({ node, keyword: "" }) !== undefined) continue;
    const sums = counts?.get(node);
    for (const { name, slot } of classes) {
      if (name !== "enum" && name !== "boolean") continue;
      total++;
      if ((sums?.[slot] ?? 0) > 0) seen++;
    }
  }
  return { seen, total };
}

/** The classes of an operation, by parameter; those that are excluded, or that no traffic could show, count nowhere. */
export function operationValues(operation: CoveredOperation): readonly CoveredValues[] {
  return operation.parameters.map((parameter) =>
    operation.excluded !== undefined || parameter.excluded !== undefined || !parameter.measured
      ? NO_VALUES
      : coveredValues(operation, parameter)
  );
}

const NO_VALUES: CoveredValues = { seen: 0, total: 0, list: [] };

/** The sum of classes, for reports; what came is not known where some hits lack classes. */
export function summarizeValues(
  all: Iterable<Pick<CoveredValues, "seen" | "total">>,
  measured: boolean,
): ValuesSummary {
  let [seen, total] = [0, 0];
  for (const one of all) {
    seen += one.seen;
    total += one.total;
  }
  return measured
    ? { seen, total, percent: percentOf(seen, total), measured }
    : { seen: 0, total, percent: null, measured };
}
