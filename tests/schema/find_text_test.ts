import assert from "node:assert/strict";
import fc from "fast-check";
import { compilePattern } from "../../src/schema/pattern.ts";
import { findText, type TextWish } from "../../src/schema/pattern/find_text.ts";

function find(wish: Partial<TextWish>): string | undefined {
  const any = { accepts: [], refuses: [], minLength: 0, maxLength: Infinity, admits: () => true };
  return findText({ ...any, ...wish });
}

Deno.test("the shortest text of a pattern is found, of plain characters", () => {
  const expected: [string, string][] = [
    ["^[A-Z]{2}-\\d{3,}$", "AA-000"],
    ["foo|ab", "ab"],
    ["^(?:\\+|00)[1-9]\\d{6,14}$", "+1000000"],
    ["^[a-zA-Z0-9._%+-]+@[a-z]+\\.[a-z]{2,}$", "a@a.aa"],
    ["^\\p{Lu}\\p{Ll}$", "Aa"],
    ["^\\u{1F600}$", "😀"],
    ["^\\u04e9\\xf8\\u{4e2d}$", "өø中"],
    ["^ө中$", "ө中"],
    ["", ""],
  ];
  for (const [pattern, text] of expected) assert.equal(find({ accepts: [pattern] }), text, pattern);
});

Deno.test("lookarounds, word edges and backreferences are met", () => {
  for (
    const pattern of [
      "^(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{8,20}$",
      "^(?!aws:)[a-z:]{4}$",
      "^(a|b)-\\1$",
      "\\bfoo\\b",
      "^a(?=b)b$",
    ]
  ) {
    const text = find({ accepts: [pattern] });
    assert(text !== undefined, pattern);
    assert(new RegExp(pattern, "u").test(text), `${pattern} ${text}`);
  }
});

Deno.test("lengths, other patterns and other demands hold together", () => {
  assert.equal(find({ accepts: ["^[a-z]+$"], minLength: 5 }), "aaaaa");
  assert.equal(find({ accepts: ["^[a-z]*$"], refuses: ["^a*$"] }), "b");
  assert.equal(find({ accepts: ["^[ab]{2}$"], admits: (text) => text !== "aa" }), "ab");
  assert.equal(find({ accepts: ["^[a-z]*$", "\\d"] }), undefined);
  assert.equal(find({ accepts: ["^\\d{9}$"], maxLength: 8 }), undefined);
  assert.equal(find({ refuses: [".*"] }), undefined);
});

Deno.test("a text that is found is one that the expressions agree with, and none is found where there is none", () => {
  const atoms = fc.constantFrom("a", "b", "[ab]", "[^a]", "\\d", ".", "(a|bc)", "(?:ab)?");
  const counts = fc.constantFrom("", "*", "+", "?", "{2}", "{1,3}");
  const patterns = fc.array(fc.tuple(atoms, counts), { minLength: 1, maxLength: 4 })
    .map((parts) =>
      parts.map(([atom, count]) => (atom.endsWith("?") ? atom : atom + count)).join("")
    )
    .chain((body) => fc.constantFrom(body, `^${body}`, `${body}$`, `^${body}$`));
  fc.assert(
    fc.property(patterns, patterns, (accepted, refused) => {
      const text = find({ accepts: [accepted], refuses: [refused] });
      const isRight = (one: string) =>
        compilePattern(accepted)(one) === true && compilePattern(refused)(one) === false;
      if (text !== undefined) assert(isRight(text));
      else {for (const one of ["", "a", "b", "ab", "ba", "aa", "0", "a0", "bc", "abc"]) {
          assert(!isRight(one));
        }}
    }),
    { numRuns: 300 },
  );
});
