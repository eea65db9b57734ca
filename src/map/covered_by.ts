import { compareText } from "../values/collections.ts";
import { internText } from "../http/request_text.ts";
import type { OperationHits, ParameterHits } from "./operation_hits.ts";
import type { ParameterPlan } from "./parameter_plan.ts";

export interface KeywordTests {
  readonly valid: TestList;
  readonly invalid: TestList;
}

/** The tests that covered the keywords and examples of a parameter, by the pointers that reports show. */
interface ParameterPartTests {
  readonly keywords: ReadonlyMap<string, KeywordTests>;
  readonly examples: ReadonlyMap<string, TestList>;
}

const NONE: TestList = [];

/** Merges the tests of a schema that has two blocks of counters, as reports show each of its keywords once. */
export function parameterTests(
  plan: ParameterPlan,
  { counters, exampleAts }: ParameterHits,
  coveredBy: CoveredBy,
): ParameterPartTests {
  const keywords = new Map<string, KeywordTests>();
  const examples = new Map<string, TestList>();
  for (const unit of counters.units) {
    const base = counters.base(unit);
    for (const { node, keyword, slot } of unit.keywords) {
      const valid = coveredBy.testsAt(base + slot);
      const invalid = coveredBy.testsAt(base + slot + 1);
      if (valid === undefined && invalid === undefined) continue;
      const path = node.schemaPath(keyword);
      const existing = keywords.get(path);
      keywords.set(path, {
        valid: union(existing?.valid, valid),
        invalid: union(existing?.invalid, invalid),
      });
    }
    for (const { schema_path, slot } of unit.tallies) {
      const tests = coveredBy.testsAt(base + slot);
      if (tests !== undefined) examples.set(schema_path, union(examples.get(schema_path), tests));
    }
  }
  for (const { schema_path, index } of plan.ownExamples) {
    const tests = coveredBy.testsAt(exampleAts[index]);
    if (tests !== undefined) examples.set(schema_path, tests);
  }
  return { keywords, examples };
}

function union(left: TestList = NONE, right: TestList = NONE): TestList {
  if (left.length === 0) return right;
  const all = [...left];
  for (const test of right) addTest(all, test);
  return all;
}

/** Indexes into {@linkcode CoveredBy.names}, unique and ascending. */
export type TestList = readonly number[];

/** The number of tests kept, first by name. A server may run for months with a new test name for every request. */
export const MAX_TESTS = 100_000;

/** The index that replaces those of dropped tests. */
const DROPPED = -1;

/**
 * The tests that covered each counter. Counting doesn't involve tests: a copy of the store is kept, and when another
 * test calls an operation, all growth since that copy belongs to the previous caller. So traffic without test names
 * costs nothing, and traffic with names costs a second store and a comparison per change of caller, not per request.
 */
export class CoveredBy {
  /** In the order of their first requests; at most {@linkcode MAX_TESTS} once settled. */
  readonly names: string[] = [];
  readonly #indexes = new Map<string, number>();
  /** Indexed like the counters in the store. */
  #tests: (number[] | undefined)[] = [];
  /** The current caller of each operation; {@linkcode DROPPED} if that test was dropped. */
  readonly #callers = new Map<OperationHits, number>();
  /** A copy of the store's counts from before the current callers, at the same indexes. */
  #attributedCounts = new Float64Array(0);
  readonly #limit: number;
  #isTruncated = false;

  constructor(limit: number = MAX_TESTS) {
    this.#limit = limit;
  }

  get isUsed(): boolean {
    return this.names.length > 0;
  }

  /** True, permanently, if there were more tests than are kept, here or in merged hits. */
  get isTruncated(): boolean {
    return this.#isTruncated || this.names.length > this.#limit;
  }

  set isTruncated(isTruncated: boolean) {
    this.#isTruncated = isTruncated;
  }

