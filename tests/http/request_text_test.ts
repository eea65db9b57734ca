import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeFormText, decodePercent } from "../../src/http/percent.ts";
import { splitQuery } from "../../src/http/request_text.ts";

Deno.test("splitQuery() decodes names, but not values", () =>
  assert.deepEqual(splitQuery("a+b=c+d&%C3%A9=%C3%A9&x=1=2"), [
    { name: "a b", value: "c+d" },
    { name: "é", value: "%C3%A9" },
    { name: "x", value: "1=2" },
  ]));

Deno.test("splitQuery() reads an empty value for names without =, and skips only empty pieces", () => {
  assert.deepEqual(splitQuery("&flag&&=x&y="), [
    { name: "flag", value: "" },
    { name: "", value: "x" },
    { name: "y", value: "" },
  ]);
  assert.deepEqual(splitQuery(""), []);
});

Deno.test("queries are decoded as URLSearchParams decodes them", () => {
  const pieces = fc.constantFrom("a", "=", "&", "+", "%", "%2", "%zz", "%41", "%C3%A9", "%FF", "é");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (texts) => {
      const query = texts.join("");
      const decoded = splitQuery(query).map(({ name, value }) => [name, decodeFormText(value)]);
      assert.deepEqual(decoded, [...new URLSearchParams(query)]);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("decodePercent() keeps + and invalid sequences", () => {
  assert.equal(decodePercent("a+b%20c"), "a+b c");
  assert.equal(decodePercent("100%"), "100%");
  assert.equal(decodePercent("%G0%4"), "%G0%4");
  assert.equal(decodePercent("é%%C3%A9"), "é%é");
  assert.equal(decodePercent("%EF%BB%BF%FF"), "\ufeff\ufffd");
});
