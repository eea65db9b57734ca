import type { Atom } from "./parse.ts";

// Text that keeps bringing new characters must not fill memory.
const REMEMBERED = 4096;

/** The characters that the atoms of a program match: characters that no atom tells apart are one class. */
export interface Alphabet {
  /** The class of a character, a small number. */
  classOf(code: number): number;
  /** True if an atom matches the characters of a class. */
  has(atom: number, characterClass: number): boolean;
}

/**
 * Makes the alphabet of a program. The native engine says what an atom matches, one character at a
 * time, so that there is nothing to backtrack over.
 */
export function createAlphabet(atoms: readonly Atom[], unicode: boolean): Alphabet {
  const tests = atoms.map((atom) =>
    new RegExp(`^(?:${atom.source})$`, atom.modifiers + (unicode ? "u" : ""))
  );
  const ascii = new Int32Array(128).fill(-1);
  const others = new Map<number, number>();
  const classes = new Map<string, number>();
  const members: Uint8Array[] = [];

  function find(code: number): number {
    const text = String.fromCodePoint(code);
    const row = Uint8Array.from(tests, (test) => test.test(text) ? 1 : 0);
    const key = row.join("");
    const known = classes.get(key);
    if (known !== undefined) return known;
    classes.set(key, members.length);
    return members.push(row) - 1;
  }

  return {
    classOf(code: number): number {
      if (code < 128) {
        const known = ascii[code] ?? -1;
        return known >= 0 ? known : ascii[code] = find(code);
      }
      let known = others.get(code);
      if (known === undefined) {
        known = find(code);
        if (others.size >= REMEMBERED) others.clear();
        others.set(code, known);
      }
      return known;
    },
    has: (atom: number, characterClass: number): boolean => members[characterClass]?.[atom] === 1,
  };
}
