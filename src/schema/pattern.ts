import { type Alphabet, createAlphabet } from "./pattern/alphabet.ts";
import { type Automaton, createAutomaton } from "./pattern/automaton.ts";
import { backtrack } from "./pattern/backtracking.ts";
import { type Budget, BudgetSpent } from "./pattern/budget.ts";
import { type ParsedPattern, parsePattern } from "./pattern/parse.ts";
import { compileProgram, type Program, ProgramTooLarge } from "./pattern/program.ts";
import { simulate } from "./pattern/simulation.ts";

/** Tells whether an expression matches somewhere in a text. */
export type PatternTest = (text: string) => boolean;

/**
 * How many steps of matching one text may take, about a second. Only expressions that combine very long
 * counted repetitions with very long text come near.
 */
const STEPS = 30_000_000;

/** The same for expressions with backreferences, whose steps cost more. */
const BACKTRACKING_STEPS = 2_000_000;

// Descriptions are finite, but who measures many of them in one run should not pay for all of them.
const REMEMBERED = 10_000;
const compiled = new Map<string, PatternTest>();

// Classes are found whole, as `\-` says something in them and nothing outside.
const CLASS_OR_ESCAPE = /\[(?:\\[^]|[^\]\\])*\]|\\[^]/gu;
const NEEDLESS_ESCAPE = /\\([^a-zA-Z\d^$\\.*+?()[\]{}|/-])/gu;

/** Takes away the escapes that the `u` flag forbids because they say nothing: `\_`, `\@`, `\-`. */
function withoutNeedlessEscapes(source: string): string {
  return source.replace(
    CLASS_OR_ESCAPE,
    (found) => found === "\\-" ? "-" : found.replace(NEEDLESS_ESCAPE, "$1"),
  );
}

interface Matcher {
  readonly alphabet: Alphabet;
  readonly program: Program;
  readonly automaton: Automaton | null;
}

function accepted(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

function whyRejected(source: string): string {
  try {
    new RegExp(source, "u");
    return "too large";
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.slice(message.lastIndexOf(": ") + 2).replace(/^./, (one) => one.toLowerCase());
  }
}

/** Finds how an expression is meant: with the `u` flag if it can be read so. */
function read(source: string): ParsedPattern {
  if (accepted(source, "u")) return parsePattern(source, true);
  const bare = withoutNeedlessEscapes(source);
  if (accepted(bare, "u")) return parsePattern(bare, true);
  if (accepted(source, "")) return parsePattern(source, false);
  throw new SyntaxError(
    `The pattern ${JSON.stringify(source)} is no regular expression of ECMA-262: ${
      whyRejected(source)
    }.`,
  );
}

function createTest(pattern: ParsedPattern): PatternTest {
  const { unicode, hasBackreference, largestCount } = pattern;
  const matchers = new Map<number, Matcher>();

  function matcherFor(length: number): Matcher {
    // Counts beyond the length of the text are cut, so short text gets by with a short program. The
    // steps of two keep the number of programs small.
    let limit = 64;
    while (limit <= length && limit <= largestCount) limit *= 2;
    let matcher = matchers.get(limit);
    if (matcher === undefined) {
      const program = compileProgram(pattern, { limit, captures: hasBackreference });
      const alphabet = createAlphabet(program.atoms, unicode);
      const automaton = program.contextFree && !hasBackreference
        ? createAutomaton(program, alphabet, unicode)
        : null;
      matchers.set(limit, matcher = { alphabet, program, automaton });
    }
    return matcher;
  }

  function run(text: string): boolean {
    const { alphabet, program, automaton } = matcherFor(text.length);
    const budget: Budget = { steps: hasBackreference ? BACKTRACKING_STEPS : STEPS };
    if (automaton !== null) return automaton(text, budget);
    const codes = unicode
      ? Array.from(text, (character) => character.codePointAt(0) ?? 0)
      : Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
    const input = { codes, alphabet, budget };
    if (hasBackreference) return backtrack(program, input, unicode);
    let found = false;
    simulate(program, input, () => found = true);
    return found;
  }

  return (text) => {
    try {
      return run(text);
    } catch (error) {
      if (error instanceof BudgetSpent || error instanceof ProgramTooLarge) return false;
      throw error;
    }
  };
}

/**
 * Compiles the value of a `pattern` keyword (JSON Schema 2020-12, Validation, section 6.3.3): an
 * expression of ECMA-262 that may match anywhere in a text.
 *
 * The expression is read with the `u` flag. Where that is a syntax error it is read without needless
 * escapes (`\_`, `\@`), and last without the flag.
 *
 * Matching takes time in proportion to the text, lookarounds included, so that no traffic can hang
 * covtool. Two kinds of expressions have a limit in its place, beyond which a text counts as not matching:
 * those with backreferences, which take 2 million steps at most, and those whose counted repetitions
 * would unfold to more than 250,000 instructions or 30 million steps.
 *
 * @throws {SyntaxError} with one sentence, if it is no regular expression.
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { compilePattern } from "./pattern.ts";
 *
 * const test = compilePattern("^(a+)+$");
 * assert.equal(test("aaa"), true);
 * assert.equal(test("a".repeat(50) + "!"), false); // at once
 * ```
 */
export function compilePattern(source: string): PatternTest {
  let test = compiled.get(source);
  if (test === undefined) {
    test = createTest(read(source));
    if (compiled.size >= REMEMBERED) compiled.clear();
    compiled.set(source, test);
  }
  return test;
}
