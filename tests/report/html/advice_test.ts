import assert from "node:assert/strict";
import { advice } from "../../../src/report/html/app/model/advice.ts";
import { keywordText } from "../../../src/report/html/keyword_text.ts";
import { keywordDefinitions } from "../../../src/schema/keywords/keyword_definitions.ts";

Deno.test("advice() says what to send, in the words of the limit", () => {
  const cases: readonly (readonly [string, unknown, "valid" | "invalid" | "both", string])[] = [
    ["maximum", 100, "invalid", "send more than 100"],
    ["minimum", 1, "valid", "send at least 1"],
    ["exclusiveMinimum", 0, "invalid", "send 0 or less"],
    ["exclusiveMinimum", true, "invalid", "send the bound itself"],
    ["maxLength", 1, "invalid", "send more than 1 character"],
    ["minLength", 1, "invalid", "send empty text"],
    ["minItems", 2, "invalid", "send fewer than 2 items"],
    ["type", "integer", "invalid", "send what is not a whole number"],
    ["type", ["string", "null"], "valid", "send text or null"],
    ["enum", ["new", "used"], "valid", 'send "new" or "used"'],
    ["enum", ["a", "b", "c", "d"], "valid", 'send "a", "b", "c", …'],
    ["required", ["name", "email"], "invalid", 'leave out "name" or "email"'],
    ["additionalProperties", false, "invalid", "send properties that are not declared"],
    ["uniqueItems", true, "invalid", "send the same item twice"],
    ["multipleOf", 0.5, "both", "send a multiple of 0.5, and a number that is no multiple of 0.5"],
    ["required", ["id"], "both", 'send "id" together, and leave out "id"'],
  ];
  for (const [keyword, value, missing, expected] of cases) {
    const text = keywordText(value) ?? null;
    assert.equal(advice(keyword, text, missing), expected, keyword);
  }
});

Deno.test("advice() has something to say of every keyword that is tracked", () => {
  for (const keyword of keywordDefinitions.keys()) {
    const value = keyword === "type" ? '"string"' : "3";
    for (const missing of ["valid", "invalid", "both"] as const) {
      assert.notEqual(advice(keyword, value, missing), "", keyword);
    }
  }
});

Deno.test("advice() does without a value that is not known or was cut", () => {
  assert.equal(advice("maximum", null, "invalid"), "");
  assert.equal(
    advice("enum", keywordText(["x".repeat(500)]) ?? "", "valid"),
    "send one of the listed values",
  );
  assert.equal(advice("allOf", null, "invalid"), "send what one of them refuses");
});
