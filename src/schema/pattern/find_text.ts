import { getOrAdd } from "../../values/collections.ts";
import { codePoints } from "../keywords/strings.ts";
import { compilePattern, readPattern } from "../pattern.ts";
import {
  type Alphabet,
  type Budget,
  BudgetSpent,
  compileProgram,
  createAlphabet,
  ProgramTooLarge,
} from "./program.ts";
import { createStates, type State, type States } from "./automaton.ts";
import type { ParsedPattern, PatternNode } from "./parse.ts";
import { candidateCharacters, candidatesSuffice, sampleTexts } from "./sample_texts.ts";

export interface TextWish {
  /** Expressions that must match. */
  readonly accepts: readonly string[];
  /** Expressions that must not match. */
  readonly refuses: readonly string[];
  /** The least number of characters (code points). */
  readonly minLength: number;
  readonly maxLength: number;
  readonly admits: (text: string) => boolean;
}

/** The maximum number of texts to visit. */
const MAX_STEPS = 20_000;
const STEPS = 3_000_000;
/** Longer texts are not searched for. */
const MAX_LENGTH = 5_000;
/** The number of texts that are tried if there are requirements that automata can't express. */
const MAX_TEXTS = 200;

/** The numbers, by round, of texts and of characters to try among those that no automaton distinguishes. */
const VARIETY_BY_ROUND = [1, 12];

interface Demand {
  readonly root: PatternNode;
  readonly pattern: ParsedPattern;
  readonly accepted: boolean;
}

interface Machine {
  readonly states: States;
  readonly alphabet: Alphabet;
  readonly accepted: boolean;
  readonly anchored: boolean;
}

/** Finds the shortest text that an expression matches, made of plain letters and digits if possible. */
export function findMatch(pattern: string, admits: (text: string) => boolean): string | undefined {
  const wish = { accepts: [pattern], refuses: [], minLength: 0, maxLength: Infinity, admits };
  return searchText(wish).text;
}

export interface FoundText {
  readonly text: string | undefined;
  /** True if the expressions and the lengths exclude all texts, regardless of other requirements. */
  readonly isEmpty: boolean;
}

/** Searches are repeated with other values of `admits`. */
const MAX_CACHED_SEARCHES = 2_000;
const cachedSearches = new Map<string, FoundText>();

/** Finds the shortest text that some expressions match and others don't, or finds that there is none. */
export function searchText(wish: TextWish): FoundText {
  const { accepts, refuses, minLength, maxLength, admits } = wish;
  const key = JSON.stringify([accepts, refuses, minLength, String(maxLength)]);
  const known = cachedSearches.get(key);
  // The cached text was found without `admits`.
  if (known !== undefined && (known.text === undefined || admits(known.text))) return known;
  const result = known ?? search({ ...wish, admits: () => true });
  if (known === undefined) {
    if (cachedSearches.size >= MAX_CACHED_SEARCHES) cachedSearches.clear();
    cachedSearches.set(key, result);
  }
  return result.text === undefined || admits(result.text) ? result : search(wish);
}

function search(wish: TextWish): FoundText {
  const fulfils = compileWish(wish);
  const patterns = [
    ...wish.accepts.map((source) => ({ pattern: readPattern(source), accepted: true })),
    ...wish.refuses.map((source) => ({ pattern: readPattern(source), accepted: false })),
  ];
  const demands = patterns.flatMap(({ pattern, accepted }) =>
    splitLookaheads(pattern.root, pattern, accepted)
  );
  if (demands.some((demand) => isOutside(demand, wish))) return NO_TEXT;
  if (wish.minLength > MAX_DIRECT_LENGTH) {
    const text = lengthen(searchText({ ...wish, minLength: 0 }).text, wish.minLength, fulfils);
    if (text !== undefined) return { text, isEmpty: false };
  }
  try {
    const machines = demands.map((demand) => compileMachine(demand, wish));
    const known = machines.filter((machine) => machine !== undefined);
    const roots = demands.map(({ root }) => root);
    const characters = candidateCharacters(roots);
    for (const variety of VARIETY_BY_ROUND) {
      const progress = { isComplete: false, found: 0 };
      for (const text of listTexts(known, characters, wish, variety, progress)) {
        if (fulfils(text)) return { text, isEmpty: false };
      }
      // More equivalent characters lead to no other states.
      if (progress.isComplete && progress.found === 0) {
        if (roots.every(candidatesSuffice)) return NO_TEXT;
        break;
      }
    }
    if (known.length === machines.length) return NOT_FOUND;
  } catch (error) {
    if (!(error instanceof BudgetSpent || error instanceof ProgramTooLarge)) throw error;
  }
  for (const { pattern, accepted } of patterns) {
    if (!accepted) continue;
    for (const text of sampleTexts(pattern)) if (fulfils(text)) return { text, isEmpty: false };
  }
  return NOT_FOUND;
}

