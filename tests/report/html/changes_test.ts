import assert from "node:assert/strict";
import type { Gap } from "../../../src/map/results.ts";
import { gapChanges, isChanged } from "../../../src/report/html/app/model/model.ts";
import { chosen } from "../../../src/report/html/app/model/route.ts";
import { operationGaps } from "../../../src/report/html/app/model/gaps.ts";
import { ANYTHING, countListed, listedGaps } from "../../../src/report/html/app/model/search.ts";
import { selectOperations } from "../../../src/report/html/app/model/operation_filter.ts";
import { sampleReport } from "../../browser/sample_report.ts";
import { pageModel } from "../page_model.ts";
import { aComparison } from "../shop_report.ts";

const shop = sampleReport("shop");
const gaps = shop.gaps.map((gap, index) => ({ ...gap, id: `g-${index}` }));
const report = { ...shop, gaps };
const uncalled = gaps.find(({ kind }) => kind === "operation_uncovered");
assert.ok(uncalled !== undefined);
const { method, path } = uncalled;
const additions = gaps.filter((gap) => gap.method === method && gap.path === path);
/** Gaps of all other operations. */
const rest = gaps.filter((gap) => !additions.includes(gap));

/** The page's model of the shop with these gaps as new, and those of the uncalled operation as additions. */
function makeModel(fresh: readonly Gap[]) {
  const comparison = aComparison({
    new_gaps: fresh,
    uncovered_additions: additions,
    added: [{ kind: "operation", method, path, covered: false }],
  });
  return pageModel({ ...report, comparison });
}

const filter = (since: string) => ({
  kinds: new Set<string>(),
  since: chosen(since),
  search: ANYTHING,
});

Deno.test("the page marks every new gap of any kind, and no other", () => {
  assert.ok(new Set(rest.map(({ kind }) => kind)).size > 3);
  for (const gap of rest) {
    const model = makeModel([gap]);
    const marked = model.operations.flatMap((operation) =>
      operationGaps(operation).filter((one) => gapChanges(operation.change, one).includes("new"))
        .map(({ kind }) => kind)
    );
    assert.deepEqual(marked, [gap.kind.replace("_uncovered", "")], JSON.stringify(gap));
  }
});

Deno.test("the filter by changes selects operations with new gaps, additions, or both", () => {
  const model = makeModel(rest.slice(0, 1));
  const listed = (since: string) =>
    selectOperations(model, new URLSearchParams({ since }))
      .map(({ key }) => key);
  assert.deepEqual(listed("added"), [`${method}:${path}`]);
  assert.equal(listed("new").length, 1);
  assert.notDeepEqual(listed("new"), listed("added"));
  assert.deepEqual(listed("new.added").sort(), [...listed("new"), ...listed("added")].sort());
  assert.equal(listed("").length, model.operations.length);
});

Deno.test("the list of gaps follows the filter", () => {
  const model = makeModel(rest.slice(0, 1));
  const number = (since: string) =>
    model.operations.reduce(
      (sum, operation) => sum + listedGaps(operation, filter(since)).length,
      0,
    );
  assert.equal(number("new"), 1);
  assert.equal(number("added"), additions.length);
  assert.equal(number("new.added"), number("new") + number("added"));
});

Deno.test("the filter counts the comparison's gaps, with both outcomes of a keyword", () => {
  const model = makeModel(rest);
  const number = (since: string) =>
    model.operations.reduce(
      (sum, operation) => sum + countListed(operation, filter(since)),
      0,
    );
  const rows = model.operations.flatMap((each) => listedGaps(each, filter("new")));
  assert.ok(rows.some(({ missing }) => missing === "both"));
  assert.equal(number("new"), rest.length);
  assert.equal(number("new.added"), rest.length + additions.length);
});

Deno.test("without a baseline, nothing is marked", () => {
  const model = pageModel(report);
  for (const operation of model.operations) {
    const { change } = operation;
    assert.deepEqual(operationGaps(operation).flatMap((gap) => gapChanges(change, gap)), []);
    assert.equal(isChanged(change, new Set(["new"])), false);
  }
});
