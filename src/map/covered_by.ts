import { compareText, getOrAdd } from "../values/collections.ts";
import type { CountedUnit } from "../schema/counted_unit.ts";
import { keptText } from "../http/query_string.ts";
import type { OperationHits, ParameterHits } from "./operation_hits.ts";
import type { ParameterPlan } from "./parameter_plan.ts";

export interface KeywordTests {
  readonly valid: TestList;
  readonly invalid: TestList;
}

/** The tests that covered the parts of a parameter, by the pointer that users see; parts that no test covered are absent. */
interface ParameterPartTests {
  readonly keywords: ReadonlyMap<string, KeywordTests>;
  readonly examples: ReadonlyMap<string, TestList>;
}

const NONE: TestList = [];

/** The tests that covered the parts of a parameter. A schema with two blocks of counters is one keyword each. */
export function parameterTests(plan: ParameterPlan, tests: ParameterTests): ParameterPartTests {
  const keywords = new Map<string, KeywordTests>();
  const examples = new Map<string, TestList>();
  for (const [unit, slots] of tests.units) {
    for (const { node, keyword, slot } of unit.keywords) {
      const valid = slots[slot];
      const invalid = slots[slot + 1];
      if (valid === undefined && invalid === undefined) continue;
      const path = node.pathOf(keyword);
      const known = keywords.get(path);
      keywords.set(path, {
        valid: union(known?.valid, valid),
        invalid: union(known?.invalid, invalid),
      });
    }
    for (const { schema_path, slot } of unit.tallies) {
      const found = slots[slot];
      if (found !== undefined) examples.set(schema_path, union(examples.get(schema_path), found));
    }
  }
  for (const { schema_path, index } of plan.ownExamples) {
    const found = tests.examples[index];
    if (found !== undefined) examples.set(schema_path, found);
  }
  return { keywords, examples };
}

function union(left: TestList = NONE, right: TestList = NONE): TestList {
  if (left.length === 0) return right;
  const all = [...left];
  for (const test of right) addTest(all, test);
  return all;
}

/** Tests by their index in {@linkcode CoveredBy.names}, each once, in ascending order. */
export type TestList = readonly number[];

/** The tests to keep, the first by their names: a server may run for months, with another name for every request. */
export const TESTS_KEPT = 100_000;

export class ParameterTests {
  readonly tests: number[] = [];
  /** By the index of the example of the parameter itself; examples that no test used are absent. */
  readonly examples: (number[] | undefined)[] = [];
  /** By the slot of the unit's block; absent ones were not counted by a test. */
  readonly units: Map<CountedUnit, (number[] | undefined)[]> = new Map();

  /** The tests of a unit's slots, begun where there are none. */
  unit(unit: CountedUnit): (number[] | undefined)[] {
    return getOrAdd(this.units, unit, () => []);
  }
}

export class OperationTests {
  readonly tests: number[] = [];
  /** By the parameter's index; absent ones were not sent by a test. */
  readonly parameters: (ParameterTests | undefined)[] = [];
  /** By the index of the documented response; responses that no test received are absent. */
  readonly responses: (number[] | undefined)[] = [];
  readonly undocumented: Map<string, number[]> = new Map();

  parameter(index: number): ParameterTests {
    return this.parameters[index] ??= new ParameterTests();
  }
}

interface ParameterBefore {
  readonly hits: number;
  readonly examples: readonly number[];
  /** The blocks that there were, one after the other. */
  readonly counts: Float64Array;
}

/** The counts of an operation before a test called it. */
interface Before {
  /** The test; {@linkcode DROPPED} if it is not kept. */
  test: number;
  readonly responses: readonly number[];
  readonly undocumented: ReadonlyMap<string, number>;
  readonly parameters: readonly (ParameterBefore | undefined)[];
}

/** The index of tests that are not kept. */
const DROPPED = -1;

/**
 * The tests that covered each thing. Counting ignores tests: when a test calls an operation, its counters are copied,
 * and whatever has grown by the time another test calls it belongs to the first. So traffic without test names costs
 * nothing, and traffic with names costs one copy per test and operation, not per request.
 */
export class CoveredBy {
  /** In the order in which they first sent something; at most {@linkcode TESTS_KEPT} once settled. */
  readonly names: string[] = [];
  /** By the operation's index; absent ones were not called by a test. Complete after {@linkcode CoveredBy.settle}. */
  readonly operations: (OperationTests | undefined)[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #before = new Map<number, Before>();
  readonly #kept: number;
  #isCut = false;

  constructor(kept: number = TESTS_KEPT) {
    this.#kept = kept;
  }

  get isUsed(): boolean {
    return this.names.length > 0;
  }

  /** True, to the end, if there were more tests than are kept, here or in hits that were merged. */
  get isCut(): boolean {
    return this.#isCut || this.names.length > this.#kept;
  }

  set isCut(isCut: boolean) {
    this.#isCut = isCut;
  }

  /** The index of a test, a new one where it was not seen before. It holds until {@linkcode CoveredBy.trim}. */
  indexOf(name: string): number {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      const kept = keptText(name);
      index = this.names.push(kept) - 1;
      this.#indexes.set(kept, index);
    }
    return index;
  }

