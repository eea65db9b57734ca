/** A dialect of JSON Schema, as {@linkcode KeywordFacts} name it. */
export type DialectName =
  | "Swagger 2.0 parameter"
  | "Swagger 2.0"
  | "OpenAPI 3.0"
  | "draft 4"
  | "draft 6"
  | "draft 7"
  | "2019-09"
  | "2020-12";

/** How a subschema's instance relates to the instance of the schema around it. */
export type Relation = "in_place" | "property" | "item" | "name";

/** One form that the value of a keyword can take; numbers, texts and lists of names are not listed. */
export type KeywordContent = "schema" | "schema_list" | "schemas_by_name" | "values";

/** The facts about one keyword that need no evaluation: plain data, for every part of the project. */
export interface KeywordFacts {
  /** Its name. */
  readonly name: string;
  /**
   * Its purpose: an `assertion` checks the instance, an `applicator` applies schemas to it or to its parts, a
   * `reference` leads to another schema, `definitions` only hold schemas, an `example` documents values.
   * Assertions and applicators are the keywords that covtool tracks.
   */
  readonly kind: "assertion" | "applicator" | "reference" | "definitions" | "example";
  /** The dialects that have it. */
  readonly dialects: readonly DialectName[];
  /** The schemas or JSON values in it. */
  readonly holds?: readonly KeywordContent[];
  /** For an applicator, the instances that its schemas apply to. */
  readonly relation?: Relation;
  /** True where the names of its schemas are regular expressions. */
  readonly byPattern?: true;
  /** True where it applies to the properties or items that other keywords leave over. */
  readonly rest?: true;
  /** True where it may be a boolean even in dialects without boolean schemas. */
  readonly mayBeBoolean?: true;
  /** For a lower limit, the upper limits that it must not exceed. */
  readonly notAbove?: readonly string[];
  /** For a lower limit, the upper limits that it must stay below. */
  readonly below?: readonly string[];
}

const SINCE_2020 = ["2020-12"] as const;
const SINCE_2019 = ["2019-09", ...SINCE_2020] as const;
const SINCE_DRAFT_7 = ["draft 7", ...SINCE_2019] as const;
const SINCE_DRAFT_6 = ["draft 6", ...SINCE_DRAFT_7] as const;
const SINCE_DRAFT_4 = ["draft 4", ...SINCE_DRAFT_6] as const;
const SINCE_OPENAPI_3 = ["OpenAPI 3.0", ...SINCE_DRAFT_4] as const;
const IN_SCHEMAS = ["Swagger 2.0", ...SINCE_OPENAPI_3] as const;
const EVERYWHERE = ["Swagger 2.0 parameter", ...IN_SCHEMAS] as const;

type Rest = Omit<KeywordFacts, "name" | "kind" | "dialects" | "holds" | "relation">;

function assertion(
  name: string,
  dialects: readonly DialectName[],
  rest: Rest & Pick<KeywordFacts, "holds"> = {},
): KeywordFacts {
  return { name, kind: "assertion", dialects, ...rest };
}

function applicator(
  name: string,
  dialects: readonly DialectName[],
  relation: Relation,
  holds: readonly KeywordContent[],
  rest: Rest = {},
): KeywordFacts {
  return { name, kind: "applicator", dialects, relation, holds, ...rest };
}

function other(
  name: string,
  kind: "reference" | "definitions" | "example",
  dialects: readonly DialectName[],
): KeywordFacts {
  if (kind === "reference") return { name, kind, dialects };
  return { name, kind, dialects, holds: [kind === "example" ? "values" : "schemas_by_name"] };
}

