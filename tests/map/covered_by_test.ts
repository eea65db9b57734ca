import assert from "node:assert/strict";
import fc from "fast-check";
import { CoverageMap, type Interaction, type Report } from "../../mod.ts";
import { CoveredBy } from "../../src/map/covered_by.ts";
import { OperationHits } from "../../src/map/operation_hits.ts";
import { CounterStore } from "../../src/schema/counters.ts";
import { RICH_DESCRIPTION } from "../property/rich_description.ts";
import { trafficTo } from "../property/traffic_arbitrary.ts";
import { shopApi } from "../shop_api.ts";

const SHOP = shopApi({
  "/books": {
    get: {
      parameters: [{
        name: "limit",
        in: "query",
        schema: { type: "integer", maximum: 100 },
        example: 10,
      }],
      responses: { 200: { description: "Books" }, 400: { description: "No" } },
    },
  },
});

function record(map: CoverageMap, limit: number, status: number, test?: string): void {
  map.record(
    { method: "GET", url: `http://localhost/books?limit=${limit}` },
    { status_code: status },
    undefined,
    test,
  );
}

/** Yields all that a report counts: a label, the count, and the tests that covered it. */
function* listCounts(
  { operations }: Report,
): Generator<readonly [what: string, hits: number, tests: readonly number[] | undefined]> {
  for (const operation of operations) {
    const name = `${operation.method} ${operation.path}`;
    yield [name, operation.hits, operation.covered_by];
    for (const { status_code, hits, covered_by } of operation.responses) {
      yield [`${name} ${status_code}`, hits, covered_by];
    }
    for (const { status_code, hits, covered_by } of operation.undocumented_responses) {
      yield [`${name} undocumented ${status_code}`, hits, covered_by];
    }
    for (const parameter of operation.parameters) {
      const at = `${name} ${parameter.location} ${parameter.parameter}`;
      yield [at, parameter.hits, parameter.covered_by];
      for (const { schema_path, valid, invalid, covered_by } of parameter.keywords) {
        yield [`${at} ${schema_path} valid`, valid, covered_by?.valid];
        yield [`${at} ${schema_path} invalid`, invalid, covered_by?.invalid];
      }
      for (const { schema_path, hits, covered_by } of parameter.examples) {
        yield [`${at} ${schema_path}`, hits, covered_by];
      }
    }
  }
}

/** Maps what a report counts as covered to the names of the tests, in order. */
function coverage(report: Report): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [what, , tests = []] of listCounts(report)) {
    if (tests.length === 0) continue;
    found.set(what, tests.map((test) => report.tests?.[test] ?? "no such test"));
  }
  return found;
}

Deno.test("a report says which tests covered an operation, parameter, keyword, example and response", () => {
  const map = CoverageMap.fromDict(SHOP);
  record(map, 10, 200, "lists books");
  record(map, 500, 400, "refuses much");
  record(map, 10, 418, "is a teapot");
  record(map, 20, 200);
  record(map, 500, 200, "lists books");
  const report = map.report();
  assert.deepEqual(report.tests, ["is a teapot", "lists books", "refuses much"]);
  const schema = "/paths/~1books/get/parameters/0/schema";
  const limit = "GET /books query limit";
  const all = ["is a teapot", "lists books", "refuses much"];
  assert.deepEqual(
    coverage(report),
    new Map([
      ["GET /books", all],
      ["GET /books 200", ["lists books"]],
      ["GET /books 400", ["refuses much"]],
      ["GET /books undocumented 418", ["is a teapot"]],
      [limit, all],
      [`${limit} ${schema}/type valid`, all],
      [`${limit} ${schema}/maximum valid`, ["is a teapot", "lists books"]],
      [`${limit} ${schema}/maximum invalid`, ["lists books", "refuses much"]],
      [`${limit} /paths/~1books/get/parameters/0/example`, ["is a teapot", "lists books"]],
    ]),
  );
});

Deno.test("a report without names of tests doesn't mention tests", () => {
  const map = CoverageMap.fromDict(SHOP);
  record(map, 10, 200);
  record(map, 500, 400, "");
  assert.ok(!map.generateReport({ format: "json" }).includes("covered_by"));
  assert.ok(!("tests" in map.report()));
});

Deno.test("a test whose requests match no operation is listed, and covers nothing", () => {
  const map = CoverageMap.fromDict(SHOP);
  map.record({ method: "GET", url: "/nowhere" }, { status_code: 404 }, undefined, "goes astray");
  assert.deepEqual(map.report().tests, ["goes astray"]);
  assert.deepEqual(coverage(map.report()), new Map());
});

