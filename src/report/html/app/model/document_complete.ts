/// <reference lib="dom" />

/** Resolves when the whole page has arrived: some blocks of data stand behind the script. */
export function documentComplete(): Promise<void> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => {
    addEventListener("DOMContentLoaded", () => resolve(), { once: true });
  });
}
