/** The position of an entry of a document: of its key, or for an item of a list of the item. */
export interface Location {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  /** The line on which the value ends; counted from 1. */
  readonly endLine: number;
}
