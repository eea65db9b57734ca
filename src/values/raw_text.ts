/**
 * The text that a decoded value was read from, in the structure of the value: examples compare with either (semantics,
 * section 6).
 */
export interface RawText {
  /**
   * The decoded text of this value: of a scalar, of a whole delimited list, of a value sent as JSON. `undefined` where no
   * single text stands for the value (repeated keys, objects of several fields).
   */
  readonly text: string | undefined;
  /**
   * The texts of the items or properties; look properties up with `Object.hasOwn`. `undefined` for scalars and below JSON.
   */
  readonly parts: readonly RawText[] | Readonly<Record<string, RawText>> | undefined;
}
