import { Rows } from "./rows.ts";
import type { SourceFileName, SourceRegion } from "./description_view.ts";

/** The rows of {@linkcode PageSource.at}. */
export const POSITIONS: Rows<"file" | "line"> = new Rows(["file", "line"]);

/** The rows of {@linkcode PageSource.missed}; `list` is an index into {@linkcode PageSource.lists}. */
export const MISSED: Rows<"operation" | "parameter" | "list"> = new Rows([
  "operation",
  "parameter",
  "list",
]);

/** The description's text as the page reads it, when it is first shown. */
export interface PageSource {
  readonly files: readonly SourceFileName[];
  /** By file and line; none overlaps another. */
  readonly regions: readonly SourceRegion[];
  /** Everything that has a place, by its schema path. */
  readonly paths: readonly string[];
  /** Rows of {@linkcode POSITIONS}, one for each of the paths. */
  readonly at: readonly number[];
  /** Of each operation its own number among the paths, then those of its responses; -1 where one has no place. */
  readonly operations: readonly (readonly number[])[];
  /** Lists of numbers of paths: what never-sent parameters lack. */
  readonly lists: readonly (readonly number[])[];
  /** Rows of {@linkcode MISSED}, one for each parameter that was never sent. */
  readonly missed: readonly number[];
}
