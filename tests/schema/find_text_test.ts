import assert from "node:assert/strict";
import fc from "fast-check";
import { compilePattern, readPattern } from "../../src/schema/pattern.ts";
import { lengthRange, searchText, type TextWish } from "../../src/schema/pattern/find_text.ts";

function findText(wish: TextWish): string | undefined {
  return searchText(wish).text;
}

function wish(accepts: string[], more: Partial<TextWish> = {}): TextWish {
  return { accepts, refuses: [], minLength: 0, maxLength: Infinity, admits: () => true, ...more };
}

Deno.test("lengthRange() gives the least and the greatest number of characters", () => {
  const cases: [string, number, number][] = [
    ["^[a-z]{2,5}$", 2, 5],
    ["^a?(bc|def)+$", 2, Infinity],
    ["^(?:\\d{3}|\\d{5})$", 3, 5],
    ["[a-z]{2,5}", 2, Infinity],
    ["^a$|^bcd$", 1, 3],
    ["^a$|bcd", 1, Infinity],
    ["^(?=.{8})a*$", 0, Infinity],
    ["^a{3}$$", 3, 3],
    ["^$", 0, 0],
  ];
  for (const [source, min, max] of cases) {
    const { root, unicode } = readPattern(source);
    assert.deepEqual(lengthRange(root, unicode), { min, max }, source);
  }
});

Deno.test("searchText() says why no text meets the expressions and lengths", () => {
  const empty: [TextWish, string][] = [
    [wish(["^.{1,2048}$"], { maxLength: 0 }), "shorter than the expression"],
    [wish(["^[\\w-]{1,128}$"], { minLength: 129 }), "longer than the expression"],
    [wish(["^[a-c]+$", "^[d-f]+$"]), "no common character"],
    [wish(["^.*$"], { refuses: ["^[^]*$"] }), "refused whatever it is"],
    [wish(["^[\u00e0-\u00ff]$"], { refuses: ["[\u00df-\u0100]"] }), "beyond ASCII"],
  ];
  for (const [one, why] of empty) {
    assert.deepEqual(searchText(one), { text: undefined, isEmpty: true }, why);
  }
  // No text is generated for this letter, but one may exist.
  assert.equal(searchText(wish(["^\\p{Script=Thai}$"])).isEmpty, false);
  assert.equal(searchText(wish(["^(?!.*a$).*b.*a$"])).text, undefined);
});

Deno.test("a repeated search with another condition finds a text that meets it", () => {
  const texts = ["a", "b"].map((text) =>
    findText(wish(["^[ab]$"], { admits: (found) => found === text }))
  );
  assert.deepEqual(texts, ["a", "b"]);
  assert.equal(findText(wish(["^[ab]$"], { admits: () => false })), undefined);
  assert.equal(findText(wish(["^[ab]$"])), "a");
  assert.equal(searchText(wish(["^[ab]$"], { admits: () => false })).isEmpty, false);
});

Deno.test("long texts are found where the pattern has repeatable parts", () => {
  for (const source of ["arn:[a-z]+:\\d{3}", "^arn:[\\w/]+:(x[a-f]{3})+$", "^(?!ab)[a-c]{2,}z$"]) {
    const text = findText(wish([source], { minLength: 2049, maxLength: 5000 })) ?? "";
    assert.ok(text.length >= 2049 && new RegExp(source, "u").test(text), source);
  }
  const admits = (text: string) => text.startsWith("c");
  assert.match(findText(wish(["^[a-c]+z$"], { minLength: 60, admits })) ?? "", /^c.{58,}z$/);
});

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

Deno.test("lookarounds, word boundaries and backreferences are met", () => {
  for (
    const pattern of [
      ...["^(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{8,20}$", "^(?!aws:)[a-z:]{4}$", "^(a|b)-\\1$"],
      ...["\\bfoo\\b", "^a(?=b)b$"],
    ]
  ) {
    const text = find({ accepts: [pattern] });
    assert(text !== undefined, pattern);
    assert(new RegExp(pattern, "u").test(text), `${pattern} ${text}`);
  }
});

Deno.test("lengths, several patterns and other conditions are met together", () => {
  assert.equal(find({ accepts: ["^[a-z]+$"], minLength: 5 }), "aaaaa");
  assert.equal(find({ accepts: ["^[a-z]*$"], refuses: ["^a*$"] }), "b");
  assert.equal(find({ accepts: ["^[ab]{2}$"], admits: (text) => text !== "aa" }), "ab");
  assert.equal(find({ accepts: ["^[a-z]*$", "\\d"] }), undefined);
  assert.equal(find({ accepts: ["^\\d{9}$"], maxLength: 8 }), undefined);
  assert.equal(find({ refuses: [".*"] }), undefined);
});

Deno.test("every text that is found matches the expressions, and none is found if none matches", () => {
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
