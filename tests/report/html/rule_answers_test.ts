import assert from "node:assert/strict";
import { CoverageMap } from "../../../mod.ts";
import { findRule, isNeverAlone } from "../../../src/report/html/app/model/model.ts";
import { shopApi } from "../../shop_api.ts";
import { pageModel } from "../page_model.ts";

const DESCRIPTION = shopApi({
  "/books": {
    get: {
      parameters: [
        { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100 } },
        { name: "sort", in: "query", schema: { type: "string", enum: ["title"] } },
        { name: "key", in: "query", required: true, schema: {} },
      ],
      responses: { 200: { description: "Books" }, 400: { description: "Invalid" } },
    },
  },
});

function record(...requests: readonly (readonly [query: string, status: number | undefined])[]) {
  const map = CoverageMap.fromDict(DESCRIPTION);
  for (const [query, status_code] of requests) {
    map.record(
      { method: "GET", url: `/books?${query}` },
      status_code === undefined ? undefined : { status_code },
    );
  }
  const report = map.report();
  return { model: pageModel(report), report };
}

Deno.test("the page shows which responses confirm or contradict a keyword", () => {
  const { model } = record(
    ["key=a&limit=0", 400],
    ["key=a&limit=500", 200],
    ["key=a&limit=0&sort=x", 400],
  );
  const parameters = model.operations[0]?.parameters ?? [];
  const seen = parameters.flatMap((parameter) =>
    parameter.keywords.map((keyword) => {
      const { refused = 0, accepted = 0 } = keyword;
      const alone = isNeverAlone(model, keyword) ? " never alone" : "";
      return `${keyword.keyword} ${refused} ${accepted}${alone}`;
    })
  );
  assert.deepEqual(seen, [
    ...["type 0 0", "minimum 1 0", "maximum 0 1", "type 0 0", "enum 0 0 never alone"],
  ]);
});

Deno.test('no keyword is marked "never alone" without responses', () => {
  const { model } = record(["key=a&limit=0&sort=x", undefined]);
  for (const parameter of model.operations[0]?.parameters ?? []) {
    for (const keyword of parameter.keywords) assert.ok(!isNeverAlone(model, keyword));
  }
});

Deno.test("findRule() finds the keyword of a finding, or the required parameter", () => {
  const { model, report } = record(["key=a&limit=500", 200], ["limit=5", 200]);
  const rules = (report.findings ?? []).map((finding) => {
    const [operation] = model.operations;
    const rule = operation === undefined ? null : findRule(operation, finding);
    return rule === null
      ? null
      : [rule.parameter.parameter, rule.parameter.index, rule.keyword?.row ?? null];
  });
  assert.deepEqual(rules, [["limit", 0, 2], ["key", 2, null]]);
});
