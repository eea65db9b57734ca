import { addCounts } from "../../values/add_counts.ts";
import { tooMany } from "../../values/too_many.ts";
import type { CoveragePlan } from "../coverage_plan.ts";
import { addTest } from "../covered_by.ts";
import type { Hits } from "../hits.ts";
import type { ParameterHits } from "../operation_hits.ts";
import { addSame, sameHits } from "./add_same.ts";
import type { HitsFile, TestIndexes } from "./hits_format.ts";
import { addCredentials, placeCredentials } from "./place_credentials.ts";
import { largestInFile, largestInHits } from "./largest_count.ts";
import { placeHits } from "./place_hits.ts";
import type { DroppedHits } from "../results.ts";
import type { PlacedHits, PlacedOperation, PlacedParameter } from "./placed_hits.ts";
import { readHits } from "./read_hits.ts";
import { DEFAULT_VISIBLE } from "../visible_parts.ts";
import { upgradeHits } from "./upgrade_hits.ts";

/** Options of merging hits. */
export interface MergeHitsOptions {
  /** The name of the file in errors (default: `the hits`). */
  readonly location?: string | undefined;
  /**
   * Takes hits of another description, too (default: false): counts move where operation, parameter and the keyword
   * with its value are the same, examples by value, responses by status.
   */
  readonly carry?: boolean | undefined;
}

/**
 * Adds hits that a map of the same description exported; all of them or, where something is wrong, none.
 *
 * @param bytes One or more hits files, one after the other.
 * @returns what could not be carried over from another description.
 * @throws {RecordingError} if the bytes aren't a hits file, are damaged, or are hits of another description, or where
 * sums would no longer be exact.
 */
export function mergeHits(
  plan: CoveragePlan,
  hits: Hits,
  bytes: Uint8Array,
  { location = "the hits", carry = false }: MergeHitsOptions = {},
): DroppedHits[] {
  const files = readHits(bytes, location, (old) => upgradeHits(plan, old));
  const added = files.reduce((sum, file) => sum + largestInFile(file), 0);
  const room = Number.MAX_SAFE_INTEGER - added;
  if (largestInHits(hits, room) > room) throw tooMany(location);
  const placed = files.map((file) =>
    sameHits(plan, file) ?? placeHits(plan, file, { location, carry })
  );
  const credentials = files.flatMap((file) => placeCredentials(plan, file));
  for (const file of placed) {
    const isSame = "file" in file;
    addTotals(hits, isSame ? file.file : file);
    if (isSame) addSame(plan, hits, file);
    else addPlaced(hits, file);
  }
  addCredentials(hits.credentials, credentials);
  return placed.flatMap((file) => "file" in file ? [] : file.dropped);
}

function addTotals(hits: Hits, file: HitsFile | PlacedHits): void {
  hits.coveredBy.settle(hits.operations); // so that no test here takes what is merged for its own
  hits.coveredBy.isCut ||= file.tests_left_out === true;
  hits.recorded = addCounts(hits.recorded, file.recorded);
  hits.matched = addCounts(hits.matched, file.matched);
  hits.answered = addCounts(hits.answered, file.answered);
  for (const time of file.seen ?? []) hits.seeAt(time);
  if (file.recorded > 0) hits.visible.merge({ ...DEFAULT_VISIBLE, ...file.visible });
  if (file.unmatched !== undefined) hits.unmatched.merge(file.unmatched);
  hits.hints.merge(file.hints ?? []);
  hits.store.mix();
}

function addPlaced(hits: Hits, placed: PlacedHits): void {
  for (const operation of placed.operations) addOperation(hits, operation);
  addTests(hits, placed);
}

