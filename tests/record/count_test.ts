import assert from "node:assert/strict";
import { CoverageMap, type InteractionDetails, RecordingError } from "../../mod.ts";
import { readRecording } from "../../src/traffic/read/read_recording.ts";
import { recordBatch } from "../../src/record/record_batches.ts";
import { shopApi } from "../shop_api.ts";

const MOST = Number.MAX_SAFE_INTEGER;

function load(): CoverageMap {
  const parameters = [{
    name: "tag",
    in: "query",
    schema: { type: "array", items: { type: "string", maxLength: 3 } },
  }];
  return CoverageMap.fromDict(
    shopApi({ "/books": { get: { parameters, responses: { 200: { description: "Books" } } } } }),
  );
}

function record(
  map: CoverageMap,
  details: InteractionDetails,
  url = "/books?tag=a&tag=b",
  elapsed = 0.5,
): void {
  map.record({ method: "GET", url }, { status_code: 200, elapsed }, 1, undefined, details);
}

Deno.test("record() counts an interaction as many times as its count says", () => {
  const map = load();
  record(map, { count: 3, first_at: 10, last_at: 30 });
  record(map, {});
  const { traffic, operations: [operation] } = map.report();
  assert.deepEqual(traffic, { recorded: 4, matched: 4, unmatched: 0, first_at: 1, last_at: 30 });
  const maxLength = operation?.parameters[0]?.keywords.find(({ keyword }) =>
    keyword === "maxLength"
  );
  assert.equal(maxLength?.valid, 8);
  assert.deepEqual(operation?.responses[0]?.elapsed, { mean: 0.5, max: 0.5 });
});

Deno.test("record() applies one time or duration to every repetition if there is no time span", () => {
  const map = load();
  record(map, { count: 2 });
  const { traffic } = map.report();
  assert.deepEqual([traffic.first_at, traffic.last_at], [1, 1]);
  const elapsed = { status_code: 200, elapsed: 9, elapsed_sum: 3, elapsed_max: 2 };
  map.record({ method: "GET", url: "/books" }, elapsed, undefined, undefined, { count: 4 });
  assert.deepEqual(map.report().operations[0]?.responses[0]?.elapsed, { mean: 4 / 6, max: 2 });
});

Deno.test("record() refuses a count that isn't a positive whole number", () => {
  for (const count of [0, -1, 1.5, NaN, MOST + 1]) {
    const map = load();
    assert.throws(() => record(map, { count }), /a `count` that is a whole number from 1 to/);
    assert.equal(map.traffic().recorded, 0);
  }
});

Deno.test("record() refuses counts whose sum exceeds the largest safe integer", () => {
  const map = load();
  record(map, { count: MOST - 1 }, "/books", 0);
  record(map, {}, "/books");
  const full = map.exportHits();
  for (const details of [{}, { count: 1 }, { count: MOST }]) {
    assert.throws(() => record(map, details, "/books"), {
      name: RecordingError.name,
      message: /^Cannot read the traffic: The counts add up to more than 9,007,199,254,740,991/,
    });
  }
  assert.deepEqual(map.exportHits(), full);
  // Each request has two items, which both count.
  assert.throws(() => record(load(), { count: MOST }, undefined, 0), RecordingError);
});

Deno.test("after record() refused an interaction half-way, the map gives out no more results", () => {
  const map = load();
  record(map, { count: 2 });
  assert.throws(() => record(map, { count: MOST - 2 }), RecordingError);
  const refusal = { name: RecordingError.name, message: /The counts add up to more than/ };
  for (
    const read of [
      () => map.exportHits(),
      () => map.mergeHits(load().exportHits()),
      () => map.report(),
      () => map.gaps(),
      () => map.statistic(),
      () => map.traffic(),
      () => map.generateReport({ format: "json" }),
    ]
  ) assert.throws(read, refusal);
});

Deno.test("a line whose count is invalid is left out with a problem", async () => {
  const line = (fields: object): string =>
    JSON.stringify({ request: { method: "GET", url: "/books" }, ...fields });
  const bad = ["0", "-1", "1.5", '"3"', "true", "9007199254740993", "[]"];
  const text = [
    line({ count: 2 }),
    ...bad.map((count) => line({ count: 7 }).replace('"count":7', `"count":${count}`)),
    line({ count: null }),
  ].join("\n");
  const reader = readRecording(text, "t.jsonl");
  const map = load();
  for await (const batch of reader.batches()) recordBatch(map, batch);
  assert.equal(map.traffic().recorded, 3);
  assert.deepEqual(reader.warnings, [
    "t.jsonl: an interaction whose `count` is not a whole number from 1 to 9,007,199,254,740,991 is " +
    "left out (7 times, first at line 2.count).",
  ]);
});

Deno.test("an invalid time span or sum of durations is left out, and the rest of the line counts", async () => {
  const line = (fields: object, response: object = {}): string =>
    JSON.stringify({
      request: { method: "GET", url: "/books" },
      response: { status_code: 200, ...response },
      count: 2,
      ...fields,
    });
  const text = [
    line({ first_at: 20, last_at: 10 }),
    line({ first_at: "soon" }, { elapsed_sum: 1 }),
    line({}, { elapsed_sum: 1e300, elapsed_max: 1 }),
    line({}, { elapsed_sum: -1, elapsed_max: 1 }),
  ].join("\n");
  const reader = readRecording(text, "t.jsonl");
  const map = load();
  for await (const batch of reader.batches()) recordBatch(map, batch);
  const { traffic, operations } = map.report();
  assert.deepEqual([traffic.recorded, traffic.first_at, traffic.last_at], [8, 20, 20]);
  assert.equal(operations[0]?.responses[0]?.elapsed, null);
  assert.deepEqual(reader.warnings.map((warning) => warning.replace(/ \(.*/, "")), [
    "t.jsonl: a `last_at` before its `first_at` is ignored",
    "t.jsonl: `elapsed_sum` and `elapsed_max` are ignored where one is missing or the sum is too large",
    "t.jsonl: `first_at` is not a number of seconds and is ignored",
    "t.jsonl: `elapsed_sum` is not a number of seconds and is ignored",
  ]);
});

Deno.test("unmatched requests count as many times as their count says", () => {
  const map = load();
  record(map, { count: 5, first_at: 3, last_at: 9 }, "/nowhere");
  assert.deepEqual(map.unmatched().map(({ count, first_at }) => [count, first_at]), [[5, 3]]);
});

Deno.test("durations whose sum is no longer exact are left out of reports, and all else is kept", () => {
  for (const [elapsed, count] of [[1e12, 1], [1e300, 1], [1e5, 1_000_000]] as const) {
    const add = (map: CoverageMap): void => record(map, { count }, "/books", elapsed);
    const whole = load();
    record(whole, {}, "/books");
    add(whole);
    record(whole, {}, "/books");
    const one = load();
    record(one, {}, "/books");
    const other = load();
    add(other);
    record(other, {}, "/books");
    for (const [first, second] of [[one, other], [other, one]] as const) {
      const merged = load();
      merged.mergeHits(first.exportHits());
      merged.mergeHits(second.exportHits());
      assert.deepEqual(merged.exportHits(), whole.exportHits());
    }
    const [operation] = whole.report().operations;
    assert.equal(operation?.hits, count + 2);
    assert.equal(operation?.responses[0]?.elapsed, null);
  }
});
