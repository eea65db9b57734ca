import { createHash } from "node:crypto";

/** A place in a text: line and column, both from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A change of one place of the sources. */
export interface Mutant {
  /** The same as long as file, original, replacement and kind are the same, wherever in the file they are. */
  readonly id: string;
  readonly file: string;
  /** The name of Stryker's mutator, such as `EqualityOperator`. */
  readonly kind: string;
  readonly start: Place;
  readonly end: Place;
  readonly original: string;
  readonly replacement: string;
}

/** A short hash of texts. */
export function hashOf(...texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.length}:${text}`);
  return hash.digest("hex").slice(0, 12);
}

/** The offset of a place in a text. */
function offsetOf(text: string, { line, column }: Place): number {
  let start = 0;
  for (let index = 0; index < line; index++) start = text.indexOf("\n", start) + 1;
  return start + column;
}

/** The part of a text between two places. */
export function textBetween(text: string, start: Place, end: Place): string {
  return text.slice(offsetOf(text, start), offsetOf(text, end));
}

/** A file's text with a mutant in it. */
export function mutated(text: string, mutant: Mutant): string {
  const { kind, replacement, start, end } = mutant;
  const isStatement = kind === "BlockStatement" || replacement === ";" ||
    /^(?:case\b|default:|for \()/.test(replacement);
  const [before, after] = [text.slice(0, offsetOf(text, start)), text.slice(offsetOf(text, end))];
  return before + (isStatement ? replacement : `(${replacement})`) + after;
}

/** A text on one line, cut after 80 characters. */
function brief(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** What tells a mutant from others of its file for people: the line it begins on, and the change. */
export function describe(
  mutant: Mutant,
  text: string,
): { readonly line: string; readonly original: string; readonly replacement: string } {
  const line = (text.split("\n")[mutant.start.line] ?? "").trim();
  return { line, original: brief(mutant.original), replacement: brief(mutant.replacement) };
}

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
