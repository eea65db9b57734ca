/** A part of a text: either a find of a search, or the text between finds. */
export interface TextPart {
  readonly text: string;
  readonly isFound: boolean;
}

/** The number of characters in an excerpt before the first find. */
const LEAD = 40;

/** Divides a text into the finds of a search and the text between them. */
export function markFound(text: string, terms: readonly string[]): TextPart[] {
  const pattern = wordPattern(terms);
  if (pattern === undefined) return text === "" ? [] : [{ text, isFound: false }];
  return text.split(new RegExp(pattern, "giu"))
    .map((text, index) => ({ text, isFound: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

/** Returns the part of a text around the first find of a search, or its beginning if there is none. */
export function excerptAround(text: string, terms: readonly string[], most: number): string {
  const found = wordPattern(terms)?.exec(text)?.index ?? 0;
  const start = found <= LEAD ? 0 : text.lastIndexOf(" ", found - LEAD) + 1;
  const part = text.slice(start, start + most).toWellFormed();
  return `${start > 0 ? "…" : ""}${part}${start + most < text.length ? "…" : ""}`;
}

/** Makes a pattern for the terms as whole words, with one group, so that `split()` keeps the finds. */
function wordPattern(terms: readonly string[]): RegExp | undefined {
  if (terms.length === 0) return undefined;
  const words = terms.toSorted((left, right) => right.length - left.length)
    .map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`(?<![\\p{L}\\p{N}_])(${words.join("|")})(?![\\p{L}\\p{N}_])`, "iu");
}
