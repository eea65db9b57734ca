import { compareText, getOrAdd } from "../values/collections.ts";
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
export function parameterTests(
  plan: ParameterPlan,
  { counters, exampleAts }: ParameterHits,
  tests: CoveredBy,
): ParameterPartTests {
  const keywords = new Map<string, KeywordTests>();
  const examples = new Map<string, TestList>();
  for (const unit of counters.units) {
    const base = counters.baseOf(unit);
    for (const { node, keyword, slot } of unit.keywords) {
      const valid = tests.of(base + slot);
      const invalid = tests.of(base + slot + 1);
      if (valid === undefined && invalid === undefined) continue;
      const path = node.pathOf(keyword);
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

/** The counts of an operation before a test called it. */
interface Before {
  /** The test; {@linkcode DROPPED} if it is not kept. */
  test: number;
  /** The blocks that there were, one after the other. */
  readonly counts: readonly number[];
  /** Where each block is among them, by its index in the store. */
  readonly places: ReadonlyMap<number, number>;
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
  readonly #indexes = new Map<string, number>();
  /** By the index of the counter in the store. */
  readonly #tests = new Map<number, number[]>();
  readonly #before = new Map<OperationHits, Before>();
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
    for (const [at, list] of this.#tests) {
      renumber(list, moved);
      if (list.length === 0) this.#tests.delete(at);
    }
  }

  /** The tests that counted at an index of the store; undefined if there are none. Complete after {@linkcode CoveredBy.settle}. */
  of(at: number | undefined): TestList | undefined {
    return at === undefined ? undefined : this.#tests.get(at);
  }

  /** Adds a test to those that counted at an index of the store. */
  add(at: number, test: number): void {
    addTest(getOrAdd(this.#tests, at, () => []), test);
  }

  /** Sets the test that sends the next request to an operation; undefined for none. */
  enter(hits: OperationHits, test: number | undefined): void {
    const before = this.#before.get(hits);
    if (before?.test === test) return;
    if (before !== undefined) this.#attribute(hits, before);
    if (test === undefined) this.#before.delete(hits);
    else this.#before.set(hits, noteCounts(hits, test));
  }

  /** Attributes what was counted so far, so that it can be read or added to. */
  settle(): void {
    for (const [hits, before] of this.#before) this.#attribute(hits, before);
    this.#before.clear();
    this.#cut();
  }

  #attribute(hits: OperationHits, { test, counts: earlier, places }: Before): void {
    if (test === DROPPED) return;
    const { counts } = hits.store;
    for (const [at, length] of blocksOf(hits)) {
      const place = places.get(at);
      for (let slot = 0; slot < length; slot++) {
        const known = place === undefined ? 0 : earlier[place + slot];
        if (counts[at + slot] !== known) this.add(at + slot, test);
      }
    }
  }
}

/** The counters of an operation that tests are told for: where each block of them begins, and its length. */
function* blocksOf(hits: OperationHits): Generator<readonly [at: number, length: number], void> {
  yield [hits.at, 1];
  for (const response of hits.responses) if (response !== undefined) yield [response.at, 1];
  for (const { at } of hits.undocumented.values()) yield [at, 1];
  for (const parameter of hits.parameters) {
    if (parameter === undefined) continue;
    yield [parameter.at, 1];
    for (const at of parameter.exampleAts) if (at !== undefined) yield [at, 1];
    const { counters } = parameter;
    for (const unit of counters.units) yield [counters.baseOf(unit), unit.size];
  }
}

function noteCounts(hits: OperationHits, test: number): Before {
  const all = hits.store.counts;
  const counts: number[] = [];
  const places = new Map<number, number>();
  for (const [at, length] of blocksOf(hits)) {
    places.set(at, counts.length);
    for (let slot = 0; slot < length; slot++) counts.push(all[at + slot] as number); // of the store
  }
  return { test, counts, places };
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
