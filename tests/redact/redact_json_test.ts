import assert from "node:assert/strict";
import { redactJson } from "../../src/redact/redact_json.ts";

const isSecret = (name: string) => name === "pin" || name === "1" ? "secret" : "harmless";
const nested = { value: (text: string) => text };

Deno.test("text that isn't JSON is kept, and may be named by a number", () => {
  for (const text of ['{2: "Ann", "name": 3}', "{true: 1}", "{,}", '{"a" 1}', "[1, 2"]) {
    assert.equal(redactJson(text, isSecret, nested), text);
  }
  assert.equal(
    redactJson('{1: "Ann 7", "pin": 1234}', isSecret, nested),
    '{1: "Aaa 1", "pin": 1111}',
  );
});
