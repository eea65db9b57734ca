import type { SourceFileName, SourceRegion } from "./description_view.ts";

/** Numbers per position in {@linkcode PageSource.at}: file, line. */
export const POSITION_FIELDS = 2;

/** Numbers per entry in {@linkcode PageSource.missed}: operation, parameter, list. */
export const MISSED_FIELDS = 3;

/** The description's text as the page reads it, when it is first shown. */
export interface PageSource {
  readonly files: readonly SourceFileName[];
  /** By file and line; none overlaps another. */
  readonly regions: readonly SourceRegion[];
  /** Everything that has a place, by its schema path. */
  readonly paths: readonly string[];
  /** {@linkcode POSITION_FIELDS} numbers for each of the paths. */
  readonly at: readonly number[];
  /** Of each operation its own number among the paths, then those of its responses; -1 where one has no place. */
  readonly operations: readonly (readonly number[])[];
  /** Lists of numbers of paths: what never-sent parameters lack. */
  readonly lists: readonly (readonly number[])[];
  /** {@linkcode MISSED_FIELDS} numbers for each parameter that was never sent. */
  readonly missed: readonly number[];
}
