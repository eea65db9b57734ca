import assert from "node:assert/strict";
import {
  NoticedHits,
  placeKey,
  type ResponsePlacePart,
  stateOfPart,
} from "../../src/map/noticed_hits.ts";
import { changesAt } from "../../src/mutate/changes.ts";
import { NamedSearch } from "../../src/mutate/named_search.ts";
import type { Change } from "../../src/mutate/response_changer.ts";
import {
  forgiveChance,
  MutationSearch,
  type PlainPart,
  type RunResult,
} from "../../src/mutate/search.ts";
import { chance } from "../corpus/random.ts";

interface Test {
  readonly name: string;
  /** The operations it calls, and what it asserts of each: places in its response. */
  readonly asserts: ReadonlyMap<number, ReadonlySet<string>>;
  /** The test that has to pass before, for this one to pass. */
  readonly needs?: string;
  readonly failsByChance?: number;
}

interface SuiteOptions {
  readonly tests: number;
  readonly operations: number;
  readonly properties: number;
  readonly seed: number;
  /** How many of ten possible assertions tests have; in mixed ones some have none, some a few, and some all. */
  readonly asserted: number | "mixed";
  /** The share of tests that need another one. */
  readonly needing?: number;
  readonly flaky?: number;
}

/** A suite made by chance: files of ten tests, which call an operation each, and some a second one. */
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
      // Who asserts a property misses it in an empty body, too.
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

function partsOf(suite: readonly Test[], { operations, properties }: SuiteOptions): PlainPart[] {
  const parts: PlainPart[] = [];
  for (let operation = 0; operation < operations; operation++) {
    const tests = new Set(
      suite.filter(({ asserts }) => asserts.has(operation)).map(({ name }) => name),
    );
    if (tests.size === 0) continue;
    const add = (part: ResponsePlacePart["part"], path: string, depth: number): void => {
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
function assertersOf(
  suite: readonly Test[],
  { operation, part, path }: ResponsePlacePart,
): readonly string[] {
  return suite.filter(({ asserts }) => asserts.get(operation)?.has(path || part))
    .map(({ name }) => name);
}

function isNoticed(suite: readonly Test[], place: ResponsePlacePart): boolean {
  return assertersOf(suite, place).length > 0;
}

/** Runs a suite: its tests fail with what they assert, without those they need, and by chance. */
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
  const parts = partsOf(suite, options);
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
  /** Parts that are said to be noticed by a test that doesn't assert them, or by none. */
  let misnamed = 0;
  for (const { place } of parts) {
    const state = stateOfPart(hits.find(place));
    const asserters = assertersOf(suite, place);
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
    parts.map(({ place }) => [placeKey(place), stateOfPart(hits.find(place))]),
  );
  return { runs, wrong, untried, misnamed, states };
}

const SUITE: SuiteOptions = { tests: 200, operations: 60, properties: 6, asserted: 7, seed: 1 };

/** Runs of the suite, with the two without changes. */
async function countRuns(options: SuiteOptions): Promise<number> {
  const { runs, wrong, untried, misnamed } = await search(options, true);
  assert.equal(wrong + untried, 0, JSON.stringify(options));
  // A test that fails without another one seems to notice what the other does.
  if (options.needing === undefined) assert.equal(misnamed, 0, JSON.stringify(options));
  return runs + 2;
}

Deno.test("a suite of 200 tests takes 15 runs or a few more with names, and hundreds without", async () => {
  // Where some tests assert all and others nothing, one of them may be the only one to notice eight parts and more.
  for (const [asserted, most] of [[0, 7], [10, 11], [5, 16], ["mixed", 20]] as const) {
    for (const seed of [1, 2, 3]) {
      const runs = await countRuns({ ...SUITE, asserted, seed });
      assert.ok(runs <= most, `asserted ${asserted}, seed ${seed}: ${runs} runs`);
    }
  }
  const plain = await search({ ...SUITE, asserted: "mixed" }, false);
  assert.ok(plain.runs > 500, `${plain.runs} runs`);
});

Deno.test("tests that need another one take a few runs more", async () => {
  for (const seed of [1, 2, 3]) {
    const runs = await countRuns({ ...SUITE, asserted: "mixed", needing: 0.05, seed });
    assert.ok(runs <= 28, `seed ${seed}: ${runs} runs`);
  }
});

Deno.test("where one of twenty tests fails by chance, hardly a verdict is wrong, and runs stay few", async () => {
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

Deno.test("names give the verdicts that the search without them gives", async () => {
  const small = { ...SUITE, tests: 50, operations: 20 };
  const kinds: readonly Partial<SuiteOptions>[] = [
    { asserted: "mixed" },
    { asserted: 3 },
    // Tests that fail because another one has failed.
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

Deno.test("where one of fifty tests fails by chance, no verdict is wrong", async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const options = { ...SUITE, tests: 50, operations: 20, flaky: 0.02, seed };
    assert.equal((await search(options, true)).wrong, 0, `seed ${seed}`);
  }
});

Deno.test("a test that is ended before it tells how it ended is left to the search without names", async () => {
  const options = { ...SUITE, tests: 6, operations: 3 };
  const suite = makeSuite(options);
  const parts = partsOf(suite, options);
  const hits = new NoticedHits();
  for (const { place } of parts) hits.part(place);
  const names = new Set(suite.map(({ name }) => name));
  const run = (changes: readonly Change[]): Promise<RunResult> => {
    const result = runSuite(suite, changes, () => 1);
    return Promise.resolve({ ...result, outcomes: new Map() });
  };
  assert.equal(await new NamedSearch(parts, names, hits, run).search(), true);
  assert.ok(parts.every(({ place }) => stateOfPart(hits.find(place)) === "not_tried"));
});
