/** A part of a text: what a search found, or what stands between. */
export interface TextPart {
  readonly text: string;
  readonly isFound: boolean;
}

/** So much stands before the first find in an excerpt. */
const LEAD = 40;

/** Divides a text into what a search found and the rest. */
export function markFound(text: string, terms: readonly string[]): TextPart[] {
  const pattern = wordPattern(terms);
  if (pattern === undefined) return text === "" ? [] : [{ text, isFound: false }];
  return text.split(new RegExp(pattern, "giu"))
    .map((text, index) => ({ text, isFound: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

/** The part of a text around the first word that a search found in it; its beginning where it has none. */
export function excerptOf(text: string, terms: readonly string[], most: number): string {
  const found = wordPattern(terms)?.exec(text)?.index ?? 0;
  const start = found <= LEAD ? 0 : text.lastIndexOf(" ", found - LEAD) + 1;
  const part = text.slice(start, start + most).toWellFormed();
  return `${start > 0 ? "…" : ""}${part}${start + most < text.length ? "…" : ""}`;
}

/** A pattern with one group that splits at whole words. */
function wordPattern(terms: readonly string[]): RegExp | undefined {
  if (terms.length === 0) return undefined;
  const words = terms.toSorted((left, right) => right.length - left.length)
    .map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`(?<![\\p{L}\\p{N}_])(${words.join("|")})(?![\\p{L}\\p{N}_])`, "iu");
}
