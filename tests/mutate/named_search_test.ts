import assert from "node:assert/strict";
import {
  NoticedHits,
  noticedState,
  placeKey,
  type ResponsePartPlace,
} from "../../src/map/noticed_hits.ts";
import { changesAt } from "../../src/mutate/changes.ts";
import { NamedSearch } from "../../src/mutate/named_search.ts";
import type { Change } from "../../src/mutate/response_changer.ts";
import {
  type CandidatePart,
  forgiveChance,
  MutationSearch,
  type RunResult,
} from "../../src/mutate/search.ts";
import { chance } from "../corpus/random.ts";

interface Test {
  readonly name: string;
  /** The operations that it calls, each with the places in the response that it asserts. */
  readonly asserts: ReadonlyMap<number, ReadonlySet<string>>;
  /** A test that has to pass before this one can pass. */
  readonly needs?: string;
  readonly failsByChance?: number;
}

interface SuiteOptions {
  readonly tests: number;
  readonly operations: number;
  readonly properties: number;
  readonly seed: number;
  /** Number of assertions out of ten per test; in mixed suites, tests have none, a few or all. */
  readonly asserted: number | "mixed";
  /** Share of tests that need another test. */
  readonly needing?: number;
  readonly flaky?: number;
}

/** A random suite: files of ten tests, each of which calls an operation, and some a second one. */
function makeSuite(options: SuiteOptions): readonly Test[] {
  const { tests, operations, properties, seed, asserted, needing = 0, flaky = 0 } = options;
  const next = chance(seed);
  const names = ["status", "body", ...Array.from({ length: properties }, (_, at) => `/p${at}`)];
  const made: Test[] = [];
  for (let index = 0; index < tests; index++) {
    const file = Math.floor(index / 10);
    const asserts = new Map<number, Set<string>>();
    const calls = [index % operations, ...(next() < 0.3 ? [Math.floor(next() * operations)] : [])];
    for (const operation of calls) {
      // A test that asserts a property also notices an empty body.
      const share = asserted === "mixed" ? [0, 3, 10][index % 3] ?? 0 : asserted;
      const own = new Set(names.filter(() => next() * 10 < share));
      if ([...own].some((name) => name.startsWith("/"))) own.add("body");
      asserts.set(operation, own);
    }
    const before = made.findLast(({ name }) => name.startsWith(`f${file}_test.ts > `));
    made.push({
      name: `f${file}_test.ts > t${index}`,
      asserts,
      ...(before !== undefined && next() < needing && { needs: before.name }),
      ...(next() < flaky && { failsByChance: 0.1 }),
    });
  }
  return made;
}

function makeParts(
  suite: readonly Test[],
  { operations, properties }: SuiteOptions,
): CandidatePart[] {
  const parts: CandidatePart[] = [];
  for (let operation = 0; operation < operations; operation++) {
    const tests = new Set(
      suite.filter(({ asserts }) => asserts.has(operation)).map(({ name }) => name),
    );
    if (tests.size === 0) continue;
    const add = (part: ResponsePartPlace["part"], path: string, depth: number): void => {
      const place = { operation, response: 0, schema_path: "", part, path };
      const changes = changesAt(part, "properties");
      parts.push({ place, changes, depth, count: tests.size, tests });
    };
    add("status", "", 0);
    add("body", "", 0);
    for (let index = 0; index < properties; index++) add("property", `/p${index}`, 1);
  }
  return parts;
}

/** The tests that assert a part. */
function findAsserters(
  suite: readonly Test[],
  { operation, part, path }: ResponsePartPlace,
): readonly string[] {
  return suite.filter(({ asserts }) => asserts.get(operation)?.has(path || part))
    .map(({ name }) => name);
}

function isNoticed(suite: readonly Test[], place: ResponsePartPlace): boolean {
  return findAsserters(suite, place).length > 0;
}

/** Runs a suite: tests fail because of their assertions, the tests they need, or chance. */
function runSuite(
  suite: readonly Test[],
  changes: readonly Change[],
  next: () => number,
): RunResult {
  const outcomes = new Map<string, boolean>();
  const applied = new Map<Change, number>();
  for (const { name, asserts, needs, failsByChance = 0 } of suite) {
    let passed = next() >= failsByChance && (needs === undefined || outcomes.get(needs) === true);
    for (const [operation, asserted] of asserts) {
      for (const change of changes) {
        if (change.place.operation !== operation || (change.test ?? name) !== name) continue;
        applied.set(change, (applied.get(change) ?? 0) + 1);
        if (asserted.has(change.place.path || change.place.part)) passed = false;
      }
    }
    outcomes.set(name, passed);
  }
  const passed = [...outcomes.values()].every((outcome) => outcome);
  return { passed, timedOut: false, applied, outcomes };
}

