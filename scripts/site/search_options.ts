import type { Options } from "minisearch";

/** A searchable part of the manual. */
export interface SearchEntry {
  /** The address in the manual. */
  readonly id: string;
  /** The heading. */
  readonly title: string;
  /** The page's title. */
  readonly page: string;
  readonly text: string;
}

/** Returns the number of typos allowed in a word: none in short words, which would match other words. */
function mistakes(word: string): number {
  return word.length < 4 ? 0 : word.length < 7 ? 1 : 2;
}

/** Options for making and reading the index. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page", "text"],
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    fuzzy: mistakes,
    combineWith: "AND",
  },
};

/** Options if no section has all words: finds sections with any of them. */
export const SEARCH_ANY = { combineWith: "OR" } as const;