Deno.test("report() in the middle of a test doesn't end the test", () => {
  const map = CoverageMap.fromDict(SHOP);
  record(map, 10, 200, "one");
  map.report();
  record(map, 500, 400, "one");
  record(map, 10, 200, "two");
  const found = coverage(map.report());
  assert.deepEqual(found.get("GET /books 400"), ["one"]);
  assert.deepEqual(found.get("GET /books 200"), ["one", "two"]);
});

Deno.test("tests are listed in order and once each, in whatever order they are added", () => {
  fc.assert(fc.property(fc.array(fc.nat(20)), (tests) => {
    const coveredBy = new CoveredBy();
    for (const test of tests) coveredBy.add(7, test);
    const sorted = [...new Set(tests)].sort((left, right) => left - right);
    assert.deepEqual(coveredBy.testsAt(7) ?? [], sorted);
  }));
});

const NAMES = fc.constantFrom("a", "b", "c", undefined);

/** What each test covers on its own, computed with one map per test. */
function coverageOfEach(
  interactions: readonly Interaction[],
  names: readonly (string | undefined)[],
): Map<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const name of [...new Set(names)].sort()) {
    if (name === undefined) continue;
    const map = CoverageMap.fromDict(RICH_DESCRIPTION);
    interactions.forEach(({ request, response, timestamp }, index) => {
      if (names[index] === name) map.record(request, response, timestamp);
    });
    for (const [what, hits] of listCounts(map.report())) {
      if (hits > 0) found.set(what, [...found.get(what) ?? [], name]);
    }
  }
  return found;
}

Deno.test("a test covers what its own map would count, in any order of tests", () => {
  const traffic = trafficTo(RICH_DESCRIPTION);
  fc.assert(
    fc.property(
      traffic,
      fc.array(NAMES, { minLength: 40, maxLength: 40 }),
      fc.integer({ min: 1, max: 3 }),
      (interactions, names, parts) => {
        const maps = Array.from({ length: parts }, () => CoverageMap.fromDict(RICH_DESCRIPTION));
        interactions.forEach(({ request, response, timestamp }, index) => {
          maps[index % parts]?.record(request, response, timestamp, names[index]);
        });
        // The first map has recorded half of its tests when the others are merged into it.
        const [first, ...others] = maps as [CoverageMap, ...CoverageMap[]];
        for (const other of others.reverse()) first.mergeHits(other.exportHits());
        interactions.forEach(({ request, response, timestamp }, index) => {
          if (index % 7 === 0) first.record(request, response, timestamp, names[index]);
        });
        assert.deepEqual(
          new Map([...coverage(first.report())].sort()),
          new Map([...coverageOfEach(interactions, names)].sort()),
        );
      },
    ),
    { numRuns: 100 },
  );
});

Deno.test("of more tests than the limit, the first by name are kept with all that they covered", () => {
  const KEPT = 3;
  let dropped = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(..."kdmafzbxqe"), fc.nat(4), fc.boolean()), {
        minLength: 1,
        maxLength: 60,
      }),
      (sent) => {
        const coveredBy = new CoveredBy(KEPT);
        const hits = new OperationHits(new CounterStore());
        const expected = new Map<string, Set<number>>();
        for (const [name, response, asks] of sent) {
          coveredBy.trim();
          assert.ok(coveredBy.names.length <= 2 * KEPT);
          coveredBy.setCaller(hits, coveredBy.testIndex(name));
          hits.merge(1, 0, 0);
          hits.response(response).merge(1, Infinity);
          const responses = expected.get(name) ?? new Set();
          expected.set(name, responses.add(response));
          if (asks) coveredBy.attributeCounts();
        }
        assert.equal(coveredBy.isTruncated, expected.size > KEPT);
        coveredBy.attributeCounts();
        assert.equal(coveredBy.isTruncated, expected.size > KEPT);
        const names = [...expected.keys()].sort().slice(0, KEPT);
        if (names.length < expected.size) dropped++;
        assert.deepEqual([...coveredBy.names].sort(), names);
        const testNames = (at: number | undefined) =>
          coveredBy.testsAt(at)?.map((test) => coveredBy.names[test]).sort() ?? [];
        assert.deepEqual(testNames(hits.at), names);
        for (let response = 0; response < 5; response++) {
          assert.deepEqual(
            testNames(hits.responses[response]?.at),
            names.filter((name) => expected.get(name)?.has(response)),
          );
        }
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(dropped > 100, `${dropped}`);
});
