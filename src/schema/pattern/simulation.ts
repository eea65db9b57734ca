import {
  type Alphabet,
  type Budget,
  EDGE,
  type Lookaround,
  type Program,
  ReachableAtoms,
  spend,
} from "./program.ts";

export interface Input {
  /** Code points, or UTF-16 units if the expression has no `u` flag. */
  readonly codes: readonly number[];
  readonly alphabet: Alphabet;
  readonly budget: Budget;
}

const LINE_ENDS = new Set([0x0a, 0x0d, 0x2028, 0x2029]);

export function isEdge(
  program: Program,
  index: number,
  position: number,
  { codes, alphabet }: Pick<Input, "codes" | "alphabet">,
): boolean {
  const entry = program.edges[index];
  const before = codes[position - 1];
  const after = codes[position];
  const isWord = (code: number | undefined): boolean =>
    code !== undefined && alphabet.has(entry?.word ?? -1, alphabet.characterClass(code));
  switch (entry?.edge) {
    case "start":
      return before === undefined;
    case "end":
      return after === undefined;
    case "line_start":
      return before === undefined || LINE_ENDS.has(before);
    case "line_end":
      return after === undefined || LINE_ENDS.has(after);
    case "boundary":
      return isWord(before) !== isWord(after);
    default:
      return isWord(before) === isWord(after);
  }
}

/**
 * Runs a program without backreferences on a text by following all paths at once: the worst-case time is
 * that of program × text. The positions where a lookaround holds are found first, by one run of
 * its own program towards these positions, so that lookarounds are linear too; the run of a lookahead that begins with
 * `^` begins at the start, and ends with the first character that it rejects.
 */
export function simulate(
  program: Program,
  input: Input,
  onMatch: (position: number) => boolean,
): void {
  const { x, backward } = program;
  const { codes, alphabet, budget } = input;
  const matchedPlaces = new Map<Lookaround, Uint8Array>();
  let current: number[] = [];
  let next: number[] = [];

  function holds(look: Lookaround, position: number): boolean {
    let places = matchedPlaces.get(look);
    if (places === undefined) {
      const matched = new Uint8Array(codes.length + 1);
      const isAtStart = !look.behind && !look.program.backward;
      simulate(look.program, input, (place) => {
        matched[isAtStart ? 0 : place] = 1;
        return isAtStart;
      });
      matchedPlaces.set(look, places = matched);
    }
    return (places[position] === 1) !== look.negated;
  }

  const reach = new ReachableAtoms(program, (op, index, position) => {
    if (op === EDGE) return isEdge(program, index, position, input);
    const look = program.lookarounds[index];
    return look !== undefined && holds(look, position);
  });
  const last = backward ? 0 : codes.length;
  const step = backward ? -1 : 1;
  for (let position = backward ? codes.length : 0;; position += step) {
    const first = position === (backward ? codes.length : 0);
    if (first || !program.anchored) reach.add(0, position, current, budget);
    if (reach.matched && onMatch(position)) return;
    reach.matched = false;
    if (position === last || (current.length === 0 && program.anchored)) return;
    const characterClass = alphabet.characterClass(codes[backward ? position - 1 : position] ?? 0);
    spend(budget, current.length + 1);
    for (const at of current) {
      if (alphabet.has(x[at] ?? 0, characterClass)) {
        reach.add(at + 1, position + step, next, budget);
      }
    }
    [current, next] = [next, current];
    next.length = 0;
  }
}
