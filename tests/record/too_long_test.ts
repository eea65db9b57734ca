// Tests values that take too long to evaluate: they count as sent, and their keywords don't count.
import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { CounterStore } from "../../src/schema/counters.ts";
import { shopApi } from "../shop_api.ts";

const JSON_HEADERS = { "Content-Type": "application/json" };
const ITEM = { $ref: "#/components/schemas/Item" };

const JSON_LIST = {
  "application/json": { schema: { type: "array", minItems: 1, examples: [[1]], items: ITEM } },
};

/** An API that checks each item of a list against a hundred alternatives. */
function newMap(content: object = JSON_LIST): CoverageMap {
  const anyOf = Array.from({ length: 100 }, (_, index) => ({ const: index }));
  return CoverageMap.fromDict(shopApi({
    "/a": {
      post: { requestBody: { content }, responses: { 200: { description: "", content } } },
    },
  }, { openapi: "3.2.0", components: { schemas: { Item: { anyOf } } } }));
}

const LONG = JSON.stringify(Array.from({ length: 25_001 }, (_, index) => index % 100));

/** Records a request and a response with the same body. */
function echo(map: CoverageMap, body: string): void {
  const response = { status_code: 200, headers: JSON_HEADERS, body };
  map.record({ method: "POST", url: "/a", headers: JSON_HEADERS, body }, response);
}

Deno.test("a body that takes too long to evaluate counts as sent, and covers nothing", () => {
  const map = newMap();
  echo(map, LONG);
  const [parameter] = map.report().operations[0]?.parameters ?? [];
  assert.equal(parameter?.hits, 1);
  assert.ok(parameter.keywords.every(({ valid, invalid }) => valid + invalid === 0));
  assert.equal(map.statistic().keywords.full + map.statistic().keywords.partial, 0);
  const codes = map.diagnostics().map(({ code }) => code);
  assert.deepEqual(codes, ["evaluation_too_long", "evaluation_too_long"]);
});

Deno.test("a body that takes too long doesn't affect what other bodies cover, in any order", () => {
  const keywords = (sent: readonly (readonly [body: string, at: number])[]) => {
    const map = newMap();
    for (const [body, at] of sent) {
      map.record({ method: "POST", url: "/a", headers: JSON_HEADERS, body }, undefined, at);
    }
    const merged = newMap();
    merged.mergeHits(map.exportHits());
    const [report, again] = [map.report(), merged.report()];
    assert.deepEqual(again.operations, report.operations);
    assert.deepEqual(merged.diagnostics(), map.diagnostics());
    return {
      keywords: report.operations[0]?.parameters[0]?.keywords,
      examples: report.operations[0]?.parameters[0]?.examples,
      covered: report.timeline?.at.map((at, index) => [at, report.timeline?.keywords[index]])
        .filter(([, count]) => count !== 0),
    };
  };
  const known = [["[1]", 1000], ["[]", 2000]] as const;
  const alone = keywords(known);
  assert.equal(alone.covered?.[0]?.[0], 1000);
  const long = [LONG, 500] as const;
  for (const sent of [[long, ...known], [...known, long]]) {
    assert.deepEqual(keywords(sent), alone);
  }
});

Deno.test("all items of one body share its limit of work", () => {
  const itemSchema = { type: "array", items: ITEM };
  const map = newMap({ "application/jsonl": { itemSchema } });
  const line = JSON.stringify(Array.from({ length: 2_500 }, () => 1));
  const send = (lines: number) =>
    map.record({
      ...{ method: "POST", url: "/a", headers: { "Content-Type": "application/jsonl" } },
      body: Array.from({ length: lines }, () => line).join("\n"),
    });
  const typed = () =>
    map.report().operations[0]?.parameters[0]?.keywords.find(({ schema_path }) =>
      schema_path.endsWith("/itemSchema/type")
    )?.valid;
  send(9);
  assert.deepEqual([typed(), map.diagnostics()], [9, []]);
  send(12);
  assert.equal(typed(), 18);
  assert.deepEqual(map.diagnostics().map(({ code }) => code), ["evaluation_too_long"]);
});

Deno.test("revertValue() removes a value's counts from a weighted request", () => {
  const store = new CounterStore();
  const at = store.allocate(2);
  store.beginRequest(3);
  store.countWeighted(5, () => {
    store.count(at);
    store.beginValue();
    store.count(at);
    store.count(at + 1);
    store.revertValue(() => {
      store.count(at);
      store.count(at + 1);
    });
  });
  assert.deepEqual([...store.counts.slice(at, at + 2)], [5, 0]);
  assert.deepEqual([store.firstTime(at), store.firstTime(at + 1)], [3, Infinity]);
});
