import { type Alphabet, type Budget, type Program, ReachableAtoms, spend } from "./program.ts";

const MAX_STATES = 1000;

/** A state of an automaton: what an expression can still match after some text. */
export interface State {
  /** The instructions that can match the next character. */
  readonly atoms: readonly number[];
  /** True if the expression matches, whatever text follows. */
  readonly matches: boolean;
  readonly matchesAtEnd: boolean;
  /** The states after the next character, by the character's class. */
  readonly next: (State | undefined)[];
}

export type Automaton = (text: string, budget: Budget) => boolean;

export interface States {
  start(budget: Budget): State;
  follow(state: State, characterClass: number, budget: Budget): State;
}

/** Creates the states of a deterministic automaton, for a context-free program without backreferences. */
export function createStates(program: Program, alphabet: Alphabet): States {
  const { x } = program;
  const states = new Map<string, State>();
  let start: State | undefined;
  let [isAtStart, isAtEnd] = [true, false];
  let searchNumber = 0;
  const closure = new ReachableAtoms(
    program,
    (_op, index) => program.edges[index]?.edge === "start" ? isAtStart : isAtEnd,
  );

  /** Returns the atoms reached without taking a character; null if the end of the expression is reached. */
  function reachAtoms(
    seeds: readonly number[],
    atStart: boolean,
    atEnd: boolean,
    budget: Budget,
  ): number[] | null {
    const reached: number[] = [];
    [isAtStart, isAtEnd] = [atStart, atEnd];
    closure.matched = false;
    searchNumber++;
    for (const seed of seeds) closure.add(seed, searchNumber, reached, budget);
    return closure.matched ? null : reached;
  }

  function findOrAddState(seeds: readonly number[], atStart: boolean, budget: Budget): State {
    const atoms = reachAtoms(seeds, atStart, false, budget);
    const matches = atoms === null;
    const matchesAtEnd = matches || reachAtoms(seeds, atStart, true, budget) === null;
    const sorted = (atoms ?? []).sort((one, other) => one - other);
    const key = `${matches} ${matchesAtEnd} ${sorted.join()}`;
    const known = states.get(key);
    if (known !== undefined) return known;
    const state: State = { atoms: sorted, matches, matchesAtEnd, next: [] };
    if (states.size >= MAX_STATES) {
      for (const stale of states.values()) stale.next.length = 0;
      states.clear();
      start = undefined;
    }
    states.set(key, state);
    return state;
  }

  function follow(state: State, characterClass: number, budget: Budget): State {
    const seeds = state.atoms.filter((at) => alphabet.has(x[at] ?? 0, characterClass)).map((at) =>
      at + 1
    );
    // A match may begin anywhere, unless the expression begins with `^`.
    if (!program.anchored) seeds.push(0);
    spend(budget, state.atoms.length);
    return state.next[characterClass] = findOrAddState(seeds, false, budget);
  }

  return { start: (budget) => start ??= findOrAddState([0], true, budget), follow };
}

/** Creates a deterministic automaton, whose states are created on demand. */
export function createAutomaton(program: Program, alphabet: Alphabet, unicode: boolean): Automaton {
  const { start, follow } = createStates(program, alphabet);
  return (text: string, budget: Budget): boolean => {
    let state = start(budget);
    for (let at = 0; at < text.length; at++) {
      if (state.matches) return true;
      if (state.atoms.length === 0 && program.anchored) return false;
      let code = text.charCodeAt(at);
      if (unicode && code >= 0xd800) {
        code = text.codePointAt(at) ?? code;
        if (code > 0xffff) at++;
      }
      const characterClass = alphabet.characterClass(code);
      state = state.next[characterClass] ?? follow(state, characterClass, budget);
    }
    return state.matchesAtEnd;
  };
}
