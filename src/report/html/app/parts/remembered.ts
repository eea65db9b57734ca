/// <reference lib="dom" />

/** A choice that the browser keeps for this page. */
export interface Remembered<Choice extends string> {
  /** The last choice; the first option if nothing was chosen. */
  readonly read: () => Choice;
  readonly write: (choice: Choice) => void;
}

/**
 * A choice that outlives the page, where the browser lets pages keep anything: storage is refused to some that are
 * opened from a file, and the choice then lasts as long as the page.
 *
 * @param key What it is kept under.
 * @param choices All there are; the first is the default.
 */
export function remembered<Choice extends string>(
  key: string,
  choices: readonly [Choice, ...Choice[]],
): Remembered<Choice> {
  let current: Choice | undefined;
  return {
    read: () => {
      if (current !== undefined) return current;
      try {
        const stored = localStorage.getItem(key);
        current = choices.find((choice) => choice === stored);
      } catch {
        // Refused.
      }
      return current ??= choices[0];
    },
    write: (choice) => {
      current = choice;
      try {
        localStorage.setItem(key, choice);
      } catch {
        // Refused.
      }
    },
  };
}
