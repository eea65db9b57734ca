import assert from "node:assert/strict";
import { closeJson } from "../../../src/traffic/read/read_text.ts";

Deno.test("closeJson() drops the incomplete item with everything in it", () => {
  assert.equal(
    closeJson('{"a": [{"b": [{"c": 1}]}, {"b": [{"c": 2}, {"c"'),
    '{"a": [{"b": [{"c": 1}]}]}',
  );
  assert.equal(closeJson('[{"a": "]}"}, {"a": "\\'), '[{"a": "]}"}]');
  assert.equal(closeJson('{"run": {"list": [{"a": 1}, {'), '{"run": {"list": [{"a": 1}]}}');
});

Deno.test("closeJson() gives up on text without a complete item and on other mistakes", () => {
  assert.equal(closeJson('{"a": [{"b": 1'), undefined);
  assert.equal(closeJson(""), undefined);
  assert.equal(closeJson('[{"a": 1}}'), undefined);
  assert.equal(closeJson('[{"a": 1}]'), undefined);
});