/** Longer texts are made from shorter ones first, because automata take long to reach them. */
const MAX_DIRECT_LENGTH = 40;

/** Lengthens a text by repeating one of its characters, or an `a`, at one place. */
function lengthen(
  short: string | undefined,
  length: number,
  fulfils: (text: string) => boolean,
): string | undefined {
  if (short === undefined) return undefined;
  const characters = Array.from(short);
  const missing = Math.min(length, MAX_LENGTH) - characters.length;
  if (missing <= 0) return undefined;
  for (let at = Math.min(characters.length, MAX_DIRECT_LENGTH * 2); at >= 0; at--) {
    for (const filler of [characters[at - 1], characters[at], "a"]) {
      if (filler === undefined) continue;
      const start = characters.slice(0, at).join("");
      const text = start + filler.repeat(missing) + characters.slice(at).join("");
      if (fulfils(text)) return text;
    }
  }
  return undefined;
}

const NO_TEXT: FoundText = { text: undefined, isEmpty: true };
const NOT_FOUND: FoundText = { text: undefined, isEmpty: false };

function isOutside({ root, pattern: { unicode }, accepted }: Demand, wish: TextWish): boolean {
  if (!accepted) return false;
  const { min, max } = lengthRange(root, unicode);
  return min > wish.maxLength || max < wish.minLength;
}

/** Returns a test of texts by the expressions themselves, so that the search need not be exact. */
export function compileWish(wish: TextWish): (text: string) => boolean {
  const accepts = wish.accepts.map((source) => compilePattern(source));
  const refuses = wish.refuses.map((source) => compilePattern(source));
  return (text) => {
    const length = codePoints(text);
    return length >= wish.minLength && length <= wish.maxLength &&
      accepts.every((test) => test(text) === true) &&
      refuses.every((test) => test(text) === false) && wish.admits(text);
  };
}

/** Splits off the lookaheads after `^`: they apply to the entire text, as separate expressions do. */
function splitLookaheads(root: PatternNode, pattern: ParsedPattern, accepted: boolean): Demand[] {
  const whole = { root, pattern, accepted };
  if (!accepted || root.kind !== "sequence") return [whole];
  const [first, ...rest] = root.items;
  if (first?.kind !== "edge" || first.edge !== "start") return [whole];
  const looks: Demand[] = [];
  let at = 0;
  for (let look = rest[at]; look?.kind === "look" && !look.behind; look = rest[++at]) {
    const items = [first, look.body];
    looks.push({ root: { kind: "sequence", items }, pattern, accepted: !look.negated });
  }
  if (at === 0) return [whole];
  const remaining: PatternNode = { kind: "sequence", items: [first, ...rest.slice(at)] };
  return [...looks, ...splitLookaheads(remaining, pattern, true)];
}

/** Returns undefined for an expression that no automaton can decide. */
function compileMachine({ root, pattern, accepted }: Demand, wish: TextWish): Machine | undefined {
  const { unicode } = pattern;
  const longest = Math.min(wish.maxLength, Math.max(wish.minLength, pattern.largestCount) + 64);
  const limit = Math.min(longest, MAX_LENGTH) + 1;
  const program = compileProgram({ ...pattern, root }, { limit, captures: false });
  if (!program.contextFree || program.backreferences.length > 0) return undefined;
  const alphabet = createAlphabet(program.atoms, unicode);
  const { anchored } = program;
  return { states: createStates(program, alphabet), alphabet, accepted, anchored };
}

interface ReachedText {
  readonly states: readonly State[];
  readonly length: number;
  readonly previous: ReachedText | undefined;
  readonly character: string;
}

