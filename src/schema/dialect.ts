import {
  type DialectName,
  isTracked,
  type KeywordFacts,
  keywordsWith,
} from "../values/keyword_table.ts";

/** A JSON Schema dialect as a description uses it (semantics, section 1). */
export interface Dialect {
  readonly name: string;
  readonly keywords: ReadonlySet<string>;
  /** True if keywords beside `$ref` apply (2019-09 and later). */
  readonly refSiblings: boolean;
  readonly typeLists: boolean;
  /** True if `exclusiveMinimum` and `exclusiveMaximum` are booleans next to their bound. */
  readonly booleanBounds: boolean;
  readonly booleanSchemas: boolean;
  readonly itemLists: boolean;
  /** True if `contains` marks the items it matches as evaluated (2020-12). */
  readonly containsEvaluates: boolean;
  readonly exampleKeywords: ReadonlySet<string>;
  /** The reference keyword that follows the dynamic scope, if the dialect has one. */
  readonly dynamicReference: string | undefined;
  /** True if the schema is a Swagger 2.0 parameter, whose `type` may be `file`. */
  readonly swaggerParameter: boolean;
}

function dialect(
  name: string,
  of: DialectName,
  flags: Partial<Omit<Dialect, "name" | "keywords">>,
): Dialect {
  const listKeywords = (isListed: (facts: KeywordFacts) => boolean) =>
    keywordsWith((facts) => facts.dialects.includes(of) && isListed(facts));
  return {
    name,
    keywords: new Set(listKeywords(isTracked)),
    refSiblings: false,
    typeLists: true,
    booleanBounds: false,
    booleanSchemas: true,
    itemLists: true,
    containsEvaluates: false,
    exampleKeywords: new Set(listKeywords(({ kind }) => kind === "example")),
    dynamicReference:
      listKeywords((facts) => facts.kind === "reference" && facts.name !== "$ref")[0],
    swaggerParameter: false,
    ...flags,
  };
}

const EARLY_FLAGS = {
  typeLists: false,
  booleanBounds: true,
  booleanSchemas: false,
  itemLists: false,
} as const;

/** The schema of a Swagger 2.0 parameter that is not a body, and of its `items`. */
export const SWAGGER_2_0_PARAMETER: Dialect = dialect("Swagger 2.0", "Swagger 2.0 parameter", {
  ...EARLY_FLAGS,
  swaggerParameter: true,
});
export const SWAGGER_2_0: Dialect = dialect("Swagger 2.0", "Swagger 2.0", EARLY_FLAGS);
export const OPENAPI_3_0_SCHEMA: Dialect = dialect("OpenAPI 3.0", "OpenAPI 3.0", EARLY_FLAGS);
export const DRAFT_04: Dialect = dialect("JSON Schema draft 4", "draft 4", {
  booleanBounds: true,
  booleanSchemas: false,
});
export const DRAFT_06: Dialect = dialect("JSON Schema draft 6", "draft 6", {});
export const DRAFT_07: Dialect = dialect("JSON Schema draft 7", "draft 7", {});
export const DRAFT_2019_09: Dialect = dialect("JSON Schema 2019-09", "2019-09", {
  refSiblings: true,
});
/** JSON Schema 2020-12, and the base dialect of OpenAPI 3.1 and 3.2. */
export const DRAFT_2020_12: Dialect = dialect("JSON Schema 2020-12", "2020-12", {
  refSiblings: true,
  itemLists: false,
  containsEvaluates: true,
});

export function findDialect(uri: string): Dialect | undefined {
  if (/^https?:\/\/json-schema\.org\/draft-0[34]\/(hyper-)?schema#?$/.test(uri)) return DRAFT_04;
  if (/^https?:\/\/json-schema\.org\/draft-06\/(hyper-)?schema#?$/.test(uri)) return DRAFT_06;
  if (/^https?:\/\/json-schema\.org\/draft-07\/(hyper-)?schema#?$/.test(uri)) return DRAFT_07;
  if (/^https?:\/\/json-schema\.org\/draft\/2019-09\/(hyper-)?schema#?$/.test(uri)) {
    return DRAFT_2019_09;
  }
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/(hyper-)?schema#?$/.test(uri)) {
    return DRAFT_2020_12;
  }
  if (/^https:\/\/spec\.openapis\.org\/oas\/3\.\d\/dialect\//.test(uri)) return DRAFT_2020_12;
  return undefined;
}
