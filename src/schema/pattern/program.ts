import { getOrAdd } from "../../values/collections.ts";
import type { Atom, Edge, ParsedPattern, PatternNode } from "./parse.ts";

export class BudgetSpent extends RangeError {}

export interface Budget {
  steps: number;
}

export function spend(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0) throw new BudgetSpent();
}

const MAX_CACHED_CHARACTERS = 4096;

/** The character classes of a program: characters that match the same atoms are in one class. */
export interface Alphabet {
  characterClass(code: number): number;
  has(atom: number, characterClass: number): boolean;
}

/** Creates an alphabet. The native engine matches an atom with one character at a time, without backtracking. */
export function createAlphabet(atoms: readonly Atom[], unicode: boolean): Alphabet {
  const tests = atoms.map((atom) =>
    new RegExp(`^(?:${atom.source})$`, atom.modifiers + (unicode ? "u" : ""))
  );
  const ascii = new Int32Array(128).fill(-1);
  const cachedClasses = new Map<number, number>();
  const classes = new Map<string, number>();
  const members: Uint8Array[] = [];

  function createClass(code: number): number {
    const text = String.fromCodePoint(code);
    const row = Uint8Array.from(tests, (test) => test.test(text) ? 1 : 0);
    return getOrAdd(classes, row.join(""), () => members.push(row) - 1);
  }

  return {
    characterClass(code: number): number {
      if (code < 128) {
        const known = ascii[code] ?? -1;
        return known >= 0 ? known : ascii[code] = createClass(code);
      }
      let known = cachedClasses.get(code);
      if (known === undefined) {
        known = createClass(code);
        if (cachedClasses.size >= MAX_CACHED_CHARACTERS) cachedClasses.clear();
        cachedClasses.set(code, known);
      }
      return known;
    },
    has: (atom: number, characterClass: number): boolean => members[characterClass]?.[atom] === 1,
  };
}

/** Matches one character with the atom `x`. */
export const ATOM = 0;
/** Continues at `x` and, if that fails, at `y`. */
export const SPLIT = 1;
/** Continues at `x`. */
export const JUMP = 2;
/** Continues if the position is at the edge `x`. */
export const EDGE = 3;
/** Continues if the lookaround `x` holds. */
export const LOOK = 4;
export const MATCH = 5;
/** Saves the position in register `x`. */
export const SAVE = 6;
/** Clears the registers from `x` up to but not including `y`. */
export const FORGET = 7;
/** Continues if the position has changed since register `x` was saved. */
export const MOVED = 8;
/** Matches the text of the backreference `x`. */
export const BACKREFERENCE = 9;

export interface Lookaround {
  readonly negated: boolean;
  readonly behind: boolean;
  readonly program: Program;
}

/** A regular expression as instructions of a small machine. */
export interface Program {
  readonly op: Uint8Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** Shared by a program and the programs of its lookarounds. */
  readonly atoms: readonly Atom[];
  /** The edges for {@linkcode EDGE}, with the index of the atom for word characters, or -1. */
  readonly edges: readonly { readonly edge: Edge; readonly word: number }[];
  readonly lookarounds: readonly Lookaround[];
  readonly backreferences: readonly {
    readonly groups: readonly number[];
    readonly modifiers: string;
  }[];
  /** True if text is read from its end to its start. */
  readonly backward: boolean;
  readonly anchored: boolean;
  /** True if a match depends only on the characters taken and on the two ends of the text. */
  readonly contextFree: boolean;
  readonly registers: number;
}

export const MAX_INSTRUCTIONS = 250_000;

export class ProgramTooLarge extends RangeError {}

export interface ProgramOptions {
  /** More than the number of characters of any text: counts beyond it make no difference and are cut. */
  readonly limit: number;
  /** True for backtracking: with registers for groups, and with lookarounds that run away from their place. */
  readonly captures: boolean;
}

/** True if all alternatives of a node begin with `^`. */
function isAnchored(node: PatternNode): boolean {
  switch (node.kind) {
    case "edge":
      return node.edge === "start";
    case "group":
      return isAnchored(node.body);
    case "choice":
      return node.items.every(isAnchored);
    case "sequence":
      return node.items[0] !== undefined && isAnchored(node.items[0]);
    default:
      return false;
  }
}

