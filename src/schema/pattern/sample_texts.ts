import type { ParsedPattern, PatternNode } from "./parse.ts";

/** The characters that an atom is tried with, the plainest first. */
const CHARACTERS = Array.from(
  "a0A-_. bcdefghijklmnopqrstuvwxyz123456789BCDEFGHIJKLMNOPQRSTUVWXYZ,:/@+#%&=!?*~'\"()[]{}<>|^`$;\\éЖ中\t\n",
);

/** The maximum number of texts for one expression. */
const MAX_TEXTS = 64;
/** Repetitions beyond this many say nothing new. */
const MAX_COPIES = 1_000;

/**
 * Texts made along a regular expression, as if each of its lookarounds and edges held: candidates for expressions that
 * no automaton can tell. Each has to be tested.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { readPattern } from "../pattern.ts";
 * import { sampleTexts } from "./sample_texts.ts";
 *
 * assert.deepEqual([...sampleTexts(readPattern("^(a|b)\\1$"))], ["aa", "bb"]);
 * ```
 */
export function* sampleTexts(pattern: ParsedPattern): Generator<string> {
  const seen = new Set<string>();
  for (let turn = 0; turn < MAX_TEXTS; turn++) {
    const sampler = new Sampler(turn, pattern.unicode);
    const text = sampler.of(pattern.root);
    if (!seen.has(text)) yield text;
    seen.add(text);
    if (turn >= sampler.ways - 1) return;
  }
}

/** Takes one way through an expression: the turn says which at each fork. */
class Sampler {
  /** The number of ways through it, as far as forks were met. */
  ways = 1;
  #rest: number;
  readonly #unicode: boolean;
  readonly #groups = new Map<number, string>();

  constructor(turn: number, unicode: boolean) {
    this.#rest = turn;
    this.#unicode = unicode;
  }

  #choose(count: number): number {
    const chosen = this.#rest % count;
    this.#rest = Math.floor(this.#rest / count);
    this.ways = Math.min(this.ways * count, MAX_TEXTS);
    return chosen;
  }

  of(node: PatternNode): string {
    switch (node.kind) {
      case "atom":
        return this.#character(node.atom.source, node.atom.modifiers);
      case "sequence":
        return node.items.map((item) => this.of(item)).join("");
      case "choice": {
        const chosen = node.items[this.#choose(node.items.length)];
        return chosen === undefined ? "" : this.of(chosen);
      }
      case "group": {
        const text = this.of(node.body);
        this.#groups.set(node.index, text);
        return text;
      }
      case "repeat": {
        const more = node.max > node.min ? this.#choose(2) : 0;
        const copies = Math.min(node.min + more, MAX_COPIES);
        return Array.from({ length: copies }, () => this.of(node.body)).join("");
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
