// Tests 2xx and 3xx responses, which count by status alone, documented or not.
import assert from "node:assert/strict";
import { CoverageMap, type Thresholds } from "../../mod.ts";
import { thresholdLines } from "../../src/report/wording/verdict_text.ts";
import { shopApi } from "../shop_api.ts";

function books(): CoverageMap {
  return CoverageMap.fromDict(shopApi({
    "/books": {
      get: {
        parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 9 } }],
        responses: { 200: { description: "ok" } },
      },
      post: { responses: { 201: { description: "ok" } } },
    },
    "/health": { get: { responses: { 204: { description: "ok" } } } },
  }));
}

function answer(map: CoverageMap, method: string, url: string, status_code?: number): void {
  map.record({ method, url }, status_code === undefined ? undefined : { status_code });
}

function missed(map: CoverageMap, thresholds: Thresholds): string[] {
  return thresholdLines(map.checkThresholds(thresholds));
}

Deno.test("only 2xx and 3xx responses count as succeeded, documented or not", () => {
  const map = books();
  for (const status of [200, 299, 302, 399, 199, 400, 404, 500]) {
    answer(map, "GET", "/books", status);
  }
  answer(map, "POST", "/books", 500);
  const { operations, summary } = map.report();
  assert.deepEqual(operations.map(({ succeeded }) => succeeded), [4, 0, 0]);
  assert.deepEqual(operations.map(({ summary }) => summary.operations.succeeded), [1, 0, 0]);
  assert.equal(summary.operations.succeeded, 1);
  assert.equal(summary.operations.seen, 2);
});

Deno.test("without responses, succeeded operations are not measured", () => {
  const map = books();
  answer(map, "GET", "/books");
  assert.equal(map.report().summary.operations.succeeded, null);
  assert.deepEqual(
    missed(map, { base: 10, responses: undefined }).filter((line) => line.includes("succeeded")),
    [],
  );
  assert.deepEqual(missed(map, { succeeded: 10 }), [
    "succeeded operations: not measured (the traffic has no responses), so the threshold of 10% is not met",
  ]);
  assert.deepEqual(missed(map, { succeeded: 0 }), []);
});

Deno.test("the threshold for succeeded operations is a share of all operations, and fail-under doesn't set it", () => {
  const map = books();
  answer(map, "GET", "/books", 200);
  answer(map, "POST", "/books", 500);
  answer(map, "GET", "/health", 503);
  assert.deepEqual(missed(map, { succeeded: 34 }), ["succeeded operations: 33.3% is below 34%"]);
  assert.deepEqual(missed(map, { succeeded: 33 }), []);
  assert.deepEqual(missed(map, { base: 90 }).filter((line) => line.includes("succeeded")), []);
});

Deno.test("the threshold for full keywords counts those that passed and failed", () => {
  const map = books();
  answer(map, "GET", "/books?limit=5", 200);
  assert.deepEqual(missed(map, { keywords: 100, keywordsFull: 50 }), [
    "full keywords: 0% is below 50%",
  ]);
  answer(map, "GET", "/books?limit=50", 200);
  assert.deepEqual(missed(map, { keywordsFull: 50 }), []);
  assert.deepEqual(missed(map, { keywordsFull: 51 }), ["full keywords: 50% is below 51%"]);
  const nothing = CoverageMap.fromDict({ openapi: "3.1.0", info: {}, paths: {} });
  assert.deepEqual(missed(nothing, { keywordsFull: 100, succeeded: 100 }), []);
});

Deno.test("succeeded responses of merged hits add up to those of the whole", () => {
  const [whole, first, second] = [books(), books(), books()];
  for (const status of [200, 302, 404]) {
    answer(whole, "GET", "/books", status);
    answer(status === 302 ? second : first, "GET", "/books", status);
  }
  const merged = books();
  merged.mergeHits(second.exportHits());
  merged.mergeHits(first.exportHits());
  const options = { generatedAt: "2026-01-31T12:00:00Z" };
  assert.deepEqual(merged.report(options), whole.report(options));
  assert.equal(merged.report().operations[0]?.succeeded, 2);
});

Deno.test("reports show how many operations succeeded if some that were called did not", () => {
  const map = books();
  answer(map, "GET", "/books", 200);
  answer(map, "POST", "/books", 500);
  const lines = map.generateTextReport({ colored: false }).split("\n");
  assert.match(lines.find((line) => line.startsWith("Operations ")) ?? "", / 2 of 3, 1 succeeded$/);
  const all = books();
  answer(all, "GET", "/books", 200);
  assert.ok(!all.generateTextReport({ colored: false }).includes("succeeded"));
});
