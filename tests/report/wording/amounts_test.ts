import assert from "node:assert/strict";
import {
  changeText,
  formatAmount,
  formatPercent,
  formatSeconds,
  formatTime,
  sentenceList,
} from "../../../src/report/wording/amounts.ts";
import { statusText } from "../../../src/report/wording/gap_wording.ts";
import { changesText, thresholdLines } from "../../../src/report/wording/verdict_text.ts";
import { aComparison, shopReport } from "../shop_report.ts";

Deno.test("formatSeconds() writes a duration in a suitable unit", () => {
  const written = [0.00085, 0.0094, 0.012, 0.9996, 1.234, 59, 312, 7200, 200_000].map(
    formatSeconds,
  );
  assert.deepEqual(written, [
    ...["850 µs", "9.4 ms", "12 ms", "1 s", "1.23 s", "59 s", "5 min", "2 h", "2 days"],
  ]);
});

Deno.test("formatTime() writes UTC, or the number if it is out of range", () => {
  assert.equal(formatTime(1_700_000_000), "2023-11-14 22:13:20 UTC");
  assert.equal(formatTime(1e300), "1e+300");
});

Deno.test("statusText() explains codes, ranges and default", () => {
  assert.equal(statusText("404"), "Not Found");
  assert.equal(statusText("4xx"), "any other 400 to 499");
  assert.equal(statusText("default"), "every other status");
  assert.equal(statusText("799"), "");
});

Deno.test("amounts have the singular or plural of their word", () => {
  assert.equal(formatAmount(1, "gap"), "1 gap");
  assert.equal(formatAmount(53_000, "body", "bodies"), "53,000 bodies");
  assert.equal(sentenceList(["a", "b", "c"]), "a, b and c");
});

Deno.test("formatPercent() rounds to one decimal and drops .0", () => {
  assert.equal(formatPercent(61.29032258064516), "61.3%");
  assert.equal(formatPercent(75), "75%");
  assert.equal(formatPercent(100 / 3), "33.3%");
});

Deno.test("formatPercent() shows 0 and 100 only if they are exact", () => {
  assert.equal(formatPercent(0), "0%");
  assert.equal(formatPercent(100), "100%");
  assert.equal(formatPercent(0.04), "<0.1%");
  assert.equal(formatPercent(0.06), "0.1%");
  assert.equal(formatPercent(99.94), "99.9%");
  assert.equal(formatPercent(99.96), ">99.9%");
  assert.equal(formatPercent(100 * 52_999 / 53_000), ">99.9%");
});

Deno.test("formatPercent() shows a dash if there is nothing to measure", () =>
  assert.equal(formatPercent(null), "–"));

Deno.test("a shortfall shows the percentage and the threshold", () =>
  assert.deepEqual(
    thresholdLines([
      { dimension: "keywords", actual: 100 * 19 / 31, minimum: 80 },
      { dimension: "operations", actual: 0, minimum: 0.5 },
    ]),
    ["keywords: 61.3% is below 80%", "operations: 0% is below 0.5%"],
  ));

Deno.test("a shortfall that rounds to its threshold is shown exactly", () =>
  assert.deepEqual(
    thresholdLines([
      { dimension: "keywords", actual: 79.96, minimum: 80 },
      { dimension: "examples", actual: 66.66, minimum: 66.7 },
    ]),
    ["keywords: 79.96% is below 80%", "examples: 66.66% is below 66.7%"],
  ));

Deno.test("responses that weren't measured are reported as such", () =>
  assert.deepEqual(thresholdLines([{ dimension: "responses", actual: null, minimum: 50 }]), [
    "responses: not measured (the traffic has no responses), so the threshold of 50% is not met",
  ]));

Deno.test("a change in points has its sign, and is never 0 if there is one", () => {
  const changes = [[75, 72.5], [50, 50], [61.3, 64.5], [null, 50], [50, 49.99], [100, 0]] as const;
  assert.deepEqual(changes.map(([now, before]) => changeText(now, before)), [
    ...["+2.5", "±0", "−3.2", "–", "+<0.1", "+100"],
  ]);
});

Deno.test("changes since a baseline are counted without parts of what was added or removed", () => {
  const of = { method: "GET", path: "/users", covered: false };
  const comparison = aComparison({
    new_gaps: [{ kind: "response_uncovered", method: "GET", path: "/users", status_code: "500" }],
    closed_gaps: shopReport().gaps.slice(0, 2),
    added: [
      { kind: "operation", method: "PUT", path: "/users", covered: true },
      { kind: "response", method: "PUT", path: "/users", status_code: "200", covered: true },
      { kind: "response", ...of, status_code: "404" },
    ],
    removed: [{ kind: "parameter", ...of, location: "query", parameter: "q" }],
  });
  assert.equal(
    changesText(comparison),
    "1 new gap; 2 gaps closed; 1 operation and 1 response added to the description; 1 parameter removed from it",
  );
  assert.equal(changesText(aComparison()), "no change");
});
