import { createHash } from "node:crypto";

/** A place in a text: line and column, both from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A change of one place of the sources. */
export interface Mutant {
  /** A hash of file, kind, original and replacement (and a count if several are equal), but not of the line. */
  readonly id: string;
  readonly file: string;
  /** The name of Stryker's mutator, such as `EqualityOperator`. */
  readonly kind: string;
  readonly start: Place;
  readonly end: Place;
  readonly original: string;
  readonly replacement: string;
}

export function shortHash(...texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.length}:${text}`);
  return hash.digest("hex").slice(0, 12);
}

function toOffset(text: string, { line, column }: Place): number {
  let start = 0;
  for (let index = 0; index < line; index++) start = text.indexOf("\n", start) + 1;
  return start + column;
}

export function textBetween(text: string, start: Place, end: Place): string {
  return text.slice(toOffset(text, start), toOffset(text, end));
}

export function mutated(text: string, mutant: Mutant): string {
  const { kind, replacement, start, end } = mutant;
  const isStatement = kind === "BlockStatement" || replacement === ";" ||
    /^(?:case\b|default:|for \()/.test(replacement);
  const [before, after] = [text.slice(0, toOffset(text, start)), text.slice(toOffset(text, end))];
  return before + (isStatement ? replacement : `(${replacement})`) + after;
}

/** Shortens a text to one line of at most 80 characters. */
function brief(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** Describes a mutant by what distinguishes it in its file: the line that it begins on, and the change. */
export function describe(
  mutant: Mutant,
  text: string,
): { readonly line: string; readonly original: string; readonly replacement: string } {
  const line = (text.split("\n")[mutant.start.line] ?? "").trim();
  return { line, original: brief(mutant.original), replacement: brief(mutant.replacement) };
}

/** An entry of `equivalent.json`: a mutant that was judged to behave like the original. */
export interface Equivalent {
  readonly file: string;
  /** The line that the mutant begins on, trimmed. */
  readonly line: string;
  /** The replaced text, on one line and cut after 80 characters. */
  readonly original: string;
  /** The replacement, also on one line and cut after 80 characters. */
  readonly replacement: string;
  /** Why the difference can't be observed. */
  readonly reason: string;
}

/** Finds the entry for a mutant; undefined if there is none. */
export function findEquivalent(
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
