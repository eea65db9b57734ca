import type { CountedUnit } from "../../schema/counted_unit.ts";
import { addCounts } from "../../values/add_counts.ts";
import { VERSION } from "../../values/version.ts";
import type { CoveragePlan, OperationPlan } from "../coverage_plan.ts";
import type { Hits } from "../hits.ts";
import type { ParameterPlan } from "../parameter_plan.ts";
import type { OperationHits, ParameterHits } from "../operation_hits.ts";
import type { ResponsePlan } from "../response_plan.ts";
import { readUndocumentedProperties } from "./read_undocumented_properties.ts";
import { readEvidence } from "./evidence_entry.ts";
import type {
  CountsFile,
  HitsFile,
  OperationFile,
  ParameterDetails,
  ParameterFile,
  TimeIndex,
} from "./hits_format.ts";
import { readViolations } from "./violation_entry.ts";
import { Names } from "./names.ts";

/** A file whose hits {@linkcode addSame} adds. */
export interface SameHits {
  readonly file: HitsFile;
  readonly unitOf: UnitOf;
}

/**
 * A file that has hits of the same description, written by the same version of covtool, and nothing that needs a closer
 * look: then {@linkcode addSame} adds it; else undefined. Nearly all files are such, and what is made of each of them on
 * the way would take longer to clean up than to add.
 */
export function sameHits(plan: CoveragePlan, file: HitsFile): SameHits | undefined {
  if (file.covtool !== VERSION || file.description.fingerprint !== plan.fingerprint) return;
  if (file.tests !== undefined) return;
  const unitOf = unitsOf(plan, file);
  const names = Names.of(plan);
  const isSame = file.operations.every((operation) => isKnown(names, unitOf, operation));
  return isSame ? { file, unitOf } : undefined;
}

/** Finds the units of a file's schemas, those that have a pointer once for all parameters. */
function unitsOf(plan: CoveragePlan, { schemas }: HitsFile): UnitOf {
  const names = Names.of(plan);
  const ofRequests: (CountedUnit | undefined)[] = [];
  const ofResponses: (CountedUnit | undefined)[] = [];
  return (schema, own) => {
    const pointer = schemas[schema]?.[0] ?? "";
    if (!pointer.includes("/")) return names.unit(pointer, own);
    const units = own.schemas === plan.schemas ? ofRequests : ofResponses;
    return units[schema] ??= names.unit(pointer, own);
  };
}

function isKnown(names: Names, unitOf: UnitOf, saved: OperationFile): boolean {
  const operation = names.operations.get(saved.operation);
  if (operation === undefined) return false;
  for (const response of saved.responses ?? []) {
    if (names.response(operation, response[0]) === undefined) return false;
  }
  for (const entries of Object.values(saved.evidence ?? {})) {
    for (const [, , , , parameter] of entries) {
      const isFound = typeof parameter !== "string" ||
        names.parameter(operation, parameter) !== undefined;
      if (!isFound) return false;
    }
  }
  const isKnownPart = (plan: ParameterPlan | undefined, part: ParameterFile): boolean => {
    if (plan === undefined || !hasDetails(plan, part[4])) return false;
    for (const counts of part[2] ?? []) {
      if (unitOf(counts[0], plan)?.size !== counts[1].length) return false;
    }
    return true;
  };
  for (const parameter of saved.parameters ?? []) {
    const index = names.parameter(operation, parameter[0]) ?? -1;
    if (!isKnownPart(operation.parameters[index], parameter)) return false;
  }
  for (const [status, parts] of saved.response_parts ?? []) {
    const response = operation.response(names.response(operation, status) ?? -1);
    if (response === undefined) return false;
    for (const part of parts) {
      const index = names.part(response, part[0]) ?? -1;
      if (!isKnownPart(response.parts[index], part)) return false;
    }
  }
  return true;
}

function hasDetails(plan: ParameterPlan, more: ParameterDetails | undefined): boolean {
  const { examples = [], values = [] } = more ?? {};
  return examples.every(([index]) => index < plan.model.examples.length) &&
    values.every(([value]) => plan.values.includes(value));
}

/** Adds a file that {@linkcode sameHits} has found to be such. */
export function addSame(plan: CoveragePlan, hits: Hits, { file, unitOf }: SameHits): void {
  const names = Names.of(plan);
  const timeAt = (index: TimeIndex | undefined): number =>
    index === undefined ? Infinity : file.times?.[index] ?? Infinity;
  for (const saved of file.operations) {
    const operationPlan = names.operations.get(saved.operation) as OperationPlan; // it is known
    const operation = hits.operation(operationPlan.index);
    operation.hits = addCounts(operation.hits, saved.hits);
    operation.succeeded = addCounts(operation.succeeded, saved.succeeded ?? 0);
    operation.refused = addCounts(operation.refused, saved.refused ?? 0);
    for (const index of saved.seen ?? []) {
      const time = timeAt(index);
      if (time !== Infinity) operation.seeAt(time);
    }
    for (const parameter of saved.parameters ?? []) {
      const index = names.parameter(operationPlan, parameter[0]) as number; // likewise
      const plan = operationPlan.parameters[index] as ParameterPlan;
      addParameter(operation.parameter(index), plan, parameter, timeAt, unitOf);
    }
    for (
      const [status, count, first, timed = 0, elapsed = 0, slowest = 0] of saved.responses ?? []
    ) {
      const response = operation.response(names.response(operationPlan, status) as number);
      response.hits = addCounts(response.hits, count);
      response.timed = addCounts(response.timed, timed);
      response.elapsed = addCounts(response.elapsed, elapsed);
      response.slowest = Math.max(response.slowest, slowest);
      response.cameAt(timeAt(first));
    }
    addResponses(plan, operationPlan, operation, saved, timeAt, unitOf);
    operation.undocumentedBodies.merge(saved.undocumented_bodies ?? []);
    const indexOf = (name: string | undefined): number =>
      name === undefined ? -1 : names.parameter(operationPlan, name) as number; // likewise
    const evidence = readEvidence(
      saved,
      (name) => operationPlan.parameters[indexOf(name)],
      timeAt,
    );
    for (const { kind, parameter, detail, firstAt, example, count } of evidence) {
      operation.evidence.add(kind, indexOf(parameter), detail, firstAt, example, count);
    }
    for (const [status, count] of saved.undocumented ?? []) {
      operation.undocumented.set(
        status,
        addCounts(operation.undocumented.get(status) ?? 0, count),
      );
    }
  }
}

