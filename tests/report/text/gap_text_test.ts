import assert from "node:assert/strict";
import type { Gap } from "../../../src/map/results.ts";
import { gapText } from "../../../src/report/text/gap_text.ts";
import { shopReport } from "../shop_report.ts";

/** What the keywords of the shop say. */
function valueOf(path: string): unknown {
  return path.endsWith("/maximum") ? 100 : path.endsWith("/maxLength") ? 120 : undefined;
}

Deno.test("every kind of gap has advice on what to send", () => {
  assert.deepEqual(shopReport().gaps.map((gap) => gapText(gap, valueOf)), [
    "maximum of query limit never failed: send more than 100",
    "the example 10 of query limit was never used",
    "header X-Trace was never sent",
    "response 404 was never returned: request something that doesn't exist",
    "User/properties/name/maxLength of body application/json never passed: send at most 120 characters",
    "User/properties/name/maxLength of body application/json never failed: send more than 120 characters",
    "was never called",
    "path id was never sent",
    "response 204 was never returned",
  ]);
});

Deno.test("a keyword whose value is unknown has advice without it", () => {
  const of = {
    kind: "keyword_uncovered",
    method: "GET",
    path: "/",
    location: "query",
    parameter: "a",
    state: "invalid",
  } as const;
  assert.equal(
    gapText({ ...of, schema_path: "/x/schema/maximum" }),
    "maximum of query a never failed",
  );
  assert.equal(
    gapText({ ...of, schema_path: "/x/schema/uniqueItems" }),
    "uniqueItems of query a never failed: send the same item twice",
  );
});

Deno.test("what a keyword says does not act on a terminal", () => {
  const text = gapText({
    kind: "keyword_uncovered",
    method: "GET",
    path: "/",
    location: "query",
    parameter: "a",
    schema_path: "/x/schema/pattern",
    state: "invalid",
  }, () => "a\u001b[2J");
  assert.equal(
    text,
    "pattern of query a never failed: send a string that doesn't match a\\u001b[2J",
  );
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
  assert.match(text, /^the example "x{20,80}… of form data a\\u001b was never used$/);
});
