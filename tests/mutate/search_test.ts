import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { NoticedHits, noticedState, type ResponsePartPlace } from "../../src/map/noticed_hits.ts";
import { changesAt } from "../../src/mutate/changes.ts";
import type { MutationLevel } from "../../src/mutate/levels.ts";
import type { Change } from "../../src/mutate/response_changer.ts";
import {
  type CandidatePart,
  forgiveChance,
  MutationSearch,
  type RunResult,
} from "../../src/mutate/search.ts";
import { chance } from "../corpus/random.ts";

/** The status, the body and some properties of the responses of several operations. */
function makeParts(
  operations: number,
  properties: number,
  level: MutationLevel = "properties",
): CandidatePart[] {
  const parts: CandidatePart[] = [];
  for (let operation = 0; operation < operations; operation++) {
    const of = { operation, response: 0, schema_path: "" };
    const add = (part: ResponsePartPlace["part"], path: string, depth: number): void => {
      const changes = changesAt(part, level);
      parts.push({ place: { ...of, part, path }, changes, depth, count: 1 });
    };
    add("status", "", 0);
    add("body", "", 0);
    for (let index = 0; index < properties; index++) add("property", `/p${index}`, 1);
  }
  return parts;
}

interface Suite {
  /** True if its tests fail with the change. */
  readonly notices: (change: Change) => boolean;
  /** True if a run fails by chance. */
  readonly fails?: () => boolean;
  readonly runs?: number;
}

async function search(parts: readonly CandidatePart[], suite: Suite, hits = new NoticedHits()) {
  const { notices, fails = () => false, runs = Infinity } = suite;
  let done = 0;
  const run = (changes: readonly Change[]): Promise<RunResult | undefined> => {
    if (done >= runs) return Promise.resolve(undefined);
    done++;
    const passed = !changes.some(notices) && !fails();
    const applied = new Map(changes.map((change) => [change, 1]));
    return Promise.resolve({ passed, timedOut: false, applied });
  };
  for (const { place, count } of parts) hits.part(place).reached += count;
  const isDone = await new MutationSearch(parts, hits, run).search();
  const states = parts.map(({ place }) => noticedState(hits.find(place)));
  return { isDone, runs: done, hits, states };
}

/** True for some parts, the same ones each time. */
function isAsserted({ place: { operation, part, path } }: Pick<Change, "place">): boolean {
  if (part === "body") return operation % 3 !== 0;
  if (part === "status") return operation % 2 === 0;
  return operation % 3 !== 0 && Number(path.slice(2)) % 4 === 1;
}

Deno.test("a suite without assertions takes a few runs, and everything is unnoticed", async () => {
  const found = await search(makeParts(40, 0), { notices: () => false });
  assert.ok(found.states.every((state) => state === "unnoticed"));
  assert.ok(found.runs <= 15, `${found.runs} runs`);
});

Deno.test("a suite that asserts everything takes two runs per part, and some to find chance failures", async () => {
  const parts = makeParts(10, 6);
  const found = await search(parts, { notices: () => true });
  assert.ok(found.states.every((state) => state === "noticed"));
  assert.ok(found.runs <= 2 * parts.length + 60, `${found.runs} runs for ${parts.length} parts`);
});

Deno.test("parts of a body that no test notices are not tried", async () => {
  const asked: string[] = [];
  await search(makeParts(3, 5), {
    notices(change) {
      asked.push(change.place.part);
      return false;
    },
  });
  assert.ok(!asked.includes("property"));
});

Deno.test("every verdict on a suite with some assertions is right", async () => {
  const parts = makeParts(12, 9);
  const { states, isDone } = await search(parts, { notices: isAsserted });
  assert.ok(isDone);
  parts.forEach((part, index) => {
    const isOpen = part.place.part === "property" && part.place.operation % 3 === 0;
    const state = isOpen ? "not_tried" : isAsserted(part) ? "noticed" : "unnoticed";
    assert.equal(states[index], state, JSON.stringify(part.place));
  });
});

Deno.test("if tests fail by chance, no verdict is wrong", async () => {
  const parts = makeParts(8, 6);
  let untried = 0;
  for (let seed = 1; seed <= 100; seed++) {
    const next = chance(seed);
    const { states } = await search(parts, { notices: isAsserted, fails: () => next() < 0.15 });
    parts.forEach((part, index) => {
      if (states[index] === "not_tried") untried++;
      else {
        const right = isAsserted(part) ? "noticed" : "unnoticed";
        assert.equal(states[index], right, `seed ${seed}: ${JSON.stringify(part.place)}`);
      }
    });
  }
  assert.ok(untried > 0);
});

