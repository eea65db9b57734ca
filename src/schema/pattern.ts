import {
  type Alphabet,
  type Budget,
  BudgetSpent,
  compileProgram,
  createAlphabet,
  type Program,
  ProgramTooLarge,
} from "./pattern/program.ts";
import { type Automaton, createAutomaton } from "./pattern/automaton.ts";
import { backtrack } from "./pattern/backtracking.ts";
import { type ParsedPattern, parsePattern } from "./pattern/parse.ts";
import { simulate } from "./pattern/simulation.ts";

/** Returns true if an expression matches anywhere in a text, or undefined if that takes more steps than allowed. */
export type PatternTest = (text: string, sharedBudget?: Budget) => boolean | undefined;

/** The most steps for one text, about a second; only very long counted repetitions with very long texts come near. */
export const MAX_PATTERN_STEPS = 30_000_000;

/** The most steps for expressions with backreferences, which take longer per step. */
const MAX_BACKTRACKING_STEPS = 2_000_000;

/** The steps that each text adds to a common allowance: a fixed number, and a number for each of its characters. */
const STEPS_FOR_TEXT = 1_000;
const STEPS_FOR_CHARACTER = 100;

// A description has a limited number of patterns, but a process may load many descriptions.
const MAX_CACHED_PATTERNS = 10_000;
const cachedTests = new Map<string, PatternTest>();

// Matches classes as a whole, because `\-` has a meaning only within a class.
const CLASS_OR_ESCAPE = /\[(?:\\[^]|[^\]\\])*\]|\\[^]/gu;
const NEEDLESS_ESCAPE = /\\([^a-zA-Z\d^$\\.*+?()[\]{}|/-])/gu;

/** Matches a literal with its slashes, which match no text outside of its `^` and `$`. */
const LITERAL = /^\/\^[^]*\$\/[a-z]*$/;
/** Matches what other languages have and the grammar without the `u` flag takes for text: `\A`, `\x{60}`, `[[:alpha:]]`. */
const FOREIGN_SYNTAX =
  /^(?:[^\\]|\\[^])*?(?:\\(?:[aeghijlmopqyzACE-RTUVXYZ]|x\{)|\[:\^?[a-z]+:\]|&&\[)/;

/** Removes meaningless escapes, which the `u` flag forbids: `\_`, `\@`, `\-`. */
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

export function isRegExp(source: string, flags: string): boolean {
  return rejectionReason(source, flags) === undefined;
}

function rejectionReason(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.slice(message.lastIndexOf(": ") + 2).replace(/^./, (one) => one.toLowerCase());
  }
}

/** Parses an expression, with the `u` flag if possible; throws a SyntaxError if it is invalid or nested too deeply. */
export function readPattern(source: string): ParsedPattern {
  if (!LITERAL.test(source)) {
    if (isRegExp(source, "u")) return parsePattern(source, true);
    const stripped = withoutNeedlessEscapes(source);
    if (isRegExp(stripped, "u")) return parsePattern(stripped, true);
    if (isRegExp(source, "") && !FOREIGN_SYNTAX.test(source)) return parsePattern(source, false);
  }
  const reason = rejectionReason(source, "u") ?? "slashes around it";
  throw new SyntaxError(
    `The pattern ${JSON.stringify(source)} is not a valid ECMA-262 regular expression: ${reason}.`,
  );
}

function createTest(pattern: ParsedPattern): PatternTest {
  const { unicode, hasBackreference, largestCount } = pattern;
  const matchers = new Map<number, Matcher | null>();
  const maxSteps = hasBackreference ? MAX_BACKTRACKING_STEPS : MAX_PATTERN_STEPS;
  const weight = MAX_PATTERN_STEPS / maxSteps;

  /** Returns null if the expression is too large. */
  function matcherFor(length: number): Matcher | null {
    // Counts beyond the length of the text are cut, so that a short text only needs a short program.
    // Powers of two keep the number of programs small.
    let limit = 64;
    while (limit <= length && limit <= largestCount) limit *= 2;
    let matcher = matchers.get(limit);
    if (matcher === undefined) matchers.set(limit, matcher = createMatcher(limit));
    return matcher;
  }

  function createMatcher(limit: number): Matcher | null {
    try {
      const program = compileProgram(pattern, { limit, captures: hasBackreference });
      const alphabet = createAlphabet(program.atoms, unicode);
      const automaton = program.contextFree && !hasBackreference
        ? createAutomaton(program, alphabet, unicode)
        : null;
      return { alphabet, program, automaton };
    } catch (error) {
      if (error instanceof ProgramTooLarge) return null;
      throw error;
    }
  }

  function run({ alphabet, program, automaton }: Matcher, text: string, budget: Budget): boolean {
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

  return (text, sharedBudget = { steps: MAX_PATTERN_STEPS }) => {
    const matcher = matcherFor(text.length);
    if (matcher === null) return undefined;
    sharedBudget.steps += STEPS_FOR_TEXT + text.length * STEPS_FOR_CHARACTER;
    const steps = Math.min(maxSteps, sharedBudget.steps / weight);
    const budget: Budget = { steps };
    try {
      return run(matcher, text, budget);
    } catch (error) {
      if (error instanceof BudgetSpent) return undefined;
      throw error;
    } finally {
      sharedBudget.steps -= (steps - Math.max(budget.steps, 0)) * weight;
    }
  };
}

/**
 * Compiles the value of a `pattern` keyword (JSON Schema 2020-12, Validation, section 6.3.3): an
 * expression of ECMA-262 that may match anywhere in a text.
 *
 * The expression is parsed with the `u` flag. If that is a syntax error, it is parsed without
 * meaningless escapes (`\_`, `\@`), and finally without the flag, unless it has syntax of another language.
 *
 * Matching takes time linear in the text, including lookarounds, so that no traffic can hang covtool.
 * Two kinds of expressions have a limit instead, beyond which a text is not judged: those with
 * backreferences, which take 2 million steps at most, and those whose counted repetitions would
 * unfold to more than 250,000 instructions or 30 million steps.
 */
export function compilePattern(source: string): PatternTest {
  let test = cachedTests.get(source);
  if (test === undefined) {
    test = createTest(readPattern(source));
    if (cachedTests.size >= MAX_CACHED_PATTERNS) cachedTests.clear();
    cachedTests.set(source, test);
  }
  return test;
}
