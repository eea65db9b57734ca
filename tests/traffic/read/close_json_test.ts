import assert from "node:assert/strict";
import { closeJson } from "../../../src/traffic/read/close_json.ts";

Deno.test("the item that is cut off goes, with everything in it", () => {
  assert.equal(
    closeJson('{"a": [{"b": [{"c": 1}]}, {"b": [{"c": 2}, {"c"'),
    '{"a": [{"b": [{"c": 1}]}]}',
  );
  assert.equal(closeJson('[{"a": "]}"}, {"a": "\\'), '[{"a": "]}"}]');
  assert.equal(closeJson('{"run": {"list": [{"a": 1}, {'), '{"run": {"list": [{"a": 1}]}}');
});

Deno.test("nothing comes of a text without a whole item, or broken in another way", () => {
  assert.equal(closeJson('{"a": [{"b": 1'), undefined);
  assert.equal(closeJson(""), undefined);
  assert.equal(closeJson('[{"a": 1}}'), undefined);
  assert.equal(closeJson('[{"a": 1}]'), undefined);
});
