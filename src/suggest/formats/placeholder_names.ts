import type { Suggestion } from "../suggestion.ts";

export const SERVER_PLACEHOLDER = "$SERVER";

/** The names of all placeholders, each once: `TOKEN` for `$TOKEN`. */
export function placeholderNames(requests: readonly Pick<Suggestion, "placeholders">[]): string[] {
  const names = new Set<string>();
  for (const { placeholders } of requests) {
    for (const placeholder of placeholders) names.add(placeholder.slice(1));
  }
  return [...names];
}

/** Text with its pieces written anew: what stands there as it is, and the names of placeholders. */
export function writePieces(
  text: string,
  placeholders: readonly string[],
  writeName: (name: string) => string,
  writeText: (text: string) => string = (piece) => piece,
  between = "",
): string {
  if (text === "" || placeholders.length === 0) return text === "" ? "" : writeText(text);
  // The longest first: `$KEY` begins like `$KEY_2`. Their names are letters, digits and `_`.
  const ordered = placeholders.toSorted((one, other) => other.length - one.length);
  const names = new RegExp(`(${ordered.map((name) => `\\${name}`).join("|")})`);
  return text.split(names).flatMap((piece, index) => {
    if (piece === "") return [];
    return [index % 2 === 0 ? writeText(piece) : writeName(piece.slice(1))];
  }).join(between);
}
