import { decodeFormText } from "./percent.ts";

/** Holds nothing for longer than a moment. */
const keys: Record<string, unknown> = Object.create(null);

/** A copy for texts that are remembered: quick to compare, and without the longer text that it was a part of. */
export function keptText(text: string): string {
  keys[text] = undefined;
  delete keys[text];
  return text;
}

/** One `name=value` of a query, a form or a cookie header. */
export interface TextPair {
  readonly name: string;
  /** The value as it was sent: splitting at delimiters comes before decoding. */
  readonly value: string;
}

/** The most decoded names that are remembered. */
const NAMES_KEPT = 10_000;
const decodedNames = new Map<string, string>();

/** Names come again with every request; decoding those in brackets (`a%5Bb%5D`) costs more than looking them up. */
function decodeName(text: string): string {
  if (!text.includes("%")) return decodeFormText(text);
  let name = decodedNames.get(text);
  if (name === undefined) {
    name = decodeFormText(text);
    if (decodedNames.size < NAMES_KEPT) decodedNames.set(keptText(text), name);
  }
  return name;
}

/** The pairs of a query (without `?`) or urlencoded form; without `=` the value is empty, bad escapes stay text. */
export function splitQuery(text: string): readonly TextPair[] {
  const pairs: TextPair[] = [];
  let equals = text.indexOf("=");
  for (let start = 0; start < text.length;) {
    const ampersand = text.indexOf("&", start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) {
      // Not searched for again before it is reached: a text may have a million names without one.
      if (equals !== -1 && equals < start) equals = text.indexOf("=", start);
      const split = equals === -1 || equals > end ? end : equals;
      pairs.push({ name: decodeName(text.slice(start, split)), value: text.slice(split + 1, end) });
    }
    start = end + 1;
  }
  return pairs;
}
