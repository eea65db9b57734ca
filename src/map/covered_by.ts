import { compareText } from "../values/collections.ts";
import { keptText } from "../http/request_text.ts";
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
export function parameterTests(
  plan: ParameterPlan,
  { counters, exampleAts }: ParameterHits,
  tests: CoveredBy,
): ParameterPartTests {
  const keywords = new Map<string, KeywordTests>();
  const examples = new Map<string, TestList>();
  for (const unit of counters.units) {
    const base = counters.base(unit);
    for (const { node, keyword, slot } of unit.keywords) {
      const valid = tests.of(base + slot);
      const invalid = tests.of(base + slot + 1);
      if (valid === undefined && invalid === undefined) continue;
      const path = node.schemaPath(keyword);
      const known = keywords.get(path);
      keywords.set(path, {
        valid: union(known?.valid, valid),
        invalid: union(known?.invalid, invalid),
      });
    }
    for (const { schema_path, slot } of unit.tallies) {
      const found = tests.of(base + slot);
      if (found !== undefined) examples.set(schema_path, union(examples.get(schema_path), found));
    }
  }
  for (const { schema_path, index } of plan.ownExamples) {
    const found = tests.of(exampleAts[index]);
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

/** The index of tests that are not kept. */
const DROPPED = -1;

/**
 * The tests that covered each thing. Counting ignores tests: a copy of the store stands beside it, and when another test
 * calls an operation, whatever has grown there belongs to the one that called it before. So traffic without test names
 * costs nothing, and traffic with names a second store, and a comparison for each test and operation, not each request.
 */
export class CoveredBy {
  /** In the order in which they first sent something; at most {@linkcode TESTS_KEPT} once settled. */
  readonly names: string[] = [];
  readonly #indexes = new Map<string, number>();
  /** By the index of the counter in the store. */
  #tests: (number[] | undefined)[] = [];
  /** The test that calls each operation; {@linkcode DROPPED} if it is not kept. */
  readonly #callers = new Map<OperationHits, number>();
  /** The counts of these operations before their tests called them, at the indexes of the store. */
  #before = new Float64Array(0);
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
  testIndex(name: string): number {
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
    const moved = names.map((name) => name < limit ? this.testIndex(name) : DROPPED);
    for (const [hits, test] of this.#callers) this.#callers.set(hits, moved[test] ?? DROPPED);
    this.#tests.forEach((list, at) => {
      if (list === undefined) return;
      renumber(list, moved);
      if (list.length === 0) this.#tests[at] = undefined;
    });
  }

  /** The tests that counted at an index of the store; undefined if there are none. Complete after {@linkcode CoveredBy.settle}. */
  of(at: number | undefined): TestList | undefined {
    return at === undefined ? undefined : this.#tests[at];
  }

  /** Adds a test to those that counted at an index of the store. */
  add(at: number, test: number): void {
    if (at >= this.#tests.length) {
      const grown = new Array<number[] | undefined>(Math.max(256, 2 * at)); // filled here and there, a short list would become a hash table
      this.#tests.forEach((list, index) => grown[index] = list);
      this.#tests = grown;
    }
    const list = this.#tests[at];
    if (list === undefined) this.#tests[at] = [test];
    else addTest(list, test);
  }

  /** Sets the test that sends the next request to an operation; undefined for none. */
  enter(hits: OperationHits, test: number | undefined): void {
    const caller = this.#callers.get(hits);
    if (caller === test) return;
    this.#pass(hits, caller);
    if (test === undefined) this.#callers.delete(hits);
    else this.#callers.set(hits, test);
  }

  /** Attributes what was counted so far, so that it can be read or added to. */
  settle(): void {
    for (const [hits, test] of this.#callers) this.#pass(hits, test);
    this.#callers.clear();
    this.#cut();
  }

  /** Attributes all that has grown to the test that has called the operation, if it is one that is kept. */
  #pass(hits: OperationHits, test: number | undefined): void {
    const { counts } = hits.store;
    if (this.#before.length < counts.length) {
      const grown = new Float64Array(counts.length);
      grown.set(this.#before);
      this.#before = grown;
    }
    const before = this.#before;
    const isKept = test !== undefined && test !== DROPPED;
    const pass = (at: number, length = 1): boolean => {
      let hasGrown = false;
      for (let index = at; index < at + length; index++) {
        if (counts[index] === before[index]) continue;
        before[index] = counts[index] as number; // within the block
        hasGrown = true;
        if (isKept) this.add(index, test);
      }
      return hasGrown;
    };
    pass(hits.at);
    for (const response of hits.responses) if (response !== undefined) pass(response.at);
    for (const { at } of hits.undocumented.values()) pass(at);
    for (const parameter of hits.parameters) {
      if (parameter === undefined || !pass(parameter.at)) continue;
      for (const at of parameter.exampleAts) if (at !== undefined) pass(at);
      const { counters } = parameter;
      for (const unit of counters.units) pass(counters.base(unit), unit.size);
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
function addTest(list: number[], test: number): void {
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
