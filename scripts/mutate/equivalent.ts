import { describe, type Mutant } from "./mutant.ts";

/** A mutant that was judged to behave as the original does, as `equivalent.json` lists it. */
export interface Equivalent {
  readonly file: string;
  /** The line that the mutant begins on, without the spaces around it. */
  readonly line: string;
  /** The text that is replaced: on one line, and cut after 80 characters. */
  readonly original: string;
  /** The text that replaces it, likewise. */
  readonly replacement: string;
  /** Why nobody can see the difference. */
  readonly reason: string;
}

/** The entry that is about a mutant; undefined where none is. */
export function equivalentOf(
  mutant: Mutant,
  text: string,
  entries: readonly Equivalent[],
): Equivalent | undefined {
  const { line, original, replacement } = describe(mutant, text);
  return entries.find((entry) =>
    entry.file === mutant.file && entry.line === line && entry.original === original &&
    entry.replacement === replacement
  );
}