async function search(options: SuiteOptions, isNamed: boolean) {
  const suite = makeSuite(options);
  const parts = makeParts(suite, options);
  const hits = new NoticedHits();
  for (const { place, count } of parts) hits.part(place).reached += count;
  const next = chance(options.seed + 7);
  let runs = 0;
  const run = (changes: readonly Change[]): Promise<RunResult> => {
    runs++;
    return Promise.resolve(runSuite(suite, changes, next));
  };
  const names = new Set(isNamed ? suite.map(({ name }) => name) : []);
  const named = new NamedSearch(parts, names, hits, run);
  await named.search();
  const forgiving = forgiveChance(run, () => {}, (name) => named.isAsked(name));
  await new MutationSearch(parts, hits, forgiving, () => {}, isNamed).search();
  let wrong = 0;
  let untried = 0;
  /** Parts with the wrong noticing test or none. */
  let misnamed = 0;
  for (const { place } of parts) {
    const state = noticedState(hits.find(place));
    const asserters = findAsserters(suite, place);
    const by = [...hits.find(place)?.noticedBy ?? []];
    if ((state === "noticed") !== (by.length > 0) || by.some((name) => !asserters.includes(name))) {
      misnamed++;
    }
    const body = { ...place, part: "body", path: "" } as const;
    if (place.part === "property" && !isNoticed(suite, body)) continue;
    if (state === "not_tried") untried++;
    else if ((state === "noticed") !== isNoticed(suite, place)) wrong++;
  }
  const states = new Map(
    parts.map(({ place }) => [placeKey(place), noticedState(hits.find(place))]),
  );
  return { runs, wrong, untried, misnamed, states };
}

const SUITE: SuiteOptions = { tests: 200, operations: 60, properties: 6, asserted: 7, seed: 1 };

/** Number of runs of the suite, including the two unchanged ones. */
async function countRuns(options: SuiteOptions): Promise<number> {
  const { runs, wrong, untried, misnamed } = await search(options, true);
  assert.equal(wrong + untried, 0, JSON.stringify(options));
  // A test that fails because of another seems to notice what the other notices.
  if (options.needing === undefined) assert.equal(misnamed, 0, JSON.stringify(options));
  return runs + 2;
}

Deno.test("with names, a suite of 200 tests takes about 15 runs instead of hundreds", async () => {
  // If some tests assert all and others nothing, one test may be the only one to notice eight parts or more.
  for (const [asserted, most] of [[0, 7], [10, 11], [5, 16], ["mixed", 20]] as const) {
    for (const seed of [1, 2, 3]) {
      const runs = await countRuns({ ...SUITE, asserted, seed });
      assert.ok(runs <= most, `asserted ${asserted}, seed ${seed}: ${runs} runs`);
    }
  }
  const plain = await search({ ...SUITE, asserted: "mixed" }, false);
  assert.ok(plain.runs > 500, `${plain.runs} runs`);
});

Deno.test("tests that need another one take a few more runs", async () => {
  for (const seed of [1, 2, 3]) {
    const runs = await countRuns({ ...SUITE, asserted: "mixed", needing: 0.05, seed });
    assert.ok(runs <= 28, `seed ${seed}: ${runs} runs`);
  }
});

Deno.test("if one of twenty tests fails by chance, few verdicts are wrong, and runs stay few", async () => {
  let [wrong, untried, parts] = [0, 0, 0];
  for (let seed = 1; seed <= 10; seed++) {
    const found = await search({ ...SUITE, asserted: "mixed", flaky: 0.05, seed }, true);
    wrong += found.wrong;
    untried += found.untried;
    parts += found.states.size;
    assert.ok(found.runs <= 35, `seed ${seed}: ${found.runs} runs`);
  }
  assert.ok(wrong <= parts / 1000 && untried <= parts / 1000, `${wrong} wrong, ${untried} untried`);
});

Deno.test("the search with names gives the same verdicts as the one without", async () => {
  const small = { ...SUITE, tests: 50, operations: 20 };
  const kinds: readonly Partial<SuiteOptions>[] = [
    { asserted: "mixed" },
    { asserted: 3 },
    // Tests that fail because another one failed.
    { needing: 0.1 },
    { needing: 0.7, asserted: 3 },
  ];
  for (const kind of kinds) {
    for (let seed = 1; seed <= 10; seed++) {
      const options = { ...small, ...kind, seed };
      const [named, plain] = [await search(options, true), await search(options, false)];
      assert.equal(named.wrong + named.untried, 0, JSON.stringify(options));
      assert.deepEqual(named.states, plain.states);
    }
  }
});

Deno.test("if one of fifty tests fails by chance, no verdict is wrong", async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const options = { ...SUITE, tests: 50, operations: 20, flaky: 0.02, seed };
    assert.equal((await search(options, true)).wrong, 0, `seed ${seed}`);
  }
});

Deno.test("tests without a reported result are left to the search without names", async () => {
  const options = { ...SUITE, tests: 6, operations: 3 };
  const suite = makeSuite(options);
  const parts = makeParts(suite, options);
  const hits = new NoticedHits();
  for (const { place } of parts) hits.part(place);
  const names = new Set(suite.map(({ name }) => name));
  const run = (changes: readonly Change[]): Promise<RunResult> => {
    const result = runSuite(suite, changes, () => 1);
    return Promise.resolve({ ...result, outcomes: new Map() });
  };
  assert.equal(await new NamedSearch(parts, names, hits, run).search(), true);
  assert.ok(parts.every(({ place }) => noticedState(hits.find(place)) === "not_tried"));
});
