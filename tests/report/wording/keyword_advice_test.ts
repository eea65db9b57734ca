import assert from "node:assert/strict";
import { keywordAdvice } from "../../../src/report/wording/keyword_advice.ts";
import { keywordText } from "../../../src/report/html/keyword_text.ts";
import { isTracked, keywordTable } from "../../../src/values/keyword_table.ts";

Deno.test("keywordAdvice() says what to send, in the words of the limit", () => {
  const cases: readonly (readonly [string, unknown, "valid" | "invalid" | "both", string])[] = [
    ["maximum", 100, "invalid", "Send more than 100."],
    ["minimum", 1, "valid", "Send 1 or more."],
    ["exclusiveMinimum", 0, "invalid", "Send 0 or less."],
    ["exclusiveMinimum", true, "invalid", "Send the minimum itself."],
    ["maxLength", 1, "invalid", "Send more than 1 character."],
    ["minLength", 1, "invalid", "Send an empty string."],
    ["minItems", 2, "invalid", "Send fewer than 2 items."],
    ["maxProperties", 5000, "valid", "Send at most 5,000 properties."],
    ["type", "integer", "invalid", "Send something other than an integer."],
    ["type", ["string", "null"], "valid", "Send a string or null."],
    ["enum", ["new", "used"], "valid", 'Send "new" or "used".'],
    ["enum", ["a", "b", "c", "d"], "valid", 'Send "a", "b", "c" or 1 other.'],
    ["required", ["name", "email"], "invalid", 'Leave out "name" or "email".'],
    ["additionalProperties", false, "invalid", "Send an undeclared property."],
    ["additionalProperties", {}, "invalid", "Send an invalid additional property."],
    ["uniqueItems", true, "invalid", "Send the same item twice."],
    ["format", "date", "both", "Send a valid and an invalid date."],
    [
      ...["multipleOf", 0.5, "both"] as const,
      "Send a multiple of 0.5, then a number that isn't a multiple of 0.5.",
    ],
    ["required", ["id"], "both", 'Send "id", then leave out "id".'],
  ];
  for (const [keyword, value, missing, expected] of cases) {
    const text = keywordText(value) ?? null;
    assert.equal(keywordAdvice(keyword, text, missing), expected, keyword);
  }
});

Deno.test("every tracked keyword has sentences of its own, with nothing left to fill in", () => {
  const values: Readonly<Record<string, string>> = {
    ...{ type: '"string"', format: '"date"', pattern: '"^a"', enum: "[1]", required: '["id"]' },
  };
  for (const [keyword, facts] of keywordTable) {
    assert.equal(facts.advice !== undefined, isTracked(facts), keyword);
    if (!isTracked(facts)) continue;
    for (const missing of ["valid", "invalid", "both"] as const) {
      const sentence = keywordAdvice(keyword, values[keyword] ?? "3", missing);
      assert.doesNotMatch(sentence, /[{}]|undefined|(?:in)?valid value\.$/, keyword);
      assert.match(sentence, /^[A-Z].*\.$/, keyword);
    }
  }
});

Deno.test("keywordAdvice() does without a value that is not known, was cut or does not fit", () => {
  assert.equal(keywordAdvice("maximum", null, "invalid"), "Send an invalid value.");
  assert.equal(keywordAdvice("maxLength", '"x"', "both"), "Send a valid and an invalid value.");
  const cut = keywordText(["x".repeat(500)]) ?? "";
  assert.equal(keywordAdvice("enum", cut, "valid"), "Send a listed value.");
  assert.equal(keywordAdvice("required", "[]", "invalid"), "Leave out a required property.");
  assert.equal(
    keywordAdvice("allOf", null, "invalid"),
    "Send a value that doesn't match every schema.",
  );
  assert.equal(keywordAdvice("x-made-up", "1", "valid"), "Send a valid value.");
});
