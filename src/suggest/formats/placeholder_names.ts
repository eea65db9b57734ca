import type { Suggestion } from "../suggestion.ts";

/** The placeholder of a server that nothing names. */
export const SERVER_PLACEHOLDER = "$SERVER";

/** The names of all placeholders, each once: `TOKEN` for `$TOKEN`. */
export function placeholderNames(requests: readonly Pick<Suggestion, "placeholders">[]): string[] {
  const names = new Set<string>();
  for (const { placeholders } of requests) {
    for (const placeholder of placeholders) names.add(placeholder.slice(1));
  }
  return [...names];
}

/** Text in pieces: what is written as it is, and the names of placeholders. */
export function splitPlaceholders(
  text: string,
  placeholders: readonly string[],
): readonly ({ readonly text: string } | { readonly name: string })[] {
  const pieces: ({ readonly text: string } | { readonly name: string })[] = [];
  let rest = text;
  // The longest first: `$KEY` begins like `$KEY_2`.
  const ordered = [...placeholders].sort((one, other) => other.length - one.length);
  while (rest !== "") {
    let at = -1;
    let found = "";
    for (const placeholder of ordered) {
      const index = rest.indexOf(placeholder);
      if (index >= 0 && (at < 0 || index < at)) {
        at = index;
        found = placeholder;
      }
    }
    if (at < 0) {
      pieces.push({ text: rest });
      break;
    }
    if (at > 0) pieces.push({ text: rest.slice(0, at) });
    pieces.push({ name: found.slice(1) });
    rest = rest.slice(at + found.length);
  }
  return pieces;
}
