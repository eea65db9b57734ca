/** What the `xml` objects of a schema say (OpenAPI 3.2, section 4.26). */
export interface XmlHints {
  /** The local name that the schema itself gives its element or attribute. */
  readonly name: string | undefined;
  /** The local name that a schema gives which it refers to. */
  readonly referredName: string | undefined;
  readonly component: string | undefined;
  readonly node: "element" | "attribute" | "text";
  /** Whether a list has an element around its items; undefined where nothing says so. */
  readonly wrapped: boolean | undefined;
  /** The namespace and its prefix, which are written, but not compared. */
  readonly namespace: string | undefined;
  readonly prefix: string | undefined;
}

/** The facts about a schema that decoding needs (semantics, section 3), built by the map. */
export interface Shape {
  /** How XML shows a value of this shape; absent where the schema says nothing about XML. */
  readonly xml?: XmlHints | undefined;
  /** The types that the schema names, as bits of `json_type.ts`; 0 if it names none. */
  readonly types: number;
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
  item(index: number): Shape;
  /** The pointer at which a property is declared first; undefined for one that isn't declared. */
  declaredAt?(name: string): string | undefined;
}