/** Adds the bodies and headers of responses. */
function addResponses(
  plan: CoveragePlan,
  operationPlan: OperationPlan,
  operation: OperationHits,
  saved: OperationFile,
  timeAt: (index: TimeIndex | undefined) => number,
  unitOf: UnitOf,
): void {
  const names = Names.of(plan);
  operation.answeredBodies = addCounts(operation.answeredBodies, saved.answered_bodies ?? 0);
  for (const [status, parts] of saved.response_parts ?? []) {
    const index = names.response(operationPlan, status) as number; // it is known
    const planned = operationPlan.response(index) as ResponsePlan; // likewise
    const response = operation.response(index);
    for (const part of parts) {
      const at = names.part(planned, part[0]) as number; // likewise
      const own = planned.parts[at] as ParameterPlan;
      const hits = response.part(at);
      addParameter(hits, own, part, timeAt, unitOf);
      const more = part[4];
      if (more === undefined) continue;
      hits.undecoded ||= more.undecoded === true;
      const violations = readViolations(plan, own, more.violations, timeAt);
      hits.violations.merge(violations.map(({ evidence }) => evidence));
    }
  }
  operation.undocumentedProperties.merge(readUndocumentedProperties(saved, timeAt));
  operation.undocumentedAnswers.merge(
    (saved.undocumented_answers ?? []).map(([status, mediaType, hits, first]) => ({
      status,
      mediaType,
      hits,
      firstAt: timeAt(first),
    })),
  );
}

/** The unit of a schema of the file, by its index, as a parameter reaches it; undefined if it isn't found. */
type UnitOf = (schema: number, plan: ParameterPlan) => CountedUnit | undefined;

function addParameter(
  parameter: ParameterHits,
  plan: ParameterPlan,
  saved: ParameterFile,
  timeAt: (index: TimeIndex | undefined) => number,
  unitOf: UnitOf,
): void {
  const [, hits, schemas = [], own, more] = saved;
  parameter.hits = addCounts(parameter.hits, hits);
  parameter.carriedAt(timeAt(own));
  for (const counts of schemas) {
    const unit = unitOf(counts[0], plan) as CountedUnit; // it is known
    addBlock(parameter, counts, unit, own, timeAt);
  }
  if (more !== undefined) addDetails(parameter, plan, more, timeAt);
}

function addDetails(
  parameter: ParameterHits,
  plan: ParameterPlan,
  more: ParameterDetails,
  timeAt: (index: TimeIndex | undefined) => number,
): void {
  parameter.malformed = addCounts(parameter.malformed, more.malformed ?? 0);
  parameter.notRecorded = addCounts(parameter.notRecorded, more.not_recorded ?? 0);
  parameter.nestedTooDeep ||= more.nested_too_deep === true;
  parameter.replaced ||= more.replaced === true;
  parameter.patternUnjudged ||= more.pattern_unjudged === true;
  for (const [index, , hits, first] of more.examples ?? []) {
    parameter.examples[index] = addCounts(parameter.examples[index] ?? 0, hits);
    const known = parameter.exampleFirsts[index] ?? Infinity;
    parameter.exampleFirsts[index] = Math.min(known, timeAt(first));
  }
  for (const [value, hits] of more.values ?? []) {
    const values = parameter.values ??= [];
    const index = plan.values.indexOf(value);
    values[index] = addCounts(values[index] ?? 0, hits);
  }
}

function addBlock(
  { counters }: ParameterHits,
  [, numbers, first]: CountsFile,
  unit: CountedUnit,
  own: TimeIndex | undefined,
  timeAt: (index: TimeIndex | undefined) => number,
): void {
  const base = counters.baseOf(unit);
  const { store } = counters;
  const { counts } = store;
  const one = typeof first === "object" ? undefined : timeAt(first ?? own);
  let next = 0;
  for (let slot = 0; slot < numbers.length; slot++) {
    const number = numbers[slot] as number; // within its bounds
    if (number === 0) continue;
    counts[base + slot] = addCounts(counts[base + slot] as number, number);
    const time = one ?? timeAt((first as readonly TimeIndex[])[next++]);
    if (time !== Infinity) store.noteAt(base + slot, time);
  }
}