const ROWS: readonly KeywordFacts[] = [
  assertion("type", EVERYWHERE),
  assertion("nullable", ["OpenAPI 3.0"]),
  assertion("enum", EVERYWHERE, { holds: ["values"] }),
  assertion("const", SINCE_DRAFT_6, { holds: ["values"] }),
  assertion("format", EVERYWHERE),

  assertion("minimum", EVERYWHERE, { notAbove: ["maximum"], below: ["exclusiveMaximum"] }),
  assertion("exclusiveMinimum", EVERYWHERE, { below: ["maximum", "exclusiveMaximum"] }),
  assertion("maximum", EVERYWHERE),
  assertion("exclusiveMaximum", EVERYWHERE),
  assertion("multipleOf", EVERYWHERE),

  assertion("minLength", EVERYWHERE, { notAbove: ["maxLength"] }),
  assertion("maxLength", EVERYWHERE),
  assertion("pattern", EVERYWHERE),

  assertion("minItems", EVERYWHERE, { notAbove: ["maxItems"] }),
  assertion("maxItems", EVERYWHERE),
  assertion("uniqueItems", EVERYWHERE),
  assertion("minContains", SINCE_2019, { notAbove: ["maxContains"] }),
  assertion("maxContains", SINCE_2019),
  applicator("contains", SINCE_DRAFT_6, "item", ["schema"]),
  applicator("items", EVERYWHERE, "item", ["schema", "schema_list"]),
  applicator("prefixItems", SINCE_2020, "item", ["schema_list"]),
  applicator("additionalItems", ["draft 4", "draft 6", "draft 7", "2019-09"], "item", ["schema"], {
    rest: true,
    mayBeBoolean: true,
  }),
  applicator("unevaluatedItems", SINCE_2019, "item", ["schema"], { rest: true }),

  assertion("minProperties", IN_SCHEMAS, { notAbove: ["maxProperties"] }),
  assertion("maxProperties", IN_SCHEMAS),
  assertion("required", IN_SCHEMAS),
  assertion("dependentRequired", SINCE_2019),
  applicator("properties", IN_SCHEMAS, "property", ["schemas_by_name"]),
  applicator("patternProperties", SINCE_DRAFT_4, "property", ["schemas_by_name"], {
    byPattern: true,
  }),
  applicator("additionalProperties", IN_SCHEMAS, "property", ["schema"], {
    rest: true,
    mayBeBoolean: true,
  }),
  applicator("unevaluatedProperties", SINCE_2019, "property", ["schema"], { rest: true }),
  applicator("propertyNames", SINCE_DRAFT_6, "name", ["schema"]),

  applicator("allOf", IN_SCHEMAS, "in_place", ["schema_list"]),
  applicator("anyOf", SINCE_OPENAPI_3, "in_place", ["schema_list"]),
  applicator("oneOf", SINCE_OPENAPI_3, "in_place", ["schema_list"]),
  applicator("not", SINCE_OPENAPI_3, "in_place", ["schema"]),
  applicator("if", SINCE_DRAFT_7, "in_place", ["schema"]),
  applicator("then", SINCE_DRAFT_7, "in_place", ["schema"]),
  applicator("else", SINCE_DRAFT_7, "in_place", ["schema"]),
  applicator("dependentSchemas", SINCE_2019, "in_place", ["schemas_by_name"]),
  applicator("dependencies", ["draft 4", "draft 6", "draft 7"], "in_place", ["schemas_by_name"]),

  other("$ref", "reference", EVERYWHERE),
  other("$recursiveRef", "reference", ["2019-09"]),
  other("$dynamicRef", "reference", SINCE_2020),
  other("definitions", "definitions", IN_SCHEMAS),
  other("$defs", "definitions", SINCE_2019),
  other("default", "example", EVERYWHERE),
  other("example", "example", EVERYWHERE),
  other("examples", "example", SINCE_DRAFT_4),
];

/**
 * Every keyword of JSON Schema that covtool treats in a way of its own, by name. What a tracked keyword checks is in
 * `schema/keywords`; all lists of keywords elsewhere are taken from this table.
 *
 * @example
 * ```ts
 * import { keywordTable } from "./keyword_table.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(keywordTable.get("allOf")?.relation, "in_place");
 * ```
 */
export const keywordTable: ReadonlyMap<string, KeywordFacts> = new Map(
  ROWS.map((row) => [row.name, row]),
);

/** Whether a keyword is one that covtool tracks, where the dialect has it. */
export function isTracked({ kind }: KeywordFacts): boolean {
  return kind === "assertion" || kind === "applicator";
}

/**
 * The names of the keywords with certain facts, in the order of the table.
 *
 * @example
 * ```ts
 * import { keywordsWith } from "./keyword_table.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(keywordsWith(({ kind }) => kind === "definitions"), ["definitions", "$defs"]);
 * ```
 */
export function keywordsWith(isMeant: (facts: KeywordFacts) => boolean): string[] {
  return ROWS.filter(isMeant).map(({ name }) => name);
}

/** The names of the keywords whose value can take a form. */
export function keywordsHolding(content: KeywordContent): string[] {
  return keywordsWith(({ holds }) => holds?.includes(content) === true);
}
