/** The text of a decoded value, in its structure: examples compare with either (semantics, section 6). */
export interface RawText {
  /** The decoded text of this value; `undefined` where no single text stands for it. */
  readonly text: string | undefined;
  /** Look properties up with `Object.hasOwn`; undefined for scalars and below JSON. */
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
