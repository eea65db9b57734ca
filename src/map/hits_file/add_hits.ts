import type { CountedUnit } from "../../schema/counters.ts";
import { getOrAdd } from "../../values/collections.ts";
import { addCounts } from "../../values/errors.ts";
import { selectMediaType } from "../../http/media_type.ts";
import { findMember } from "../../values/json_pointer.ts";
import { VERSION } from "../../values/version.ts";
import {
  type CoveragePlan,
  documentedResponse,
  mayHaveBody,
  type OperationPlan,
} from "../coverage_plan.ts";
import { CoveredBy } from "../covered_by.ts";
import { hasSecurityText } from "../credentials.ts";
import { requiredRule } from "../enforcement.ts";
import { isCredentialKind } from "../evidence.ts";
import type { Hits } from "../hits.ts";
import type { OperationHits, ParameterHits, ResponsePartHits } from "../operation_hits.ts";
import type { ParameterPlan } from "../parameter_plan.ts";
import type { DroppedHits } from "../results.ts";
import { DEFAULT_VISIBILITY } from "../visible_parts.ts";
import { carrySchemas } from "./carry_schemas.ts";
import { carryPart, carryUnmatched, renameOperations } from "./carry_operations.ts";
import {
  type EvidenceEntry,
  longPath,
  readEvidence,
  readExample,
  readViolations,
} from "./evidence_entry.ts";
import type {
  CountsFile,
  HitsFile,
  OperationFile,
  ParameterDetails,
  ParameterFile,
  ResponseFile,
  TestIndexes,
  TimeAt,
  TimeIndex,
} from "./hits_format.ts";
import { PlanNames } from "./plan_names.ts";

/** New pointers of keywords by their earlier ones; undefined if all are in their places. */
type KeywordMoves = ReadonlyMap<string, string> | undefined;

/** Finds the counters for a file's counts in a plan and adds them directly, as files are large. */
export class HitsAdder {
  readonly #plan: CoveragePlan;
  readonly #file: HitsFile;
  readonly #names: PlanNames;
  /** True for hits of another description, which count as far as the two descriptions agree. */
  readonly #isCarried: boolean;
  readonly #keepsFindings: boolean;
  /** True if this version wrote the file for this description, as is usual: then nothing can be missing or moved. */
  readonly isCompatible: boolean;
  /** With names of this description. */
  readonly #operations: readonly OperationFile[];
  readonly timeAt: TimeAt;
  #dropped: DroppedHits[] = [];
  /** The tests of the hits that the file is added to, and the indexes there of the file's tests. */
  #coveredBy = new CoveredBy();
  #tests: readonly number[] = [];

