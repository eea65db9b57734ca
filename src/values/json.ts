/** The texts of a decoded value, in its structure; examples are compared with both (semantics, section 6). */
export interface RawText {
  /** The decoded text of this value; `undefined` if no single text represents it. */
  readonly text: string | undefined;
  /** The texts of items, or of properties (check names with `Object.hasOwn`); undefined for scalars and within JSON. */
  readonly parts: readonly RawText[] | Readonly<Record<string, RawText>> | undefined;
}

/** A JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };
