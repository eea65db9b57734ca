import type { Options } from "minisearch";

/** A searchable part of the manual. */
export interface SearchEntry {
  /** Its address in the manual. */
  readonly id: string;
  /** The heading. */
  readonly title: string;
  /** The page's title. */
  readonly page: string;
  readonly text: string;
  /** The beginning of the text, to show. */
  readonly start: string;
}

/** Options for making and reading the index. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page", "start"],
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
};