  /** Forgets tests beyond those to keep, if there are twice as many. The first by name were among the first before, too. */
  trim(): void {
    if (this.names.length > 2 * this.#kept) this.#cut();
  }

  #cut(): void {
    const limit = [...this.names].sort(compareText)[this.#kept];
    if (limit === undefined) return;
    this.#isCut = true;
    const names = this.names.splice(0);
    this.#indexes.clear();
    const moved = names.map((name) => name < limit ? this.indexOf(name) : DROPPED);
    for (const before of this.#before.values()) before.test = moved[before.test] ?? DROPPED;
    for (const operation of this.operations) {
      if (operation !== undefined) forEachList(operation, (list) => renumber(list, moved));
    }
  }

  operation(index: number): OperationTests {
    return this.operations[index] ??= new OperationTests();
  }

  /** Sets the test that sent the next request; undefined for none. */
  enter(index: number, hits: OperationHits, test: number | undefined): void {
    const before = this.#before.get(index);
    if (before?.test === test) return;
    if (before !== undefined) this.#attribute(index, hits, before);
    if (test === undefined) this.#before.delete(index);
    else this.#before.set(index, noteCounts(hits, test));
  }

  /** Attributes what was counted so far, so that it can be read or added to. */
  settle(hits: readonly (OperationHits | undefined)[]): void {
    for (const [index, before] of this.#before) {
      const operation = hits[index];
      if (operation !== undefined) this.#attribute(index, operation, before);
    }
    this.#before.clear();
    this.#cut();
  }

  #attribute(index: number, hits: OperationHits, before: Before): void {
    const { test } = before;
    if (test === DROPPED) return;
    const tests = this.operation(index);
    addTest(tests.tests, test);
    hits.responses.forEach((response, index) => {
      if (response !== undefined && response.hits > (before.responses[index] ?? 0)) {
        addTest(tests.responses[index] ??= [], test);
      }
    });
    for (const [status, count] of hits.undocumented) {
      if (count === before.undocumented.get(status)) continue;
      const list = getOrAdd(tests.undocumented, status, () => []);
      addTest(list, test);
    }
    hits.parameters.forEach((parameter, index) => {
      const earlier = before.parameters[index];
      if (parameter === undefined || parameter.hits === (earlier?.hits ?? 0)) return;
      attributeParameter(tests.parameter(index), parameter, earlier, test);
    });
  }
}

const NO_COUNTS = new Float64Array(0);

function attributeParameter(
  tests: ParameterTests,
  hits: ParameterHits,
  before: ParameterBefore | undefined,
  test: number,
): void {
  addTest(tests.tests, test);
  hits.examples.forEach((count, index) => {
    if (count > (before?.examples[index] ?? 0)) addTest(tests.examples[index] ??= [], test);
  });
  const { store: { counts }, units } = hits.counters;
  const earlier = before?.counts ?? NO_COUNTS;
  let offset = 0;
  for (const unit of units) {
    const base = hits.counters.baseOf(unit);
    let slots: (number[] | undefined)[] | undefined;
    for (let slot = 0; slot < unit.size; slot++) {
      const at = offset + slot;
      const known = at < earlier.length ? earlier[at] as number : 0;
      if (counts[base + slot] === known) continue;
      slots ??= tests.unit(unit);
      addTest(slots[slot] ??= [], test);
    }
    offset += unit.size;
  }
}

function noteCounts(hits: OperationHits, test: number): Before {
  return {
    test,
    responses: Array.from(hits.responses, (response) => response?.hits ?? 0),
    undocumented: new Map(hits.undocumented),
    parameters: Array.from(hits.parameters, (parameter) => parameter && noteParameter(parameter)),
  };
}

function noteParameter({ hits, examples, counters }: ParameterHits): ParameterBefore {
  const { store, units } = counters;
  const counts = new Float64Array(units.reduce((sum, unit) => sum + unit.size, 0));
  let offset = 0;
  for (const unit of units) {
    const base = counters.baseOf(unit);
    counts.set(store.counts.subarray(base, base + unit.size), offset);
    offset += unit.size;
  }
  return { hits, examples: [...examples], counts };
}

/** Goes through all lists of an operation's tests; empty ones may remain. */
function forEachList(operation: OperationTests, visit: (list: number[]) => void): void {
  const { tests, responses, undocumented, parameters } = operation;
  visit(tests);
  for (const list of responses) if (list !== undefined) visit(list);
  for (const list of undocumented.values()) visit(list);
  for (const parameter of parameters) {
    if (parameter === undefined) continue;
    visit(parameter.tests);
    for (const list of parameter.examples) if (list !== undefined) visit(list);
    for (const slots of parameter.units.values()) {
      for (const list of slots) if (list !== undefined) visit(list);
    }
  }
}

/** Gives tests their new indexes, which are in the same order; those that are not kept go. */
function renumber(list: number[], moved: readonly number[]): void {
  let size = 0;
  for (const test of list) {
    const index = moved[test] ?? DROPPED;
    if (index !== DROPPED) list[size++] = index;
  }
  list.length = size;
}

/** Inserts a test into a sorted list of tests. */
export function addTest(list: number[], test: number): void {
  const last = list.at(-1);
  if (last === undefined || last < test) {
    list.push(test); // tests mostly come one after the other
    return;
  }
  let start = 0;
  let end = list.length;
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((list[middle] as number) < test) start = middle + 1; // within its bounds
    else end = middle;
  }
  if (list[start] !== test) list.splice(start, 0, test);
}
