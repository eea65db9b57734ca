import type { Atom, ParsedPattern, PatternNode } from "./parse.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const PLAIN = `${LETTERS}0123456789${LETTERS.toUpperCase()}-_. ,:/@+#%&=!?*~'"()[]{}<>|^\`$;\\`;
const SAMPLES = "éßñЖ中の٣😀\t\n\r\u00a0\u200b\u0000\u007f";

/** The characters that `\s` and `.` treat differently, in addition to those in {@linkcode SAMPLES}. */
const SPACES = "\v\f\u1680\u2000\u2028\u2029\u202f\u205f\u3000\ufeff";
/** Representatives of all characters, for expressions without Unicode properties. */
const REPRESENTATIVES = `${SAMPLES}${SPACES}${
  Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join("")
}`;

function* listLeaves(node: PatternNode): Generator<Atom | "backreference"> {
  switch (node.kind) {
    case "atom":
      yield node.atom;
      break;
    case "sequence":
    case "choice":
      for (const item of node.items) yield* listLeaves(item);
      break;
    case "repeat":
    case "look":
    case "group":
      yield* listLeaves(node.body);
      break;
    case "backreference":
      yield node.kind;
  }
}

/** True if the candidate characters represent all that an expression distinguishes. */
export function candidatesSuffice(root: PatternNode): boolean {
  for (const leaf of listLeaves(root)) {
    if (leaf === "backreference") return false;
    if (/\\[pPc]|\\\d/.test(leaf.source) || leaf.modifiers.includes("i")) return false;
  }
  return true;
}

/** Returns the non-ASCII characters that are written in an expression, and their neighbours. */
function extraCharacters(root: PatternNode): string {
  let found = "";
  for (const leaf of listLeaves(root)) {
    if (leaf === "backreference") continue;
    for (const [, hex] of leaf.source.matchAll(/\\[ux]\{?([\da-f]{2,6})\}?/gi)) {
      const code = parseInt(hex ?? "", 16);
      if (code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)) found += withNeighbours(code);
    }
    for (const character of leaf.source) {
      if (character > "\u007f") found += withNeighbours(character.codePointAt(0) ?? 0);
    }
  }
  return found;
}

/** Returns a character and its neighbours, as the character may be the end of a range. */
function withNeighbours(code: number): string {
  const near = [code, code - 1, code + 1].filter((one) =>
    one >= 0 && one <= 0x10ffff && (one < 0xd800 || one > 0xdfff)
  );
  return String.fromCodePoint(...near);
}

/** Returns the characters that texts are made of, the plainest first; they represent all that is distinguished. */
export function candidateCharacters(roots: readonly PatternNode[]): string {
  return `${PLAIN}${REPRESENTATIVES}${roots.map(extraCharacters).join("")}`;
}

/** The characters that are tried for an atom, the plainest first. */
const CHARACTERS = Array.from(
  "a0A-_. bcdefghijklmnopqrstuvwxyz123456789BCDEFGHIJKLMNOPQRSTUVWXYZ,:/@+#%&=!?*~'\"()[]{}<>|^`$;\\éЖ中\t\n",
);

const MAX_TEXTS = 64;
/** More repetitions make no difference. */
const MAX_COPIES = 1_000;

/** Yields texts to be tested, for expressions that no automaton can decide; ignores lookarounds and edges. */
export function* sampleTexts(pattern: ParsedPattern): Generator<string> {
  const seen = new Set<string>();
  for (let pathNumber = 0; pathNumber < MAX_TEXTS; pathNumber++) {
    const sampler = new Sampler(pathNumber, pattern.unicode);
    const text = sampler.sample(pattern.root);
    if (!seen.has(text)) yield text;
    seen.add(text);
    if (pathNumber >= sampler.pathCount - 1) return;
  }
}

/** Follows one path through an expression; its number determines the branch at each fork. */
class Sampler {
  /** The number of paths, as far as forks were met. */
  pathCount = 1;
  #pathNumber: number;
  readonly #unicode: boolean;
  readonly #groups = new Map<number, string>();

  constructor(pathNumber: number, unicode: boolean) {
    this.#pathNumber = pathNumber;
    this.#unicode = unicode;
  }

  #choose(count: number): number {
    const chosen = this.#pathNumber % count;
    this.#pathNumber = Math.floor(this.#pathNumber / count);
    this.pathCount = Math.min(this.pathCount * count, MAX_TEXTS);
    return chosen;
  }

  sample(node: PatternNode): string {
    switch (node.kind) {
      case "atom":
        return this.#character(node.atom.source, node.atom.modifiers);
      case "sequence":
        return node.items.map((item) => this.sample(item)).join("");
      case "choice": {
        const chosen = node.items[this.#choose(node.items.length)];
        return chosen === undefined ? "" : this.sample(chosen);
      }
      case "group": {
        const text = this.sample(node.body);
        this.#groups.set(node.index, text);
        return text;
      }
      case "repeat": {
        const more = node.max > node.min ? this.#choose(2) : 0;
        const copies = Math.min(node.min + more, MAX_COPIES);
        return Array.from({ length: copies }, () => this.sample(node.body)).join("");
      }
      case "backreference":
        return this.#groups.get(node.groups.find((group) => this.#groups.has(group)) ?? -1) ?? "";
      case "edge":
      case "look":
        return "";
    }
  }

  #character(source: string, modifiers: string): string {
    const test = new RegExp(`^(?:${source})$`, modifiers + (this.#unicode ? "u" : ""));
    return CHARACTERS.find((character) => test.test(character)) ?? "";
  }
}
