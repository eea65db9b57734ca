import leven from "leven";

/** Returns the name with the fewest edits, in any case, else one that contains the text; undefined if none is close. */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  const lowerText = text.toLowerCase();
  let nearest: string | undefined;
  let fewest = Math.max(1, Math.floor(lowerText.length / 3)) + 1;
  let containing: string | undefined;
  for (const name of names) {
    const lower = name.toLowerCase();
    const edits = editsBetween(lowerText, lower, fewest);
    if (edits < fewest) {
      fewest = edits;
      nearest = name;
    }
    if (lowerText.length > 2 && lower.includes(lowerText)) containing ??= name;
  }
  return nearest ?? containing;
}

/** Counts the letters to add, remove or change; returns at most `most`. */
export function editsBetween(from: string, to: string, most = Infinity): number {
  // Letters in the wrong order are the most frequent typo, so they count less than any edit.
  if (from !== to && sortLetters(from) === sortLetters(to)) return Math.min(most, 0.5);
  return leven(from, to, { maxDistance: most });
}

function sortLetters(text: string): string {
  return [...text].sort().join("");
}
