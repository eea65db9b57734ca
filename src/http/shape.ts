/**
 * The facts about a schema that decoding needs (semantics, section 3): the types that its text may be read as, and the
 * shapes of its parts. The map builds shapes from schemas; decoding only reads them.
 */
export interface Shape {
  /**
   * The types that the schema names, through references and combinators, as a set of the bits in
   * `json_type.ts`; 0 if it names none.
   */
  readonly types: number;
  /** The names of the declared properties. */
  readonly propertyNames: ReadonlySet<string>;
  /** The patterns of `patternProperties`. */
  readonly patterns: readonly string[];
  /** True if undeclared keys may be part of an object of this shape (no `additionalProperties: false`). */
  readonly open: boolean;
  /** True if a keyword says what undeclared properties are (`additionalProperties`, `unevaluatedProperties`). */
  readonly describesOthers: boolean;
  /** The number of items that have shapes of their own; after them, all are alike. */
  readonly tupleLength: number;
  /** The shape of a property: the declared one, else that of `patternProperties`/`additionalProperties`, else the shape of anything. */
  property(name: string): Shape;
  /** The shape of a property that is not declared and whose name matches these of the patterns. */
  undeclared(patterns: readonly string[]): Shape;
  /** The shape of the item at an index. */
  item(index: number): Shape;
}
