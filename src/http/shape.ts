/** The contents of the `xml` objects of a schema (OpenAPI 3.2, section 4.26). */
export interface XmlHints {
  /** The local name of the element or attribute, as given by the schema itself. */
  readonly name: string | undefined;
  /** The local name given by a schema that the schema refers to. */
  readonly referredName: string | undefined;
  readonly component: string | undefined;
  readonly node: "element" | "attribute" | "text";
  /** True if an element encloses the items of a list; undefined if the schema doesn't specify it. */
  readonly wrapped: boolean | undefined;
  /** The namespace and its prefix are written, but not compared when XML is read. */
  readonly namespace: string | undefined;
  readonly prefix: string | undefined;
}

/** The facts about a schema that decoding needs (semantics, section 3), built by the map. */
export interface Shape {
  /** The XML form of a value of this shape; absent if the schema has no `xml`. */
  readonly xml?: XmlHints | undefined;
  /** The types named by the schema, as bits of `json_type.ts`; 0 if it names none. */
  readonly types: number;
  readonly propertyNames: ReadonlySet<string>;
  /** The patterns of `patternProperties`. */
  readonly patterns: readonly string[];
  /** True if objects of this shape can have undeclared properties (no `additionalProperties: false`). */
  readonly open: boolean;
  /** True if a keyword describes undeclared properties (`additionalProperties`, `unevaluatedProperties`). */
  readonly describesUndeclared: boolean;
  /** The number of items that have shapes of their own; all later items have the same shape. */
  readonly tupleLength: number;
  /** Returns the declared shape, else that of `patternProperties` or `additionalProperties`, else that of any value. */
  property(name: string): Shape;
  /** Returns the shape of an undeclared property whose name matches the given patterns. */
  undeclared(patterns: readonly string[]): Shape;
  item(index: number): Shape;
  /** Returns the pointer to the first declaration of a property; undefined if it isn't declared. */
  declaredAt?(name: string): string | undefined;
}
