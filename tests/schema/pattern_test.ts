import assert from "node:assert/strict";
import { TEST_SEED } from "../test_seed.ts";
import { jsonType, typeMask } from "../../src/values/json_type.ts";
import { compilePattern } from "../../src/schema/pattern.ts";
import { testSuiteFile } from "../conformance/json_schema_test_suite.ts";
import { processorTime } from "../processor_time.ts";

/** True if a value is valid under `pattern`, `patternProperties` and `additionalProperties: false`. */
function isValid(schema: Readonly<Record<string, unknown>>, data: unknown): boolean {
  if (typeof schema["pattern"] === "string" && typeof data === "string") {
    return compilePattern(schema["pattern"])(data) === true;
  }
  if (typeof data !== "object" || data === null || Array.isArray(data)) return true;
  const patterns = Object.entries(schema["patternProperties"] ?? {});
  return Object.entries(data).every(([name, value]) => {
    const applying = patterns.filter(([source]) => compilePattern(source)(name));
    if (applying.length === 0) return schema["additionalProperties"] !== false;
    return applying.every(([, inner]) => {
      if (typeof inner === "boolean") return inner;
      if (inner.maximum !== undefined) return typeof value !== "number" || value <= inner.maximum;
      if (inner.type === undefined) return true;
      return (typeMask(inner.type) & jsonType(value)) !== 0;
    });
  });
}

for (
  const file of [
    ...["pattern.json", "patternProperties.json", "optional/ecmascript-regex.json"],
    "optional/non-bmp-regex.json",
  ]
) {
  testSuiteFile(file, (groups) => {
    for (const { description, schema, tests } of groups) {
      for (const test of tests) {
        assert.equal(
          isValid(schema as Readonly<Record<string, unknown>>, test.data),
          test.valid,
          `${description}: ${test.description}`,
        );
      }
    }
  });
}

Deno.test("nested quantifiers don't make matching long text slow", () => {
  const long = "a".repeat(200_000);
  for (
    const [source, text] of [
      ["^(a+)+$", "a".repeat(50) + "!"],
      ["^(a+)+$", long + "!"],
      ["(.*)*x", long],
      ["(.*)*x", long + "\n"],
      ["(?:a|a|aa)+$", long + "!"],
      ["a+a+a+x", long],
      ["[a-z]+x$", long],
      ["^(?=(a+)+$).*!", long + "?"],
      ["(?<!(a+)+)b", long],
      ["\\b(\\w+\\b ?)+$", "word ".repeat(20_000) + "!"],
    ] as const
  ) {
    // The native engine would take years for some of these, so a generous bound is enough.
    const most = 20_000;
    const work = () => assert.equal(compilePattern(source)(text), false, source);
    assert.ok(processorTime(work, most) < most, source);
  }
});

Deno.test("an expression with backreferences that takes too many steps has no result", () => {
  assert.equal(compilePattern("^(a|aa)+\\1b$")("a".repeat(60)), undefined);
  const quoted = compilePattern("^(['\"])[^'\"]*\\1$");
  assert.equal(quoted("'one'"), true);
  assert.equal(quoted("'one\""), false);
  assert.equal(quoted(`'${"a".repeat(20_000)}'`), true);
});

Deno.test("a repeated group resets only its own captures in each iteration", () => {
  for (const source of ["^(a)(?:(b)|c)+\\1$", "^(?:(b)|c)+\\1$", "^(?:(b)|c)+(a)\\2$"]) {
    for (const text of ["abca", "abc", "bcb", "bc", "bca", "bcaa", "cb", "cbb"]) {
      assert.equal(
        compilePattern(source)(text),
        new RegExp(source).test(text),
        `${source} ${text}`,
      );
    }
  }
});

Deno.test("an expression that expands too far has no result", () => {
  for (
    const [source, text] of [
      ["(a{1,1000}){1,1000}b", "a".repeat(3000)],
      ["((((a{1,100}){1,100}){1,100}){1,100})b", "a".repeat(100)],
    ] as const
  ) assert.equal(compilePattern(source)(text), undefined, source);
});

Deno.test("texts share an allowance of steps, to which each adds by its length", () => {
  const slow = compilePattern("^(a|aa)+\\1b$");
  const allowance = { steps: 30_000_000 };
  assert.equal(slow("a".repeat(60), allowance), undefined);
  assert.ok(allowance.steps < 10_000, `${allowance.steps} left`);
  assert.equal(slow("a".repeat(60), allowance), undefined);
  assert.equal(slow("aab", allowance), true, "what takes little is judged all the same");
  assert.ok(allowance.steps >= 0 && allowance.steps < 10_000, `${allowance.steps} left`);
  const quick = compilePattern("^(?=.*[A-Z])(?=.*\\d).{8,}$");
  for (let index = 0; index < 10_000; index++) {
    assert.equal(quick(`Passw0rd${index}`, allowance), true);
  }
});

Deno.test("a lookahead at the start of a text stops as soon as it can", () => {
  const source = "^(?=^\\$)(?=^\\S+$).*$";
  const allowance = { steps: 0 };
  assert.equal(compilePattern(source)("a".repeat(50_000), allowance), false);
  assert.ok(allowance.steps > 100 * 50_000, `${allowance.steps} left`); // all that the text adds, except for a few steps
  for (
    const start of [
      source,
      "b(?=^a)",
      "(?=^a)a",
      "(?!^a)a",
      "(?=^a|^b)b$",
      "(?<=^a)b",
      "(?=(?:^a)*b)b",
    ]
  ) {
    for (const text of ["", "$a", "$ a", "a", "b", "ab", "ba", "aa", "bb"]) {
      assert.equal(
        compilePattern(start)(text),
        new RegExp(start, "u").test(text),
        `${start} ${text}`,
      );
    }
  }
});