Deno.test("two changes that tests notice only together are unnoticed", async () => {
  const parts = makeParts(2, 0).filter(({ place }) => place.part === "body");
  const hits = new NoticedHits();
  const run = (changes: readonly Change[]): Promise<RunResult> => {
    const applied = new Map(changes.map((change) => [change, 1]));
    return Promise.resolve({ passed: changes.length < 2, timedOut: false, applied });
  };
  const found = new MutationSearch(parts, hits, run);
  await found.search();
  assert.deepEqual(parts.map(({ place }) => noticedState(hits.find(place))), [
    "unnoticed",
    "unnoticed",
  ]);
  assert.equal(found.isFlaky, false);
});

Deno.test("a change that was impossible because of another one in its group is tried alone", async () => {
  const parts = makeParts(2, 0).filter(({ place }) => place.part === "body");
  const hits = new NoticedHits();
  const tried: number[][] = [];
  const run = (changes: readonly Change[]): Promise<RunResult> => {
    const operations = changes.map(({ place }) => place.operation);
    tried.push(operations);
    // If the first body is empty, tests never request the second.
    const made = operations.includes(0)
      ? changes.filter(({ place }) => place.operation === 0)
      : changes;
    const passed = !made.some(({ place }) => place.operation === 1);
    return Promise.resolve({
      passed,
      timedOut: false,
      applied: new Map(made.map((one) => [one, 1])),
    });
  };
  await new MutationSearch(parts, hits, run).search();
  assert.deepEqual(parts.map(({ place }) => noticedState(hits.find(place))), [
    "unnoticed",
    "noticed",
  ]);
  assert.deepEqual(tried.slice(0, 3), [[0, 1], [1], [1]]);
});

Deno.test("a change that isn't possible any more is tried once, and the search ends", async () => {
  const parts = makeParts(3, 2);
  const hits = new NoticedHits();
  let runs = 0;
  const run = (changes: readonly Change[]): Promise<RunResult | undefined> => {
    const made = changes.filter(({ change }) => change !== "null");
    const applied = new Map(made.map((one) => [one, 1]));
    return Promise.resolve(++runs > 100 ? undefined : { passed: true, timedOut: false, applied });
  };
  // With names, all remaining changes are tried at once.
  for (const { place } of parts) {
    if (place.part === "body") hits.add(place, "empty", { runs: 1, noticed: 1 });
  }
  assert.equal(await new MutationSearch(parts, hits, run, () => {}, true).search(), true);
  assert.ok(runs < 30, `${runs} runs`);
  const changes = parts.filter(({ place }) => place.part === "property")
    .map(({ place }) => [...hits.part(place).changes.keys()]);
  assert.deepEqual(changes, parts.slice(6).map(() => ["removed"]));
});

Deno.test("when the runs are used up, the rest is not tried, and the next search continues there", async () => {
  const parts = makeParts(6, 4);
  const first = await search(parts, { notices: isAsserted, runs: 9 });
  assert.equal(first.isDone, false);
  const known = first.states.filter((state) => state !== "not_tried").length;
  assert.ok(known > 0 && known < parts.length);
  const second = await search(parts, { notices: isAsserted }, first.hits);
  const whole = await search(parts, { notices: isAsserted });
  assert.deepEqual(second.states, whole.states);
  assert.ok(second.runs < whole.runs);
});

/** Bytes of the heap after garbage collection, so that other tests' garbage doesn't count. */
function usedHeap(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return Deno.memoryUsage().heapUsed;
}

Deno.test("memory stays constant with ten thousand changes", async () => {
  const parts = makeParts(500, 20);
  const before = usedHeap();
  const { runs, hits } = await search(parts, { notices: isAsserted });
  const grown = (usedHeap() - before) / 2 ** 20;
  assert.ok(runs > 3000, `${runs} runs`);
  assert.equal(hits.list().length, parts.length);
  assert.ok(grown < 40, `${grown} MiB`);
});

Deno.test("a test that a broken run didn't reach hasn't passed in it", async () => {
  const runs = async (...results: readonly Partial<RunResult>[]): Promise<boolean | undefined> => {
    const next = results.map((one) => ({
      ...{ passed: false, timedOut: false, applied: new Map<Change, number>() },
      ...one,
    })).values();
    const run = () => Promise.resolve(next.next().value);
    return (await forgiveChance(run, () => {}, () => true)([]))?.passed;
  };
  const failed = { outcomes: new Map([["a", false], ["b", true]]) };
  const others = { outcomes: new Map([["a", true], ["b", false]]) };
  assert.equal(await runs(failed, others), true);
  assert.equal(await runs(failed, { passed: true }), true);
  // The process crashes before a test has ended.
  assert.equal(await runs(failed, {}, {}, {}, {}), false);
  // It crashes after this test.
  assert.equal(await runs(failed, { outcomes: new Map([["a", true]]) }), false);
  // The change makes the run hang, whatever the test before it does.
  const hanging = { timedOut: true };
  assert.equal(await runs({ ...failed, ...hanging }, { ...others, ...hanging }), false);
});
