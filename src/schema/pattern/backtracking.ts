import {
  ATOM,
  BACKREFERENCE,
  EDGE,
  FORGET,
  JUMP,
  LOOK,
  MATCH,
  MOVED,
  type Program,
  SAVE,
  spend,
  SPLIT,
} from "./program.ts";
import { type Input, isEdge } from "./simulation.ts";

interface Way {
  readonly at: number;
  readonly position: number;
  readonly registers: readonly number[];
}

function sameCharacter(one: number, other: number, modifiers: string, unicode: boolean): boolean {
  if (one === other) return true;
  if (!modifiers.includes("i")) return false;
  const escaped = String.fromCodePoint(one).replace(/[$()*+./?[\\\]^{|}]/, "\\$&");
  return new RegExp(`^${escaped}$`, unicode ? "iu" : "i").test(String.fromCodePoint(other));
}

/** Runs a program with backreferences (ECMA-262, section 22.2.2); throws BudgetSpent when it takes too long. */
export function backtrack(program: Program, input: Input, unicode: boolean): boolean {
  const { codes, alphabet, budget } = input;

  /** Returns the end of the text that a backreference matches; -1 if it doesn't match. */
  function endOfReference(one: Program, index: number, way: Way): number {
    const reference = one.backreferences[index];
    for (const group of reference?.groups ?? []) {
      const from = way.registers[group * 2] ?? -1;
      const to = way.registers[group * 2 + 1] ?? -1;
      if (from < 0 || to < 0) continue;
      const length = to - from;
      const begin = one.backward ? way.position - length : way.position;
      if (begin < 0 || begin + length > codes.length) return -1;
      spend(budget, length);
      for (let offset = 0; offset < length; offset++) {
        const expected = codes[from + offset] ?? -1;
        const found = codes[begin + offset] ?? -1;
        if (!sameCharacter(expected, found, reference?.modifiers ?? "", unicode)) return -1;
      }
      return one.backward ? begin : begin + length;
    }
    return way.position;
  }

  function run(one: Program, start: Way): readonly number[] | null {
    const ways: Way[] = [start];
    for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
      let { at, position, registers } = way;
      for (let alive = true; alive;) {
        spend(budget, 1);
        const target = one.x[at] ?? 0;
        switch (one.op[at]) {
          case ATOM: {
            const code = codes[one.backward ? position - 1 : position];
            alive = code !== undefined && alphabet.has(target, alphabet.characterClass(code));
            position += one.backward ? -1 : 1;
            at++;
            break;
          }
          case SPLIT:
            ways.push({ at: one.y[at] ?? 0, position, registers });
            at = target;
            break;
          case JUMP:
            at = target;
            break;
          case EDGE:
            alive = isEdge(one, target, position, input);
            at++;
            break;
          case LOOK: {
            const look = one.looks[target];
            if (look === undefined) return null;
            const inside = run(look.program, { at: 0, position, registers });
            alive = (inside === null) === look.negated;
            if (inside !== null) registers = inside;
            at++;
            break;
          }
          case SAVE:
            registers = registers.with(target, position);
            at++;
            break;
          case FORGET: {
            const to = one.y[at] ?? 0;
            registers = registers.map((value, index) => index >= target && index < to ? -1 : value);
            at++;
            break;
          }
          case MOVED:
            alive = registers[target] !== position;
            at++;
            break;
          case BACKREFERENCE:
            position = endOfReference(one, target, { at, position, registers });
            alive = position >= 0;
            at++;
            break;
          case MATCH:
            return registers;
        }
      }
    }
    return null;
  }

  const registers: readonly number[] = new Array<number>(program.registers).fill(-1);
  const last = program.anchored ? 0 : codes.length;
  for (let position = 0; position <= last; position++) {
    if (run(program, { at: 0, position, registers }) !== null) return true;
  }
  return false;
}