/** Compiles a tree into a program, with copies for counted quantifiers; throws ProgramTooLarge for too many. */
export function compileProgram(pattern: ParsedPattern, options: ProgramOptions): Program {
  const atoms: Atom[] = [];
  const atomIndexes = new Map<string, number>();
  let size = 0;
  let registers = pattern.groupCount * 2;

  function indexOfAtom(atom: Atom): number {
    return getOrAdd(atomIndexes, `${atom.modifiers} ${atom.source}`, () => atoms.push(atom) - 1);
  }

  function compile(root: PatternNode, backward: boolean): Program {
    const op: number[] = [];
    const x: number[] = [];
    const y: number[] = [];
    const edges: { edge: Edge; word: number }[] = [];
    const looks: Lookaround[] = [];
    const backreferences: { groups: readonly number[]; modifiers: string }[] = [];
    let contextFree = true;

    function emit(code: number, first = 0, second = 0): number {
      if (++size > MAX_INSTRUCTIONS) throw new ProgramTooLarge();
      x.push(first);
      y.push(second);
      return op.push(code) - 1;
    }

    function emitFork(greedy: boolean): (target: number) => void {
      const at = emit(SPLIT);
      (greedy ? x : y)[at] = at + 1;
      return (target) => {
        (greedy ? y : x)[at] = target;
      };
    }

    /** Emits one iteration of a loop; an optional iteration must not be empty (ECMA-262, section 22.2.2.3.1). */
    function emitPass(node: PatternNode & { kind: "repeat" }, optional: boolean): void {
      const register = options.captures && optional ? registers++ : -1;
      if (register >= 0) emit(SAVE, register);
      const [from, to] = node.groups;
      if (options.captures && to > from) emit(FORGET, from * 2, to * 2);
      emitNode(node.body);
      if (register >= 0) emit(MOVED, register);
    }

    function emitRepeat(node: PatternNode & { kind: "repeat" }): void {
      for (let count = Math.min(node.min, options.limit); count > 0; count--) emitPass(node, false);
      if (node.max >= options.limit) {
        const loop = op.length;
        const leave = emitFork(node.greedy);
        emitPass(node, true);
        emit(JUMP, loop);
        leave(op.length);
        return;
      }
      const forks: ((target: number) => void)[] = [];
      for (let count = node.max - node.min; count > 0; count--) {
        forks.push(emitFork(node.greedy));
        emitPass(node, true);
      }
      for (const leave of forks) leave(op.length);
    }

    function emitChoice(items: readonly PatternNode[]): void {
      const ends: number[] = [];
      items.forEach((item, index) => {
        const last = index === items.length - 1;
        const skip = last ? null : emitFork(true);
        emitNode(item);
        if (skip === null) return;
        ends.push(emit(JUMP));
        skip(op.length);
      });
      for (const end of ends) x[end] = op.length;
    }

    function emitNode(node: PatternNode): void {
      switch (node.kind) {
        case "atom":
          emit(ATOM, indexOfAtom(node.atom));
          break;
        case "sequence":
          for (const item of backward ? node.items.toReversed() : node.items) emitNode(item);
          break;
        case "choice":
          emitChoice(node.items);
          break;
        case "repeat":
          emitRepeat(node);
          break;
        case "group":
          if (options.captures) emit(SAVE, node.index * 2 + (backward ? 1 : 0));
          emitNode(node.body);
          if (options.captures) emit(SAVE, node.index * 2 + (backward ? 0 : 1));
          break;
        case "edge":
          contextFree &&= node.edge === "start" || node.edge === "end";
          edges.push({ edge: node.edge, word: node.word === null ? -1 : indexOfAtom(node.word) });
          emit(EDGE, edges.length - 1);
          break;
        case "look": {
          contextFree = false;
          // Backtracking runs away from the place of the lookaround. The linear simulation finds the places where it
          // holds by running towards them or, if it can only hold at the start, by running from there.
          const isAtStart = !node.behind && isAnchored(node.body);
          const program = compile(node.body, options.captures === node.behind && !isAtStart);
          looks.push({ negated: node.negated, behind: node.behind, program });
          emit(LOOK, looks.length - 1);
          break;
        }
        case "backreference":
          backreferences.push({ groups: node.groups, modifiers: node.modifiers });
          emit(BACKREFERENCE, backreferences.length - 1);
          break;
      }
    }

    emitNode(root);
    emit(MATCH);
    return {
      op: Uint8Array.from(op),
      x: Int32Array.from(x),
      y: Int32Array.from(y),
      atoms,
      edges,
      lookarounds: looks,
      backreferences,
      backward,
      anchored: !backward && isAnchored(root),
      contextFree,
      get registers(): number {
        return registers;
      },
    };
  }

  return compile(pattern.root, false);
}

export class ReachableAtoms {
  matched = false;
  readonly #program: Program;
  readonly #holds: (op: number, index: number, position: number) => boolean;
  readonly #reachedAt: Int32Array;
  readonly #stack: number[] = [];

  /** @param holds Returns true if an edge or a lookaround holds at a position. */
  constructor(program: Program, holds: (op: number, index: number, position: number) => boolean) {
    this.#program = program;
    this.#holds = holds;
    this.#reachedAt = new Int32Array(program.op.length).fill(-1);
  }

  /** Adds the atoms reachable from an instruction, except those already found at this position. */
  add(start: number, position: number, into: number[], budget: Budget): void {
    const { op, x, y } = this.#program;
    const reachedAt = this.#reachedAt;
    const stack = this.#stack;
    stack.push(start);
    let steps = 0;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (reachedAt[at] === position) continue;
      reachedAt[at] = position;
      steps++;
      const target = x[at] ?? 0;
      switch (op[at]) {
        case ATOM:
          into.push(at);
          break;
        case SPLIT:
          stack.push(target, y[at] ?? 0);
          break;
        case JUMP:
          stack.push(target);
          break;
        case EDGE:
        case LOOK:
          if (this.#holds(op[at] as number, target, position)) stack.push(at + 1);
          break;
        case MATCH:
          this.matched = true;
      }
    }
    spend(budget, steps);
  }
}
