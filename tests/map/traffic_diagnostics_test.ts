import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { MAX_TESTS } from "../../src/map/covered_by.ts";
import { shopApi } from "../shop_api.ts";

function load(): CoverageMap {
  return CoverageMap.fromDict(shopApi({ "/books": { get: { responses: {} } } }));
}

function record(map: CoverageMap, from: number, to: number): void {
  for (let test = from; test < to; test++) {
    map.record({ method: "GET", url: "/books" }, undefined, undefined, `test ${test}`);
  }
}

const codes = (map: CoverageMap): string[] => map.diagnostics().map(({ code }) => code);

Deno.test("a diagnostic says that tests are left out, also after hits are merged", () => {
  const most = load();
  record(most, 0, MAX_TESTS);
  assert.deepEqual(codes(most), []);
  const hits = most.exportHits();
  assert.ok(!new TextDecoder().decode(hits).includes("tests_left_out"));

  record(most, MAX_TESTS, MAX_TESTS + 1);
  const [diagnostic] = most.diagnostics();
  assert.equal(diagnostic?.code, "tests_left_out");
  assert.equal(diagnostic?.severity, "info");
  assert.match(diagnostic?.message ?? "", /more than 100,000 tests\. The first by name are kept/);
  assert.equal(most.report().tests?.length, MAX_TESTS);
  const whole = most.exportHits();
  assert.deepEqual(codes(most), ["tests_left_out"]);
  const copy = load();
  copy.mergeHits(whole);
  assert.deepEqual(codes(copy), ["tests_left_out"]);
  assert.deepEqual(copy.exportHits(), whole);

  const sum = load();
  sum.mergeHits(hits);
  assert.deepEqual(codes(sum), []);
  record(sum, MAX_TESTS, MAX_TESTS + 1);
  assert.deepEqual(sum.exportHits(), whole);
});