  constructor(plan: CoveragePlan, file: HitsFile, keepsFindings: boolean) {
    this.#keepsFindings = keepsFindings;
    this.#plan = plan;
    this.#file = file;
    this.#names = PlanNames.of(plan);
    const { times = [] } = file;
    this.timeAt = (index) => index === undefined ? Infinity : times[index] ?? Infinity;
    this.#isCarried = file.description.fingerprint !== plan.fingerprint;
    this.#operations = this.#isCarried
      ? renameOperations(file.operations, this.#names)
      : file.operations;
    this.isCompatible = !this.#isCarried && file.covtool === VERSION &&
      file.operations.every((operation) => this.#fitsOperation(operation));
  }

  /** Returns operations of the plan by the names that the file uses. */
  operations(): ReadonlyMap<string, OperationPlan> {
    const operations = new Map<string, OperationPlan>();
    for (const [index, { operation }] of this.#file.operations.entries()) {
      const plan = this.#names.operations.get(this.#operations[index]?.operation ?? operation);
      if (plan !== undefined) operations.set(operation, plan);
    }
    return operations;
  }

  /** Adds the file and returns the hits that have no place in the plan. */
  addTo(hits: Hits): readonly DroppedHits[] {
    const file = this.#file;
    this.#dropped = [];
    hits.coveredBy.attributeCounts(); // else the current tests would be credited with merged counts
    hits.coveredBy.isTruncated ||= file.tests_left_out === true;
    hits.store.noteMerge();
    this.#coveredBy = hits.coveredBy;
    this.#tests = (file.tests ?? []).map((name) => hits.coveredBy.testIndex(name));
    let [droppedRequests, droppedResponses] = [0, 0];
    for (const saved of this.#operations) {
      const plan = this.#names.operations.get(saved.operation);
      if (plan !== undefined) this.#addOperation(hits, plan, saved);
      else {
        droppedRequests += saved.hits;
        droppedResponses += countResponses(saved);
        this.#dropped.push({ kind: "operation", operation: saved.operation, hits: saved.hits });
      }
    }
    const unmatched = this.#isCarried
      ? carryUnmatched(this.#plan, file.unmatched, this.#dropped)
      : file.unmatched;
    const droppedUnmatched = (file.unmatched?.total ?? 0) - (unmatched?.total ?? 0);
    const recorded = Math.max(0, file.recorded - droppedRequests - droppedUnmatched);
    const matched = Math.max(0, file.matched - droppedRequests);
    const answered = Math.min(recorded, Math.max(0, file.answered - droppedResponses));
    hits.recorded = addCounts(hits.recorded, recorded);
    hits.matched = addCounts(hits.matched, matched);
    hits.answered = addCounts(hits.answered, answered);
    for (const time of file.seen ?? []) hits.noteTime(time);
    if (recorded > 0) hits.visible.merge({ ...DEFAULT_VISIBILITY, ...file.visible });
    hits.lacksValues ||= matched > 0 && file.values !== true;
    if (unmatched !== undefined) hits.unmatched.merge(unmatched);
    hits.access.unknownSenders = addCounts(hits.access.unknownSenders, file.access?.unknown ?? 0);
    hits.access.hiddenSenders = addCounts(hits.access.hiddenSenders, file.access?.hidden ?? 0);
    // Hints of another description refer to its base paths.
    if (!this.#isCarried) hits.basePathHints.merge(file.hints ?? []);
    return this.#dropped;
  }

  #addOperation(hits: Hits, plan: OperationPlan, saved: OperationFile): void {
    const operation = hits.operation(plan.index);
    operation.merge(saved.hits, saved.succeeded ?? 0, saved.refused ?? 0);
    for (const index of saved.seen ?? []) {
      const time = this.timeAt(index);
      if (time !== Infinity) operation.noteTime(time);
    }
    this.#addResponses(operation, plan, saved);
    const moves = new Map<number, KeywordMoves>();
    for (const parameter of saved.parameters ?? []) {
      const [name, count] = parameter;
      const index = this.#names.parameter(plan, name) ?? -1;
      const planned = plan.parameters[index];
      if (planned === undefined) {
        const { operation } = saved;
        this.#dropped.push({ kind: "parameter", operation, parameter: name, hits: count });
      } else {
        const hits = operation.parameter(index);
        moves.set(index, this.#addParameter(hits, planned, parameter, saved.operation));
      }
    }
    if (saved.response_parts !== undefined) this.#addResponseParts(operation, plan, saved);
    this.#addEvidence(operation, plan, saved, moves);
    this.#addNoticed(hits, plan, saved);
    for (const [identity, status, owner, count, first] of saved.access ?? []) {
      const firstAt = this.timeAt(first);
      hits.access.add({ operation: plan.index, identity, status, owner, count, firstAt });
    }
    operation.responseBodies = addCounts(operation.responseBodies, saved.answered_bodies ?? 0);
    addNamedCounts(operation.links, saved.links);
    addNamedCounts(operation.hiddenParameters, saved.hidden);
    this.#addUndocumented(operation, plan, saved);
    this.#addTests(operation, plan, saved);
  }

  /** Adds undocumented content; from another description, only what isn't documented here either. */
  #addUndocumented(operation: OperationHits, plan: OperationPlan, saved: OperationFile): void {
    const body = { status: "", pointer: "", firstAt: Infinity };
    for (const [mediaType, hits, savedExample] of saved.undocumented_bodies ?? []) {
      if (!this.isCompatible && documentsBody(plan, mediaType)) continue;
      const example = savedExample === undefined
        ? undefined
        : readExample(savedExample, this.timeAt);
      operation.undocumentedBodies.add({ ...body, mediaType, hits, example });
    }
    const undocumented = new Set(saved.undocumented?.map(([status]) => status));
    for (const [status, mediaType, hits, first, savedExample] of saved.undocumented_answers ?? []) {
      if (!this.isCompatible && !lacksContent(plan, status, mediaType, undocumented)) continue;
      const example = readExample(savedExample ?? Number(status), this.timeAt);
      const firstAt = this.timeAt(first);
      const response = { status, mediaType, pointer: "", hits, firstAt, example };
      operation.undocumentedResponseBodies.add(response);
    }
    const inQuery = plan.model.parameters.filter((model) => model.in === "query");
    const documented = new Set(inQuery.map(({ name }) => name));
    for (const [name, count] of saved.undocumented_parameters ?? []) {
      if (!documented.has(name)) operation.undocumentedParameters.add({ name, count });
    }
    if (this.#isCarried) return; // this description may declare the properties
    for (const [status, mediaType, pointer, hits, first] of saved.undocumented_properties ?? []) {
      const firstAt = this.timeAt(first);
      const property = { status, mediaType, pointer, hits, firstAt, example: undefined };
      operation.undocumentedProperties.add(property);
    }
  }

  #addResponses(operation: OperationHits, plan: OperationPlan, saved: OperationFile): void {
    for (const response of saved.responses ?? []) {
      const [status_code, hits] = response;
      const index = this.#names.response(plan, status_code);
      if (index !== undefined) this.#addResponse(operation, index, response);
      else {
        this.#dropped.push({ kind: "response", operation: saved.operation, status_code, hits });
      }
    }
    for (const [status, hits] of saved.undocumented ?? []) {
      const index = documentedResponse(plan.model.responses, Number(status));
      if (index >= 0) this.#addResponse(operation, index, [status, hits]);
      else operation.undocumentedResponse(status).merge(hits, Infinity);
    }
  }

  #addResponse(operation: OperationHits, index: number, saved: ResponseFile): void {
    const [, hits, first, timed = 0, elapsed = 0, slowest = 0] = saved;
    const response = operation.response(index);
    response.merge(hits, this.timeAt(first));
    response.addElapsed(elapsed, timed, slowest);
  }

  #addResponseParts(operation: OperationHits, plan: OperationPlan, saved: OperationFile): void {
    for (const [status_code, parts] of saved.response_parts ?? []) {
      const index = this.#names.response(plan, status_code) ?? -1;
      const planned = plan.response(index);
      if (planned === undefined) continue; // the loss of the response itself was reported
      for (const part of parts) {
        const [name, hits, , , details] = part;
        const at = this.#names.part(planned, name) ?? -1;
        const partPlan = planned.parts[at];
        if (partPlan === undefined) {
          const parameter = `${status_code} ${name}`;
          const { operation } = saved;
          this.#dropped.push({ kind: "parameter", operation, parameter, status_code, hits });
          continue;
        }
        const partHits = operation.response(index).part(at);
        const moves = this.#addParameter(partHits, partPlan, part, saved.operation);
        partHits.undecoded ||= details?.undecoded === true;
        this.#addProperties(partHits, partPlan, details, moves);
        const violations = readViolations(partPlan, details?.violations, this.timeAt);
        partHits.violations.merge(violations.flatMap((violation) => {
          const { detail: path } = violation;
          const isItself = path === partPlan.schema_path || path === requiredRule(partPlan);
          const detail = isItself ? path : movedPath(moves, path);
          return detail === undefined ? [] : [{ ...violation, detail }];
        }));
      }
    }
  }

  /** Adds properties of bodies; from another description, those declared here where they moved to, or in their place. */
  #addProperties(
    { mergedProperties }: ResponsePartHits,
    part: ParameterPlan,
    { properties = [] }: ParameterDetails = {},
    moves: KeywordMoves,
  ): void {
    for (const [path, ...names] of properties) {
      const place = longPath(part, path);
      const pointer = movedPath(moves, place) ?? place;
      const declared = this.isCompatible ? undefined : this.#plan.placeAt(pointer)?.value;
      for (const name of names) {
        if (!this.isCompatible && findMember(declared, name) === undefined) continue;
        getOrAdd(mergedProperties, pointer, () => new Set<string>()).add(name);
      }
    }
  }