function addOperation(hits: Hits, placed: PlacedOperation): void {
  const operation = hits.operation(placed.index);
  operation.hits = addCounts(operation.hits, placed.hits);
  operation.succeeded = addCounts(operation.succeeded, placed.succeeded);
  operation.refused = addCounts(operation.refused, placed.refused);
  for (const time of placed.seen) if (time !== Infinity) operation.seeAt(time);
  for (const parameter of placed.parameters) {
    addParameter(operation.parameter(parameter.index), parameter);
  }
  for (const { index, ...saved } of placed.responses) {
    const response = operation.response(index);
    response.hits = addCounts(response.hits, saved.hits);
    response.timed = addCounts(response.timed, saved.timed);
    response.elapsed = addCounts(response.elapsed, saved.elapsed);
    response.slowest = Math.max(response.slowest, saved.slowest);
    response.cameAt(saved.firstAt);
  }
  operation.answeredBodies = addCounts(operation.answeredBodies, placed.answeredBodies);
  for (const { response, ...saved } of placed.responseParts) {
    const part = operation.response(response).part(saved.index);
    addParameter(part, saved);
    part.undecoded ||= saved.undecoded;
    part.violations.merge(saved.violations);
  }
  operation.undocumentedProperties.merge(placed.undocumentedProperties);
  operation.undocumentedAnswers.merge(placed.undocumentedAnswers);
  operation.undocumentedBodies.merge(placed.undocumentedBodies);
  operation.evidence.merge(placed.evidence);
  for (const [status, count] of placed.undocumented) {
    operation.undocumented.set(
      status,
      addCounts(operation.undocumented.get(status) ?? 0, count),
    );
  }
}

function addParameter(parameter: ParameterHits, placed: PlacedParameter): void {
  parameter.hits = addCounts(parameter.hits, placed.hits);
  parameter.carriedAt(placed.firstAt);
  parameter.malformed = addCounts(parameter.malformed, placed.malformed);
  parameter.notRecorded = addCounts(parameter.notRecorded, placed.notRecorded);
  parameter.nestedTooDeep ||= placed.nestedTooDeep;
  parameter.replaced ||= placed.replaced;
  parameter.patternUnjudged ||= placed.patternUnjudged;
  for (const { index, hits, firstAt } of placed.examples) {
    parameter.examples[index] = addCounts(parameter.examples[index] ?? 0, hits);
    parameter.exampleFirsts[index] = Math.min(parameter.exampleFirsts[index] ?? Infinity, firstAt);
  }
  for (const [index, hits] of placed.values) {
    const values = parameter.values ??= [];
    values[index] = addCounts(values[index] ?? 0, hits);
  }
  const { store } = parameter.counters;
  for (const { unit, counts: block, firsts } of placed.blocks) {
    const base = parameter.counters.baseOf(unit);
    const { counts } = store;
    block.forEach((count, slot) => {
      counts[base + slot] = addCounts(counts[base + slot] as number, count); // within the block
    });
    firsts?.forEach((time, slot) => {
      if (time !== Infinity) store.noteAt(base + slot, time);
    });
  }
}

function addTests({ coveredBy }: Hits, { testNames, operations }: PlacedHits): void {
  if (testNames.length === 0) return;
  const indexes = testNames.map((name) => coveredBy.indexOf(name));
  const add = (list: number[], tests: TestIndexes): void => {
    for (const test of tests) addTest(list, indexes[test] as number); // the file was checked
  };
  for (const placed of operations) {
    if (placed.tests.length === 0) continue;
    const operation = coveredBy.operation(placed.index);
    add(operation.tests, placed.tests);
    for (const [index, tests] of placed.responseTests) {
      add(operation.responses[index] ??= [], tests);
    }
    for (const [status, tests] of placed.undocumentedTests) {
      let list = operation.undocumented.get(status);
      if (list === undefined) operation.undocumented.set(status, list = []);
      add(list, tests);
    }
    for (const { index, tests, exampleTests, unitTests } of placed.parameters) {
      if (tests === undefined) continue;
      const parameter = operation.parameter(index);
      add(parameter.tests, tests);
      for (const [index, tests] of exampleTests) add(parameter.examples[index] ??= [], tests);
      for (const { unit, slots } of unitTests) {
        const lists = parameter.unit(unit);
        for (const [slot, tests] of slots) add(lists[slot] ??= [], tests);
      }
    }
  }
}