Deno.test("groups that nest too deeply are refused", () => {
  for (const [open, close] of [["(", ")"], ["(?:", ")"], ["(?=", ")"], ["(?:a|", ")*"]] as const) {
    assert.throws(() => compilePattern(open.repeat(10_000) + "a" + close.repeat(10_000)), {
      name: "SyntaxError",
    });
    const deep = open.repeat(200) + "a" + close.repeat(200);
    assert.doesNotThrow(() => compilePattern(deep)("a"), open);
  }
});

/** Expressions with texts that match and texts that don't, by the name of the test. */
const MATCHED: Readonly<
  Record<string, readonly (readonly [source: string, yes: string[], no?: string[]])[]>
> = {
  "counts far beyond the length of a text are exact": [
    ["^a{2,70000}$", ["aa", "a".repeat(70_000)], ["a", "a".repeat(70_001)]],
    ["^(?:a|){100}$", ["aa"]],
    ["^a{100}$", [], ["aa"]],
  ],
  "escapes that the u flag forbids stand for the escaped character": [
    ["^\\d{3}\\-\\d{4}$", ["555-1234"]],
    ["^[\\w\\-\\_\\@]+$", ["a-_@"]],
    ["^\\@\\#\\ \\'$", ["@# '"]],
  ],
  "needless escapes don't turn the u flag off for the rest of the expression": [
    ["^\\p{L}\\_.$", ["é_\u{1F600}"], ["p{L}_a"]],
  ],
  "syntax that only the legacy grammar allows is read without the u flag": [
    ["^a{,3}]\\8$", ["a{,3}]8"]],
    ["^.$", ["\u{1F600}"]],
    ["^\\8.$", [], ["8\u{1F600}"]],
    ["^\\101\\8\\ca$", ["A8\u0001"]],
  ],
};

for (const [sentence, cases] of Object.entries(MATCHED)) {
  Deno.test(sentence, () => {
    for (const [source, yes, no = []] of cases) {
      const test = compilePattern(source);
      for (const text of yes) assert.equal(test(text), true, `${source} ${text}`);
      for (const text of no) assert.equal(test(text), false, `${source} ${text}`);
    }
  });
}

Deno.test("an invalid pattern is rejected with a message that quotes it", () => {
  assert.throws(() => compilePattern("^(abc"), {
    name: "SyntaxError",
    message: 'The pattern "^(abc" is not a valid ECMA-262 regular expression: unterminated group.',
  });
  assert.throws(() => compilePattern("(?i)a"), SyntaxError);
});

Deno.test("a pattern of another language is invalid, though ECMA-262 takes its syntax for text", () => {
  for (
    const source of [
      "\\A[a-z]+\\z",
      "^a\\Z",
      "^\\\\\\h$",
      "^[\\p{L}\\w-.]$",
      "^\\p{IsLetter}$",
      "^\\x{60}$",
      "^[_[:alnum:]]+$",
      "^[\\w&&[^_]]$",
      "/^[a-z]+$/",
      "/^[a-z]+$/i",
    ]
  ) assert.throws(() => compilePattern(source), SyntaxError, source);
  assert.throws(() => compilePattern("/^a$/"), /regular expression: slashes around it\.$/);
  assert.equal(compilePattern("^\\\\A[\\w-.]$")("\\Ab"), true);
  assert.equal(compilePattern("^/a/$")("/a/"), true);
  assert.equal(compilePattern("^[:a-z:]$")("b"), true);
});

Deno.test("a pattern is compiled once and cached", () =>
  assert.equal(compilePattern("^once$"), compilePattern("^once$")));

/** True if an expression matches; sticky, because V8 also tries the `u` flag between halves of a surrogate pair. */
function matches(native: RegExp, text: string): boolean {
  if (!native.unicode) return native.test(text);
  const sticky = new RegExp(native, "uy");
  let at = 0;
  return [...text, ""].some((character) => {
    sticky.lastIndex = at;
    at += character.length;
    return sticky.test(text);
  });
}

Deno.test("generated expressions match what the native engine matches", () => {
  const pieces =
    "a b c \\d \\w [ab] [^a] . (?: ( (?= (?! (?<= (?<! ) ) ) | | * + ? {2} {1,3} {0,} ^ $ \\b \\B *? +? \\1 \\2 (?<n> \\k<n> \\s [] [^] é \\u{1F600} (?i: (?m: (?s-i: \\n \\xe9 { } ] \\c \\8 \\12"
      .split(" ");
  const characters = ["a", "b", "c", "A", "1", " ", "é", "\u{1F600}", "\n", "-", "aa", "bb"];
  let state = TEST_SEED;
  const pick = <Value>(values: readonly Value[]): Value => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const value = values[Math.floor(state / 2 ** 32 * values.length)];
    assert.ok(value !== undefined);
    return value;
  };
  const counts = [1, 2, 3, 4, 5, 6, 7, 8];
  let compared = 0;
  while (compared < 20_000) {
    let source = "";
    let open = 0;
    for (let left = pick(counts); left > 0; left--) {
      const piece = pick(pieces);
      if (piece === ")" && open === 0) continue;
      open += piece === ")" ? -1 : piece.startsWith("(") ? 1 : 0;
      source += piece;
    }
    source += ")".repeat(open);
    let native: RegExp;
    try {
      native = new RegExp(source, "u");
    } catch {
      try {
        native = new RegExp(source);
      } catch {
        continue;
      }
    }
    const test = compilePattern(source);
    for (let left = 6; left > 0; left--) {
      const text = Array.from({ length: pick(counts) - 1 }, () => pick(characters)).join("");
      assert.equal(test(text), matches(native, text), `${native} on ${JSON.stringify(text)}`);
      compared++;
    }
  }
});