  /** Returns the index of a test, adding the test if it is new. Valid until {@linkcode CoveredBy.trim}. */
  testIndex(name: string): number {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      const shortName = internText(name);
      index = this.names.push(shortName) - 1;
      this.#indexes.set(shortName, index);
    }
    return index;
  }

  /** Drops excess tests once there are twice as many as to keep. Which tests remain doesn't depend on when it drops. */
  trim(): void {
    if (this.names.length > 2 * this.#limit) this.#dropExcess();
  }

  #dropExcess(): void {
    const firstDropped = [...this.names].sort(compareText)[this.#limit];
    if (firstDropped === undefined) return;
    this.#isTruncated = true;
    const names = this.names.splice(0);
    this.#indexes.clear();
    const newIndexes = names.map((name) => name < firstDropped ? this.testIndex(name) : DROPPED);
    for (const [hits, test] of this.#callers) this.#callers.set(hits, newIndexes[test] ?? DROPPED);
    this.#tests.forEach((list, at) => {
      if (list === undefined) return;
      renumber(list, newIndexes);
      if (list.length === 0) this.#tests[at] = undefined;
    });
  }

  /** Returns the tests that raised the counter at an index, if any. Complete after {@linkcode CoveredBy.attributeCounts}. */
  testsAt(at: number | undefined): TestList | undefined {
    return at === undefined ? undefined : this.#tests[at];
  }

  add(at: number, test: number): void {
    if (at >= this.#tests.length) {
      const grown = new Array<number[] | undefined>(Math.max(256, 2 * at)); // V8 would turn a short, sparse array into a hash table
      this.#tests.forEach((list, index) => grown[index] = list);
      this.#tests = grown;
    }
    const list = this.#tests[at];
    if (list === undefined) this.#tests[at] = [test];
    else addTest(list, test);
  }

  /** Sets the test that sends the next request to an operation; undefined if it has no name. */
  setCaller(hits: OperationHits, test: number | undefined): void {
    const caller = this.#callers.get(hits);
    if (caller === test) return;
    this.#attribute(hits, caller);
    if (test === undefined) this.#callers.delete(hits);
    else this.#callers.set(hits, test);
  }

  /** Attributes all counts so far, so that the lists of tests can be read or merged. */
  attributeCounts(): void {
    for (const [hits, test] of this.#callers) this.#attribute(hits, test);
    this.#callers.clear();
    this.#dropExcess();
  }

  #attribute(hits: OperationHits, test: number | undefined): void {
    const { counts } = hits.store;
    if (this.#attributedCounts.length < counts.length) {
      const grown = new Float64Array(counts.length);
      grown.set(this.#attributedCounts);
      this.#attributedCounts = grown;
    }
    const attributed = this.#attributedCounts;
    const isListed = test !== undefined && test !== DROPPED;
    const attributeBlock = (at: number, length = 1): boolean => {
      let hasGrown = false;
      for (let index = at; index < at + length; index++) {
        if (counts[index] === attributed[index]) continue;
        attributed[index] = counts[index] as number; // the index is within the block
        hasGrown = true;
        if (isListed) this.add(index, test);
      }
      return hasGrown;
    };
    attributeBlock(hits.at);
    for (const response of hits.responses) if (response !== undefined) attributeBlock(response.at);
    for (const { at } of hits.undocumentedResponses.values()) attributeBlock(at);
    for (const parameter of hits.parameters) {
      if (parameter === undefined || !attributeBlock(parameter.at)) continue;
      for (const at of parameter.exampleAts) if (at !== undefined) attributeBlock(at);
      const { counters } = parameter;
      for (const unit of counters.units) attributeBlock(counters.base(unit), unit.size);
    }
  }
}

/** Replaces indexes of tests by their new ones, which keep the order, and removes dropped tests. */
function renumber(list: number[], newIndexes: readonly number[]): void {
  let size = 0;
  for (const test of list) {
    const index = newIndexes[test] ?? DROPPED;
    if (index !== DROPPED) list[size++] = index;
  }
  list.length = size;
}

function addTest(list: number[], test: number): void {
  const last = list.at(-1);
  if (last === undefined || last < test) {
    list.push(test); // tests mostly run one after the other
    return;
  }
  let start = 0;
  let end = list.length;
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((list[middle] as number) < test) start = middle + 1; // the index is within the list
    else end = middle;
  }
  if (list[start] !== test) list.splice(start, 0, test);
}
