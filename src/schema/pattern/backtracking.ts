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

interface Path {
  readonly at: number;
  readonly position: number;
  readonly registers: readonly number[];
}

function isSameCharacter(one: number, other: number, modifiers: string, unicode: boolean): boolean {
  if (one === other) return true;
  if (!modifiers.includes("i")) return false;
  const escaped = String.fromCodePoint(one).replace(/[$()*+./?[\\\]^{|}]/, "\\$&");
  return new RegExp(`^${escaped}$`, unicode ? "iu" : "i").test(String.fromCodePoint(other));
}

/** Runs a program with backreferences (ECMA-262, section 22.2.2); throws BudgetSpent when it takes too long. */
export function backtrack(program: Program, input: Input, unicode: boolean): boolean {
  const { codes, alphabet, budget } = input;

  /** Returns the end of the text that a backreference matches; -1 if it doesn't match. */
  function endOfReference(part: Program, index: number, path: Path): number {
    const reference = part.backreferences[index];
    for (const group of reference?.groups ?? []) {
      const from = path.registers[group * 2] ?? -1;
      const to = path.registers[group * 2 + 1] ?? -1;
      if (from < 0 || to < 0) continue;
      const length = to - from;
      const begin = part.backward ? path.position - length : path.position;
      if (begin < 0 || begin + length > codes.length) return -1;
      spend(budget, length);
      for (let offset = 0; offset < length; offset++) {
        const expected = codes[from + offset] ?? -1;
        const found = codes[begin + offset] ?? -1;
        if (!isSameCharacter(expected, found, reference?.modifiers ?? "", unicode)) return -1;
      }
      return part.backward ? begin : begin + length;
    }
    return path.position;
  }

  function run(part: Program, start: Path): readonly number[] | null {
    const paths: Path[] = [start];
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      let { at, position, registers } = path;
      for (let isAlive = true; isAlive;) {
        spend(budget, 1);
        const target = part.x[at] ?? 0;
        switch (part.op[at]) {
          case ATOM: {
            const code = codes[part.backward ? position - 1 : position];
            isAlive = code !== undefined && alphabet.has(target, alphabet.characterClass(code));
            position += part.backward ? -1 : 1;
            at++;
            break;
          }
          case SPLIT:
            paths.push({ at: part.y[at] ?? 0, position, registers });
            at = target;
            break;
          case JUMP:
            at = target;
            break;
          case EDGE:
            isAlive = isEdge(part, target, position, input);
            at++;
            break;
          case LOOK: {
            const look = part.lookarounds[target];
            if (look === undefined) return null;
            const captured = run(look.program, { at: 0, position, registers });
            isAlive = (captured === null) === look.negated;
            if (captured !== null) registers = captured;
            at++;
            break;
          }
          case SAVE:
            registers = registers.with(target, position);
            at++;
            break;
          case FORGET: {
            const to = part.y[at] ?? 0;
            registers = registers.map((value, index) => index >= target && index < to ? -1 : value);
            at++;
            break;
          }
          case MOVED:
            isAlive = registers[target] !== position;
            at++;
            break;
          case BACKREFERENCE:
            position = endOfReference(part, target, { at, position, registers });
            isAlive = position >= 0;
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
