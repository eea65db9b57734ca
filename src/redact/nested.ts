/** Redacts a text within another: the text of a value, whatever it turns out to be. */
export interface Nested {
  /** The text with its secrets masked; the same text where there are none. */
  value(text: string): string;
}
