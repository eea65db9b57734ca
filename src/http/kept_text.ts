/** Holds nothing for longer than a moment. */
const keys: Record<string, unknown> = Object.create(null);

/**
 * The same text as the engine keeps names of properties, for texts that are remembered: by itself, where it was a part of
 * a longer one that would stay in memory with it, and quick to compare.
 */
export function keptText(text: string): string {
  keys[text] = undefined;
  delete keys[text];
  return text;
}
