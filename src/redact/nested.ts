/** Redacts a text within another: the text of a value, whatever it turns out to be. */
export interface Nested {
  /** The text with its secrets masked; the same text where there are none. */
  value(text: string): string;
}

/** Redacts texts within another, of which some are known to be nothing but text. */
export interface NestedText extends Nested {
  /** Text for people with its secrets masked, whatever it looks like. */
  text(text: string): string;
}
