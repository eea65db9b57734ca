import assert from "node:assert/strict";
import { formatPercent } from "../../../src/report/wording/amounts.ts";

Deno.test("formatPercent() rounds to one decimal and drops an empty one", () => {
  assert.equal(formatPercent(61.29032258064516), "61.3%");
  assert.equal(formatPercent(75), "75%");
  assert.equal(formatPercent(100 / 3), "33.3%");
});

Deno.test("formatPercent() shows 0 and 100 only where they are exact", () => {
  assert.equal(formatPercent(0), "0%");
  assert.equal(formatPercent(100), "100%");
  assert.equal(formatPercent(0.04), "<0.1%");
  assert.equal(formatPercent(0.06), "0.1%");
  assert.equal(formatPercent(99.94), "99.9%");
  assert.equal(formatPercent(99.96), ">99.9%");
  assert.equal(formatPercent(100 * 52_999 / 53_000), ">99.9%");
});

Deno.test("formatPercent() shows a dash where there is nothing to measure", () =>
  assert.equal(formatPercent(null), "–"));
