import assert from "node:assert/strict";
import { percentage, statistic, summarize } from "../../src/map/statistic.ts";
import { BOOKS, makePlan } from "./make_plan.ts";

Deno.test("statistic() counts what is documented and what traffic covered", () => {
  const { plan, hits, get } = makePlan(BOOKS);
  assert.deepEqual(statistic(plan, hits), {
    operations: { seen: 0, total: 2 },
    parameters: { seen: 0, total: 1 },
    keywords: { partial: 0, full: 0, total: 2 },
    examples: { seen: 0, total: 1 },
    responses: { seen: 0, total: 2 },
  });
  get("/books?limit=10", 400);
  assert.deepEqual(statistic(plan, hits), {
    operations: { seen: 1, total: 2 },
    parameters: { seen: 1, total: 1 },
    keywords: { partial: 2, full: 0, total: 2 },
    examples: { seen: 0, total: 1 },
    responses: { seen: 1, total: 2 },
  });
  get("/books?limit=5", 200);
  const { keywords, examples, responses } = statistic(plan, hits);
  assert.deepEqual(keywords, { partial: 1, full: 1, total: 2 });
  assert.deepEqual([examples.seen, responses.seen], [1, 2]);
});

Deno.test("percentage() is null where there is nothing to cover", () => {
  assert.equal(percentage(0, 0), null);
  assert.equal(percentage(1, 3), 100 / 3);
});

Deno.test("summarize() counts partial keywords as covered, and responses only if they were recorded", () => {
  const { plan, hits, get } = makePlan(BOOKS);
  get("/books?limit=10", 400);
  const summary = summarize(statistic(plan, hits), true);
  assert.deepEqual([summary.keywords.percent, summary.responses.percent], [100, 50]);
  assert.equal(summarize(statistic(plan, hits), false).responses.percent, null);
  const nothing = makePlan({});
  const empty = summarize(statistic(nothing.plan, nothing.hits), true);
  assert.deepEqual([empty.operations.percent, empty.parameters.percent], [100, null]);
});