/** Yields texts that satisfy all automata, the shortest first. */
function* listTexts(
  machines: readonly Machine[],
  candidates: string,
  { minLength, maxLength }: TextWish,
  variety: number,
  progress: { isComplete: boolean; found: number },
): Generator<string> {
  const budget: Budget = { steps: STEPS };
  const characters = distinctCharacters(machines, candidates, variety);
  const numbers = new Map<State, number>();
  const stateNumber = (state: State): number => getOrAdd(numbers, state, () => numbers.size);
  const visits = new Map<string, number>();
  const first = machines.map(({ states }) => states.start(budget));
  let level: ReachedText[] = [{ states: first, length: 0, previous: undefined, character: "" }];
  let steps = 0;
  let isCut = false;
  while (level.length > 0) {
    const next: ReachedText[] = [];
    for (const reached of level) {
      const { length } = reached;
      if (length >= minLength && isAccepted(reached.states, machines)) {
        progress.found++;
        yield reachedText(reached);
        if (progress.found >= MAX_TEXTS) return;
      }
      if (length >= maxLength) continue;
      if (length >= MAX_LENGTH) {
        isCut = true;
        continue;
      }
      for (const { character, classes } of characters) {
        const states = machines.map((machine, index) =>
          step(machine, reached.states[index] as State, classes[index] as number, budget)
        );
        if (states.some((state, index) => isDead(state, machines[index] as Machine))) continue;
        // Texts with the same states are equivalent, except for the length that is still required.
        const key = `${states.map(stateNumber).join()} ${Math.min(length + 1, minLength)}`;
        const visited = visits.get(key) ?? 0;
        if (visited >= variety) continue;
        visits.set(key, visited + 1);
        if (++steps > MAX_STEPS) return;
        next.push({ states, length: length + 1, previous: reached, character });
      }
    }
    level = next;
  }
  progress.isComplete = !isCut;
}

function step({ states }: Machine, state: State, characterClass: number, budget: Budget): State {
  if (state.matches) return state; // It matches, whatever follows.
  return state.next[characterClass] ?? states.follow(state, characterClass, budget);
}

function isDead(state: State, { accepted, anchored }: Machine): boolean {
  if (!accepted) return state.matches;
  return anchored && !state.matches && !state.matchesAtEnd && state.atoms.length === 0;
}

function isAccepted(states: readonly State[], machines: readonly Machine[]): boolean {
  return states.every((state, index) => state.matchesAtEnd === machines[index]?.accepted);
}

/** Returns up to `variety` characters, the plainest, for each group of characters equivalent for all automata. */
function distinctCharacters(
  machines: readonly Machine[],
  candidates: string,
  variety: number,
): { readonly character: string; readonly classes: readonly number[] }[] {
  const found: { character: string; classes: readonly number[] }[] = [];
  const counts = new Map<string, number>();
  for (const character of new Set(candidates)) {
    const code = character.codePointAt(0) ?? 0;
    const classes = machines.map(({ alphabet }) => alphabet.characterClass(code));
    const key = classes.join();
    const known = counts.get(key) ?? 0;
    if (known >= variety) continue;
    counts.set(key, known + 1);
    found.push({ character, classes });
  }
  return found;
}

function reachedText(reached: ReachedText): string {
  const characters: string[] = [];
  for (let at: ReachedText | undefined = reached; at !== undefined; at = at.previous) {
    characters.push(at.character);
  }
  return characters.reverse().join("");
}

export interface LengthRange {
  readonly min: number;
  readonly max: number;
}

/** The lengths that a part of an expression can match, and whether it is anchored to the ends of the text. */
interface PartRange extends LengthRange {
  readonly fromStart: boolean;
  readonly toEnd: boolean;
}

const EMPTY: PartRange = { min: 0, max: 0, fromStart: false, toEnd: false };

/** Returns the lengths of matching texts; there is no upper limit unless the expression is anchored at both ends. */
export function lengthRange(root: PatternNode, unicode: boolean): LengthRange {
  const { min, max, fromStart, toEnd } = partRange(root);
  return { min: unicode ? min : Math.ceil(min / 2), max: fromStart && toEnd ? max : Infinity };
}

function partRange(node: PatternNode): PartRange {
  switch (node.kind) {
    case "atom":
      return { ...EMPTY, min: 1, max: 1 };
    case "edge":
      return { ...EMPTY, fromStart: node.edge === "start", toEnd: node.edge === "end" };
    case "look":
      return EMPTY;
    case "backreference":
      return { ...EMPTY, max: Infinity };
    case "group":
      return partRange(node.body);
    case "repeat": {
      const { min, max, fromStart, toEnd } = partRange(node.body);
      const isThere = node.min > 0;
      return {
        min: min * node.min,
        max: max === 0 || node.max === 0 ? 0 : max * node.max,
        fromStart: fromStart && isThere,
        toEnd: toEnd && isThere,
      };
    }
    case "sequence": {
      const parts = node.items.map(partRange);
      return {
        min: parts.reduce((sum, { min }) => sum + min, 0),
        max: parts.reduce((sum, { max }) => sum + max, 0),
        fromStart: parts[0]?.fromStart ?? false,
        toEnd: parts.at(-1)?.toEnd ?? false,
      };
    }
    case "choice": {
      const parts = node.items.map(partRange);
      return {
        min: Math.min(...parts.map(({ min }) => min)),
        max: Math.max(...parts.map(({ max }) => max)),
        fromStart: parts.every(({ fromStart }) => fromStart),
        toEnd: parts.every(({ toEnd }) => toEnd),
      };
    }
  }
}
