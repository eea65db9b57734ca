import assert from "node:assert/strict";
import { thresholdLines } from "../../src/report/wording/verdict_text.ts";

Deno.test("a shortfall shows the percentage reached and the threshold", () =>
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
