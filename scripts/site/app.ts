// The script of the manual's pages: search, and the choice between light and dark. Without it everything else works.
/// <reference lib="dom" />
import MiniSearch, { type SearchResult } from "minisearch";
import { excerptAround, markFound } from "./mark_found.ts";
import { SEARCH_ANY, SEARCH_OPTIONS, type SearchEntry } from "./search_options.ts";

const here = document.currentScript?.dataset["root"] ?? "";
const MOST = 8;
/** The number of characters that a result shows of its section. */
const EXCERPT = 160;

function chooseTheme(): void {
  const button = document.querySelector<HTMLButtonElement>(".theme");
  if (button === null) return;
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  // Pages opened from a disk may have no access to storage.
  const remembered = (() => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  })();
  const isDark = () =>
    root.dataset["theme"] === undefined ? dark.matches : root.dataset["theme"] === "dark";
  const show = () => button.textContent = isDark() ? "Light" : "Dark";
  if (remembered === "dark" || remembered === "light") root.dataset["theme"] = remembered;
  show();
  button.hidden = false;
  dark.addEventListener("change", show);
  button.addEventListener("click", () => {
    root.dataset["theme"] = isDark() ? "light" : "dark";
    show();
    try {
      localStorage.setItem("theme", root.dataset["theme"]);
    } catch {
      // The choice then applies to this page only.
    }
  });
}

/** Loads the index as a script, which also works from a disk. */
function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${here}search_index.js`;
    script.onload = () => {
      const { covtoolSearch } = globalThis as unknown as { readonly covtoolSearch: string };
      resolve(MiniSearch.loadJSON<SearchEntry>(covtoolSearch, SEARCH_OPTIONS));
    };
    script.onerror = () => reject(new Error("Can't load the search index."));
    document.head.append(script);
  });
}

/** Finds sections with every word, or else with any of them. */
function searchIn(index: MiniSearch<SearchEntry>, text: string): SearchResult[] {
  const all = index.search(text);
  return all.length > 0 ? all : index.search(text, SEARCH_ANY);
}

function search(): void {
  const form = document.querySelector<HTMLFormElement>(".search");
  const input = form?.querySelector("input");
  const results = form?.querySelector<HTMLElement>(".results");
  if (!form || !input || !results) return;
  let index: Promise<MiniSearch<SearchEntry>> | undefined;
  let asked = "";
  form.hidden = false;
  input.addEventListener("focus", () => index ??= loadIndex());
  input.addEventListener("input", async () => {
    const text = input.value.trim();
    asked = text;
    const found = text === "" ? [] : searchIn(await (index ??= loadIndex()), text);
    // The text has changed in the meantime; a later event shows its results.
    if (asked !== text) return;
    results.replaceChildren(
      ...found.slice(0, MOST).map((result) => {
        const link = document.createElement("a");
        link.href = here + String(result["id"]);
        const marked = (name: string, text: string) => {
          const element = document.createElement(name);
          element.append(
            ...markFound(text, result.terms).map(({ text, isFound }) => {
              if (!isFound) return text;
              const mark = document.createElement("mark");
              mark.textContent = text;
              return mark;
            }),
          );
          return element;
        };
        link.append(
          marked("strong", String(result["title"])),
          marked("small", String(result["page"])),
          marked("span", excerptAround(String(result["text"]), result.terms, EXCERPT)),
        );
        return link;
      }),
      ...(text !== "" && found.length === 0 ? [nothing(text)] : []),
    );
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    results.querySelector("a")?.click();
  });
  form.addEventListener("keydown", (event) => {
    const links = [...results.querySelectorAll("a")];
    const at = links.findIndex((link) => link === document.activeElement);
    if (event.key === "ArrowDown") links[at + 1]?.focus();
    else if (event.key === "ArrowUp") (at > 0 ? links[at - 1] : input)?.focus();
    else if (event.key === "Escape") {
      input.value = "";
      results.replaceChildren();
      input.focus();
    } else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    const inField = event.target instanceof HTMLInputElement;
    if (event.key !== "/" || inField || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

function nothing(text: string): HTMLElement {
  const line = document.createElement("p");
  line.textContent = `No results for “${text}”.`;
  return line;
}

chooseTheme();
search();
