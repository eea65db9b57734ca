import assert from "node:assert/strict";
import { compilePattern } from "../../../src/schema/pattern.ts";
import type { Random } from "../../corpus/random.ts";
import { bytesOf, type FuzzTarget, jsonOf } from "../fuzz_target.ts";

const ATOMS = [
  ...["a", "b", "1", " ", "é", "😀", ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\.", "\\n"],
  ...["[ab]", "[^ab]", "[a-c1]", "[\\d_]", "\\x61", "\\u0061", "\\u{1F600}", "\\p{L}", "\\P{Lu}"],
  ...["^", "$", "\\b", "\\B", "(?=a)", "(?!b)", "(?<=a)", "(?<!b)", "\\1", "(?:", "[", "]", "\\"],
];
const REPEATS = ["", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?", "{3", "{2,1}"];
const CHARACTERS = ["a", "b", "c", "1", " ", "_", "é", "😀", "\n", "A", ".", "\ud800"];

function patternOf(random: Random, depth: number): string {
  let text = "";
  for (let count = random.below(4); count >= 0; count--) {
    const inner = depth > 0 && random.oneIn(3);
    const atom = inner
      ? `${random.pick(["(", "(?:", "(?<n>"])}${patternOf(random, depth - 1)})`
      : random.pick(ATOMS);
    text += atom + random.pick(REPEATS);
  }
  return random.oneIn(4) ? `${text}|${patternOf(random, Math.max(0, depth - 1))}` : text;
}

function textFor(random: Random): string {
  return Array.from({ length: random.below(9) }, () => random.pick(CHARACTERS)).join("");
}

/** Patterns against the platform's: what has matches there has them here. */
export const patterns: FuzzTarget = {
  name: "patterns",
  make(random) {
    const texts = Array.from({ length: 6 }, () => textFor(random));
    return bytesOf(JSON.stringify([patternOf(random, 2), ...texts]));
  },
  check(input) {
    const [source = "", ...texts] = stringsOf(input);
    const expected = withUnicode(source);
    let actual: ReturnType<typeof compilePattern> | undefined;
    try {
      actual = compilePattern(source);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    if (expected === undefined) return;
    assert.ok(actual !== undefined, `${source} is a pattern`);
    for (const text of texts) {
      const matches = actual(text);
      if (matches === undefined) continue; // beyond its budget
      assert.equal(matches, expected.test(text), `${source} on ${JSON.stringify(text)}`);
    }
  },
};

function stringsOf(input: Uint8Array): readonly string[] {
  const value = jsonOf(input);
  return Array.isArray(value) ? value.filter((text) => typeof text === "string") : [];
}

/** The platform's expression with `u`, as JSON Schema recommends; undefined for what only older syntax allows. */
function withUnicode(source: string): RegExp | undefined {
  try {
    return new RegExp(source, "u");
  } catch {
    return undefined;
  }
}
