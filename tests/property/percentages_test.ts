import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { apiOf } from "../api_of.ts";

Deno.test("percentages are the same in the model, in JSON and in the thresholds, to the last digit", () => {
  for (let total = 1; total <= 60; total++) {
    const paths = Object.fromEntries(
      Array.from({ length: total }, (_, index) => [`/p${index}`, {
        get: {
          parameters: [{ name: "q", in: "query", schema: { type: "integer" } }],
          responses: { 200: {}, 404: {} },
        },
      }]),
    );
    const map = CoverageMap.fromDict(apiOf(paths));
    const seen = Math.ceil(total / 3);
    for (let index = 0; index < seen; index++) {
      map.record({ method: "GET", url: `/p${index}?q=1` }, { status_code: 200 });
    }
    const report = map.report();
    const printed = JSON.parse(map.generateReport({ format: "json" }));
    assert.deepEqual(printed.summary, report.summary);
    for (const dimension of ["operations", "parameters", "keywords", "responses"] as const) {
      const exact = report.summary[dimension].percent;
      assert.equal(exact, 100 * seen / (dimension === "responses" ? 2 * total : total));
      assert.deepEqual(map.checkThresholds({ [dimension]: exact }), []);
      const above = Math.min(100, exact + 1e-9);
      const shortfalls = map.checkThresholds({ [dimension]: above });
      assert.deepEqual(
        shortfalls,
        above > exact ? [{ dimension, actual: exact, minimum: above }] : [],
      );
    }
  }
});