  /** Adds results of `covtool mutate`; from another description, only those for parts documented here. */
  #addNoticed({ noticed }: Hits, plan: OperationPlan, file: OperationFile): void {
    for (const [status, part, path, schema_path, ...results] of file.noticed ?? []) {
      const [reached, changes, reason, reachedBy = [], noticedBy = []] = results;
      const response = this.#names.response(plan, status);
      if (response === undefined) continue;
      const savedPlace = { operation: plan.index, response, part, path, schema_path };
      const place = this.#isCarried ? carryPart(plan, savedPlace) : savedPlace;
      if (place === undefined) {
        const { operation } = file;
        const subject = { operation, schema_path, status_code: status };
        this.#dropped.push({ kind: "response", ...subject, hits: reached });
        continue;
      }
      const hits = noticed.part(place);
      hits.reached = addCounts(hits.reached, reached);
      hits.reason ??= reason ?? undefined;
      for (const test of reachedBy) hits.reachedBy.add(test);
      for (const test of noticedBy) hits.noticedBy.add(test);
      for (const [change, runs, noticedRuns, passed, timedOut] of changes) {
        noticed.add(place, change, { runs, noticed: noticedRuns, passed, timedOut });
      }
    }
  }

  #addEvidence(
    { evidence }: OperationHits,
    plan: OperationPlan,
    saved: OperationFile,
    moves: ReadonlyMap<number, KeywordMoves>,
  ): void {
    const parameterIndex = (name: string): number => this.#names.parameter(plan, name) ?? -1;
    const findParameter = (name: string) => plan.parameters[parameterIndex(name)];
    for (const entry of readEvidence(saved, findParameter, this.timeAt)) {
      const { kind, parameter: name, detail, isRequired, firstAt, example, count } = entry;
      if (name === undefined) {
        if (this.#stillHolds(plan, entry)) {
          evidence.add(kind, -1, detail, firstAt, example, count);
        }
        continue;
      }
      const index = parameterIndex(name);
      const parameter = plan.parameters[index];
      const path = parameter &&
        (isRequired ? requiredRule(parameter) : movedPath(moves.get(index), detail));
      if (path !== undefined) {
        evidence.add(kind, index, path, firstAt, example, count);
        continue;
      }
      const { operation } = saved;
      const dropped = { kind: "keyword", operation, parameter: name, schema_path: detail } as const;
      if (!this.#isReported(dropped)) this.#dropped.push({ ...dropped, hits: count });
    }
  }

  /** True if evidence about no parameter also proves something under this description. */
  #stillHolds(plan: OperationPlan, { kind, detail }: EvidenceEntry): boolean {
    if (this.isCompatible) return true;
    if (isCredentialKind(kind)) return hasSecurityText(plan, detail);
    if (kind === "server_error" || kind === "failed") return true;
    if (kind === "undocumented_status" || kind === "slash_redirect") {
      return documentedResponse(plan.model.responses, Number(detail)) < 0;
    }
    // Whether the requests are valid here, too, is unknown.
    return this.#keepsFindings || !this.#isCarried;
  }

  /** True if counts of the keyword or its parameter are already reported as lost, which covers its evidence. */
  #isReported(
    { operation, parameter, schema_path }: Pick<DroppedHits, "operation" | "parameter"> & {
      readonly schema_path: string;
    },
  ): boolean {
    return this.#dropped.some((reported) => {
      if (reported.operation !== operation || reported.parameter !== parameter) return false;
      if (reported.kind === "parameter") return true;
      // Pointers of counts of a parameter's own schema are relative to the parameter.
      const path = reported.schema_path?.replace(/^(?:schema|itemSchema)(?=\/)/, "");
      return reported.kind === "keyword" && path !== undefined && schema_path.endsWith(path);
    });
  }

  #addParameter(
    hits: ParameterHits,
    plan: ParameterPlan,
    saved: ParameterFile,
    operation: string,
  ): KeywordMoves {
    const [parameter, count, , first, details] = saved;
    hits.merge(count, this.timeAt(first));
    const moves = this.#addSchemas(hits, plan, saved, operation);
    if (details === undefined) return moves;
    hits.malformed = addCounts(hits.malformed, details.malformed ?? 0);
    hits.notRecorded = addCounts(hits.notRecorded, details.not_recorded ?? 0);
    hits.nestedTooDeep ||= details.nested_too_deep === true;
    hits.replaced ||= details.replaced === true;
    hits.patternUnjudged ||= details.pattern_unjudged === true;
    hits.tooLong ||= details.too_long === true;
    const examplePlace = this.#examplePlaces(plan, saved, operation);
    for (const [at, , count, first] of details.examples ?? []) {
      const place = examplePlace(at);
      if (place !== undefined) hits.merge(count, this.timeAt(first), hits.exampleAt(place));
    }
    for (const [value, count] of details.values ?? []) {
      const index = plan.values.indexOf(value);
      if (index < 0) {
        this.#dropped.push({ kind: "value", operation, parameter, value, hits: count });
        continue;
      }
      const values = hits.values ??= [];
      values[index] = addCounts(values[index] ?? 0, count);
    }
    this.#addTestList(hits.at, details.tests);
    for (const [index, list] of details.example_tests ?? []) {
      const place = examplePlace(index);
      if (place !== undefined) this.#addTestList(hits.exampleAt(place), list);
    }
    return moves;
  }

  /** Returns a function from old to new indexes of the parameter's own examples. */
  #examplePlaces(
    plan: ParameterPlan,
    [parameter, , , , details]: ParameterFile,
    operation: string,
  ): (index: number) => number | undefined {
    if (this.isCompatible || details?.examples === undefined) return (index) => index;
    const places = new Map<number, number>();
    const { layouts } = this.#plan;
    const hashes = plan.model.examples.map(({ value }) => layouts.shortHash(value));
    const usedPlaces = new Set<number>();
    for (const [index, hash, hits] of details.examples) {
      const place = hashes[index] === hash
        ? index
        : hashes.findIndex((other, at) => other === hash && !usedPlaces.has(at));
      if (place < 0) {
        this.#dropped.push({ kind: "example", operation, parameter, hits });
      } else {
        places.set(index, place);
        usedPlaces.add(place);
      }
    }
    return (index) => places.get(index);
  }

  /** Adds whole blocks if the units have the same counters as in the file; otherwise adds keyword by keyword. */
  #addSchemas(
    hits: ParameterHits,
    plan: ParameterPlan,
    saved: ParameterFile,
    operation: string,
  ): KeywordMoves {
    const [parameter, , counts = [], parameterFirst, details] = saved;
    const slots = details?.schema_tests ?? [];
    if (this.isCompatible || !this.#isCarried && this.#fitsUnits(plan, saved, false)) {
      for (const block of counts) {
        this.#addBlock(hits, this.#unit(block[0], plan) as CountedUnit, block, parameterFirst); // `#fitsUnits` found it
      }
      for (const [schema, lists] of slots) {
        const base = hits.counters.base(this.#unit(schema, plan) as CountedUnit); // `#fitsUnits` found it
        for (const [slot, list] of lists) this.#addTestList(base + slot, list);
      }
      return undefined;
    }
    const { counters } = hits;
    const moves = new Map<string, string>();
    for (const carried of carrySchemas(this.#plan, plan, this.#file, saved, this.timeAt)) {
      if ("from" in carried) {
        moves.set(carried.from, carried.to);
        continue;
      }
      if (!("unit" in carried)) {
        const { kind, schema_path, hits } = carried;
        this.#dropped.push({ kind, operation, parameter, schema_path, hits });
        continue;
      }
      const at = counters.base(carried.unit) + carried.slot;
      hits.merge(carried.count, carried.first, at);
      this.#addTestList(at, carried.tests);
    }
    return moves;
  }

  /** True if each unit has as many counters as the file; unless the version is the same, layouts are compared, too. */
  #fitsUnits(
    plan: ParameterPlan,
    [, , counts = [], , details]: ParameterFile,
    isSameVersion: boolean,
  ): boolean {
    const unitSize = (schema: number): number => {
      const unit = this.#unit(schema, plan);
      if (unit === undefined) return -1;
      const isSame = isSameVersion ||
        this.#plan.layouts.text(unit) === this.#file.schemas[schema]?.[1];
      return isSame ? unit.size : -1;
    };
    return counts.every(([schema, numbers]) => unitSize(schema) === numbers.length) &&
      (details?.schema_tests ?? []).every(([schema, slots]) => {
        const size = unitSize(schema);
        return slots.every(([slot]) => slot < size);
      });
  }

  #unit(schema: number, parameter: ParameterPlan): CountedUnit | undefined {
    return this.#names.unit(this.#file.schemas[schema]?.[0] ?? "", parameter);
  }

  #addBlock(
    { counters }: ParameterHits,
    unit: CountedUnit,
    [, numbers, first]: CountsFile,
    parameterFirst: TimeIndex | undefined,
  ): void {
    const base = counters.base(unit);
    const { store } = counters;
    const { counts } = store;
    const { timeAt } = this;
    const commonTime = typeof first === "object" ? undefined : timeAt(first ?? parameterFirst);
    let nextTime = 0;
    for (let slot = 0; slot < numbers.length; slot++) {
      const number = numbers[slot] as number; // the index is within the list
      if (number === 0) continue;
      counts[base + slot] = addCounts(counts[base + slot] as number, number);
      const time = commonTime ?? timeAt((first as readonly TimeIndex[])[nextTime++]);
      if (time !== Infinity) store.addTime(base + slot, time);
    }
  }

  #addTests(operation: OperationHits, plan: OperationPlan, saved: OperationFile): void {
    this.#addTestList(operation.at, saved.tests);
    for (const [status, list] of saved.response_tests ?? []) {
      const response = operation.responses[this.#names.response(plan, status) ?? -1];
      if (response !== undefined) this.#addTestList(response.at, list);
    }
    for (const [status, list] of saved.undocumented_tests ?? []) {
      const response =
        operation.responses[documentedResponse(plan.model.responses, Number(status))];
      this.#addTestList((response ?? operation.undocumentedResponse(status)).at, list);
    }
  }

  #addTestList(at: number, tests: TestIndexes = []): void {
    for (const test of tests) this.#coveredBy.add(at, this.#tests[test] as number); // `checkHits` checked it
  }

  #fitsOperation(saved: OperationFile): boolean {
    const names = this.#names;
    const plan = names.operations.get(saved.operation);
    if (plan === undefined) return false;
    const { responses = [], evidence = {}, parameters = [], response_parts = [] } = saved;
    return responses.every(([status]) => names.response(plan, status) !== undefined) &&
      Object.values(evidence).every((entries) =>
        entries.every(([, , , , parameter]) =>
          typeof parameter !== "string" || names.parameter(plan, parameter) !== undefined
        )
      ) &&
      parameters.every((parameter) =>
        this.#fitsPart(plan.parameters[names.parameter(plan, parameter[0]) ?? -1], parameter)
      ) &&
      response_parts.every(([status, parts]) => {
        const response = plan.response(names.response(plan, status) ?? -1);
        return response !== undefined &&
          parts.every((part) =>
            this.#fitsPart(response.parts[names.part(response, part[0]) ?? -1], part)
          );
      });
  }

  #fitsPart(plan: ParameterPlan | undefined, part: ParameterFile): boolean {
    if (plan === undefined || !this.#fitsUnits(plan, part, true)) return false;
    const { examples = [], values = [], example_tests = [] } = part[4] ?? {};
    const { length } = plan.model.examples;
    return [...examples, ...example_tests].every(([index]) => index < length) &&
      values.every(([value]) => plan.values.includes(value));
  }
}

