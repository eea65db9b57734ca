/// <reference lib="dom" />
import type { JSX } from "preact";
import { useState } from "preact/hooks";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = typeof THEMES[number];

const ICONS: Readonly<Record<Theme, string>> = {
  auto: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 2v12M8.5 5H13M8.5 8H14M8.5 11H13",
  light: "M8 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7M8 .8v1.6M8 13.6v1.6M.8 8h1.6M13.6 8h1.6" +
    "M2.9 2.9 4 4M12 12l1.1 1.1M2.9 13.1 4 12M12 4l1.1-1.1",
  dark: "M13.8 9.8A6 6 0 1 1 6.2 2.2a5 5 0 0 0 7.6 7.6z",
};

const CHOICE = remembered("covtool-theme", THEMES);

export function restoreTheme(): void {
  document.documentElement.dataset["theme"] = CHOICE.read();
}

export function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState(CHOICE.read);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto";
  return (
    <button
      type="button"
      class="icon-button theme"
      aria-label={`Theme: ${theme}. Change to ${next}.`}
      title={`Theme: ${theme}`}
      onClick={() => {
        document.documentElement.dataset["theme"] = next;
        CHOICE.write(next);
        setTheme(next);
      }}
    >
      <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
        <path d={ICONS[theme]} />
      </svg>
    </button>
  );
}

/** A choice kept in `localStorage`, if the browser allows it: pages opened from files may have no access. */
export function remembered<Choice extends string>(
  key: string,
  choices: readonly [Choice, ...Choice[]],
): { readonly read: () => Choice; readonly write: (choice: Choice) => void } {
  let current: Choice | undefined;
  return {
    read: () => {
      if (current !== undefined) return current;
      try {
        const stored = localStorage.getItem(key);
        current = choices.find((choice) => choice === stored);
      } catch {
        // Access denied: the default is used.
      }
      return current ??= choices[0];
    },
    write: (choice) => {
      current = choice;
      try {
        localStorage.setItem(key, choice);
      } catch {
        // Access denied: the choice lasts as long as the page.
      }
    },
  };
}
