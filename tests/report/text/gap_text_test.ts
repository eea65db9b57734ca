import assert from "node:assert/strict";
import type { Gap } from "../../../src/map/results.ts";
import { gapText } from "../../../src/report/text/gap_text.ts";
import { shopReport } from "../shop_report.ts";

Deno.test("every kind of gap is said with what to send", () => {
  assert.deepEqual(shopReport().gaps.map(gapText), [
    "maximum of query limit never failed: send a value that breaks it",
    "the example 10 of query limit was never sent",
    "header X-Trace was never sent",
    "the response 404 never came",
    "User/properties/name/maxLength of body application/json never passed: send a value that it is about and that keeps to it",
    "User/properties/name/maxLength of body application/json never failed: send a value that breaks it",
    "was never called",
    "path id was never sent",
    "the response 204 never came",
  ]);
});

Deno.test("a long example is cut, and control characters are written out", () => {
  const gap: Gap = {
    kind: "example_uncovered",
    method: "GET",
    path: "/",
    location: "form_data",
    parameter: "a\u001b",
    schema_path: "/x/example",
    value: "x".repeat(500),
  };
  const text = gapText(gap);
  assert.match(text, /^the example "x{20,80}… of form data a\\u001b was never sent$/);
});
