// Tests patterns that take too long to match: they are not judged, and a diagnostic says so.
import assert from "node:assert/strict";
import type { CoverageMap } from "../../mod.ts";
import { keywordCounts, mapOfBody, sendBody } from "../json_body.ts";
import { processorTime } from "../processor_time.ts";

/** Exceeds its limit of steps on a row of `a`. */
const SLOW = "^(a|aa)+\\1b$";
const LONG = "a".repeat(60);

const send = (map: CoverageMap, value: unknown) => sendBody(map, JSON.stringify(value));

Deno.test("a text that takes too long to match counts neither as matching nor as failing", () => {
  const map = mapOfBody({ items: { pattern: SLOW, minLength: 1 } });
  assert.deepEqual(map.diagnostics(), []);
  send(map, [LONG, "aab", "b"]);
  assert.deepEqual(keywordCounts(map), {
    items: [0, 1],
    "items/pattern": [1, 1],
    "items/minLength": [3, 0],
  });
  const merged = mapOfBody({ items: { pattern: SLOW, minLength: 1 } });
  merged.mergeHits(map.exportHits());
  for (const { code, message } of [...map.diagnostics(), ...merged.diagnostics()]) {
    assert.equal(code, "pattern_unjudged");
    assert.match(message, /^Matching a recorded value against a pattern would take too long/);
  }
  assert.equal(merged.diagnostics().length, 1);
});

Deno.test("a property whose name takes too long to match isn't judged", () => {
  const schema = {
    patternProperties: { [SLOW]: { type: "string" } },
    additionalProperties: false,
    unevaluatedProperties: false,
  };
  const map = mapOfBody(schema);
  send(map, { [LONG]: 1 });
  assert.deepEqual(keywordCounts(map), {
    patternProperties: [0, 0],
    [`patternProperties/${SLOW}/type`]: [0, 0],
    additionalProperties: [0, 0],
    unevaluatedProperties: [1, 0],
  });
  send(map, { [LONG]: 1, b: 1 });
  assert.deepEqual(keywordCounts(map)["additionalProperties"], [0, 1]);
});

Deno.test("the time for many slow texts is bounded", () => {
  const map = mapOfBody({ items: { pattern: SLOW } });
  const texts = Array.from({ length: 300 }, () => LONG);
  // Each text alone takes a tenth of a second or more, so a generous bound is enough.
  assert.ok(processorTime(() => send(map, texts), 15_000, 1) < 15_000);
  assert.deepEqual(map.diagnostics().map(({ code }) => code), ["pattern_unjudged"]);
});

Deno.test("a pattern with too deeply nested groups is ignored with a diagnostic", () => {
  const deep = "(".repeat(10_000) + "a" + ")".repeat(10_000);
  const map = mapOfBody({ pattern: deep, patternProperties: { [deep]: true }, type: "string" });
  send(map, "b");
  assert.deepEqual(Object.keys(keywordCounts(map)), ["patternProperties", "type"]);
  const found = map.diagnostics();
  assert.deepEqual(found.map(({ code }) => code), ["invalid_keyword", "invalid_keyword"]);
  for (const { message } of found) {
    assert.match(
      message,
      /is too large \(its groups are nested more than 250 levels deep\), so it is ignored\.$/,
    );
    assert.ok(message.length < 300, message);
  }
});
