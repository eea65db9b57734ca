import assert from "node:assert/strict";
import { CoverageMap } from "../../../mod.ts";
import { apisOverview } from "../../../src/report/apis/apis_overview.ts";
import { shopApi } from "../../shop_api.ts";

/** The report of an API with one operation and two responses, called with each status; null for no answer. */
function report(path: string, statuses: readonly (number | null)[]) {
  const responses = { 200: { description: "Fine" }, 404: { description: "None" } };
  const map = CoverageMap.fromDict(shopApi({ [path]: { get: { responses } } }));
  for (const status of statuses) {
    map.record({ method: "GET", url: path }, status === null ? undefined : { status_code: status });
  }
  return { name: path, report: map.report() };
}

Deno.test("responses of an API whose traffic has none are in no total of several APIs", () => {
  const { summary, gaps } = apisOverview([
    report("/books", [200, 404]),
    report("/loans", [null]),
  ], undefined);
  assert.deepEqual(summary.responses, { seen: 2, total: 2, percent: 100, measured: true });
  assert.deepEqual(summary.operations, { seen: 2, total: 2, percent: 100 });
  assert.equal(gaps, 0);
});

Deno.test("responses of an API without traffic count in the total of several APIs", () => {
  const { summary, gaps } = apisOverview(
    [report("/books", [200]), report("/loans", [])],
    undefined,
  );
  assert.deepEqual(summary.responses, { seen: 1, total: 4, percent: 25, measured: true });
  assert.deepEqual(summary.operations, { seen: 1, total: 2, percent: 50, succeeded: 1 });
  assert.equal(gaps, 4);
});

Deno.test("responses that no traffic of several APIs has are not measured", () => {
  const { summary } = apisOverview([report("/books", [null]), report("/loans", [null])], undefined);
  assert.deepEqual(summary.responses, { seen: 0, total: 4, percent: null, measured: false });
});
