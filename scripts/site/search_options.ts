import type { Options } from "minisearch";

/** A part of the manual that can be found. */
export interface SearchEntry {
  /** Its address in the manual. */
  readonly id: string;
  /** The heading. */
  readonly title: string;
  /** The page's title. */
  readonly page: string;
  readonly text: string;
  /** How the text begins, to be shown. */
  readonly start: string;
}

/** How the index is made, and read. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page", "start"],
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
};
