import type { Suggestion } from "../suggestion.ts";

export const SERVER_PLACEHOLDER = "$SERVER";

/** Returns the names of all placeholders, each once: `TOKEN` for `$TOKEN`. */
export function placeholderNames(requests: readonly Pick<Suggestion, "placeholders">[]): string[] {
  const all = requests.flatMap(({ placeholders }) => placeholders);
  return Array.from(new Set(all), (placeholder) => placeholder.slice(1));
}

/** Rewrites a text with `writeName` for the names of placeholders, and `writeText` for the pieces between them. */
export function fillTemplate(
  text: string,
  placeholders: readonly string[],
  writeName: (name: string) => string,
  writeText: (text: string) => string = (piece) => piece,
  separator = "",
): string {
  if (text === "" || placeholders.length === 0) return text === "" ? "" : writeText(text);
  // The longest first, since `$KEY_2` begins with `$KEY`. Names are letters, digits and `_`: no need to escape them.
  const ordered = placeholders.toSorted((one, other) => other.length - one.length);
  const names = new RegExp(`(${ordered.map((name) => `\\${name}`).join("|")})`);
  return text.split(names).flatMap((piece, index) => {
    if (piece === "") return [];
    return [index % 2 === 0 ? writeText(piece) : writeName(piece.slice(1))];
  }).join(separator);
}
