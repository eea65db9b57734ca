import assert from "node:assert/strict";
import type { Rules } from "../../src/redact/mask_text.ts";
import { redactJson } from "../../src/redact/redact_json.ts";

const rules: Rules = {
  kind: (name) => name === "pin" || name === "1" ? "secret" : "harmless",
  value: (text) => text,
};

Deno.test("text that isn't JSON is kept, and may be named by a number", () => {
  for (const text of ['{2: "Ann", "name": 3}', "{true: 1}", "{,}", '{"a" 1}', "[1, 2"]) {
    assert.equal(redactJson(text, rules), text);
  }
  assert.equal(redactJson('{1: "Ann 7", "pin": 1234}', rules), '{1: "Aaa 1", "pin": 1111}');
});
