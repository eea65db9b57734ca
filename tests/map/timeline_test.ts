import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import type { Timeline } from "../../src/entries/report.ts";
import { shopApi } from "../shop_api.ts";

const DESCRIPTION = shopApi({
  "/books": {
    get: {
      parameters: [
        { name: "limit", in: "query", schema: { type: "integer", maximum: 100, default: 5 } },
        { name: "q", in: "query", example: "lem", schema: { type: "string", minLength: 2 } },
      ],
      responses: { 200: { description: "Books" }, 400: { description: "Wrong" } },
    },
  },
});

interface Sent {
  readonly query: string;
  readonly status: number;
  readonly at: number | undefined;
}

function record(sent: readonly Sent[]): CoverageMap {
  const map = CoverageMap.fromDict(DESCRIPTION);
  for (const { query, status, at } of sent) {
    map.record({ method: "GET", url: `/books${query}` }, { status_code: status }, at);
  }
  return map;
}

function readTimeline(map: CoverageMap): Timeline | null {
  return map.report({ generatedAt: "2026-01-31T12:00:00Z" }).timeline;
}

const RUN: readonly Sent[] = [
  { query: "", status: 200, at: 100 },
  { query: "?limit=7", status: 200, at: 110 },
  { query: "?limit=5&q=lem", status: 200, at: 130 },
  { query: "?limit=500", status: 400, at: 150 },
];

Deno.test("report() shows how the five dimensions grew from request to request", () =>
  assert.deepEqual(readTimeline(record(RUN)), {
    at: [100, 110, 130, 150],
    operations: [1, 1, 1, 1],
    parameters: [0, 1, 2, 2],
    // Type (which never fails as text) and maximum of limit; minLength of q.
    keywords: [0, 2, 3, 3],
    examples: [0, 0, 2, 2],
    responses: [1, 1, 1, 2],
    undated: { operations: 0, parameters: 0, keywords: 0, examples: 0, responses: 0 },
  }));

Deno.test("report() has no timeline without times, or where all requests were sent at once", () => {
  assert.equal(readTimeline(record(RUN.map((one) => ({ ...one, at: undefined })))), null);
  assert.equal(readTimeline(record(RUN.map((one) => ({ ...one, at: 7 })))), null);
});

Deno.test("what only requests without a time cover is counted separately", () => {
  const timeline = readTimeline(record([...RUN, { query: "", status: 404, at: undefined }]));
  assert.deepEqual(timeline, readTimeline(record(RUN)));
  const partly = readTimeline(
    record(RUN.map((one) => one.at === 130 ? { ...one, at: undefined } : one)),
  );
  assert.deepEqual(partly?.parameters, [0, 1, 1]);
  assert.deepEqual(partly?.undated, {
    operations: 0,
    parameters: 1,
    keywords: 1,
    examples: 2,
    responses: 0,
  });
});

Deno.test("coverage by a request without a time gets the time of the next one that covers it", () => {
  const again = { query: "?limit=500", status: 400, at: undefined };
  assert.deepEqual(readTimeline(record([again, ...RUN])), readTimeline(record(RUN)));
});

Deno.test("a long timeline is cut to 200 points, and ends with the final counts", () => {
  const paths = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`/p${index}`, { get: { responses: {} } }]),
  );
  const map = CoverageMap.fromDict({ ...DESCRIPTION, paths });
  for (let index = 0; index < 500; index++) {
    map.record({ method: "GET", url: `/p${index}` }, undefined, 1000 + index);
  }
  const timeline = readTimeline(map);
  assert.equal(timeline?.at.length, 200);
  assert.equal(timeline?.at.at(-1), 1499);
  assert.equal(timeline?.operations[0], 1);
  assert.equal(timeline?.operations.at(-1), 500);
});