function movedPath(moves: KeywordMoves, path: string): string | undefined {
  return moves === undefined ? path : moves.get(path);
}

const FORM_TYPES: readonly string[] = ["application/x-www-form-urlencoded", "multipart/form-data"];

function documentsBody({ parameters }: OperationPlan, mediaType: string): boolean {
  const types = parameters.flatMap(({ model: { location, mediaType, consumes } }) =>
    location === "body"
      ? mediaType ?? consumes ?? "*/*"
      : location === "form_data"
      ? FORM_TYPES
      : []
  );
  // Without a Content-Type, a body belongs to the only documented media type.
  return mediaType === "" ? types.length === 1 : selectMediaType(mediaType, types) >= 0;
}

/** True if the status is documented without this media type, or is `undocumented` here as it was there. */
function lacksContent(
  plan: OperationPlan,
  status: string,
  mediaType: string,
  undocumented: ReadonlySet<string>,
): boolean {
  const { method, responses } = plan.model;
  const index = documentedResponse(responses, Number(status));
  if (index < 0) return undocumented.has(status);
  if (!mayHaveBody(method, status)) return false;
  const types = plan.response(index)?.mediaTypes.flatMap(({ model }) =>
    model.mediaType ?? model.consumes ?? "*/*"
  );
  return selectMediaType(mediaType, types ?? []) < 0;
}

function addNamedCounts(counts: Map<string, number>, saved: OperationFile["links"] = []): void {
  for (const [name, count] of saved) counts.set(name, addCounts(counts.get(name) ?? 0, count));
}

function countResponses({ responses = [], undocumented = [] }: OperationFile): number {
  return [...responses, ...undocumented].reduce((sum, [, hits]) => sum + hits, 0);
}
