export type DialectName =
  | "Swagger 2.0 parameter"
  | "Swagger 2.0"
  | "OpenAPI 3.0"
  | "draft 4"
  | "draft 6"
  | "draft 7"
  | "2019-09"
  | "2020-12";

/** The part of an instance that a subschema applies to: the instance itself, a property, an item or a property name. */
export type Relation = "in_place" | "property" | "item" | "name";

/** A form that the value of a keyword can take; numbers, texts and lists of names have none here. */
export type KeywordContent = "schema" | "schema_list" | "schemas_by_name" | "values";

/** The facts about one keyword that are known without evaluation: plain data, for every part of the project. */
export interface KeywordFacts {
  readonly name: string;
  /**
   * The purpose of the keyword: an `assertion` checks the instance, an `applicator` applies schemas to the instance or
   * its parts, a `reference` refers to another schema, `definitions` only hold schemas, an `example` documents values.
   * covtool tracks assertions and applicators.
   */
  readonly kind: "assertion" | "applicator" | "reference" | "definitions" | "example";
  readonly dialects: readonly DialectName[];
  readonly holds?: readonly KeywordContent[];
  readonly relation?: Relation;
  /** For a list of schemas, how many of them a valid instance must match: all, or at least one. */
  readonly matches?: "all" | "any";
  /** True if its schemas are named by regular expressions. */
  readonly byPattern?: true;
  /** True if it applies to the properties or items that other keywords don't cover. */
  readonly isRest?: true;
  /** The keywords of the same schema that affect what it means. */
  readonly affectedBy?: readonly string[];
  /** True if its value may be a boolean even in dialects without boolean schemas. */
  readonly mayBeBoolean?: true;
  /** For a lower limit, the upper limits that it must not exceed. */
  readonly atMost?: readonly string[];
  /** For a lower limit, the upper limits that it must be less than. */
  readonly lessThan?: readonly string[];
  readonly advice?: KeywordAdvice;
}

/** Sentences that say what to send; placeholders: `{value}`, `{text}`, `{types}`, `{list:or}` and `{count:item}`. */
export interface KeywordAdvice {
  readonly valid: string;
  readonly invalid: string;
  /** The sentences for both (default: `valid`, then `invalid`). */
  readonly both?: string;
  /** Other sentences for certain values, by the JSON of the value; `unknown` if the value isn't available. */
  readonly when?: Readonly<Record<string, Omit<KeywordAdvice, "when">>>;
}

const SINCE_2020 = ["2020-12"] as const;
const SINCE_2019 = ["2019-09", ...SINCE_2020] as const;
const SINCE_DRAFT_7 = ["draft 7", ...SINCE_2019] as const;
const SINCE_DRAFT_6 = ["draft 6", ...SINCE_DRAFT_7] as const;
const SINCE_DRAFT_4 = ["draft 4", ...SINCE_DRAFT_6] as const;
const SINCE_OPENAPI_3 = ["OpenAPI 3.0", ...SINCE_DRAFT_4] as const;
const IN_SCHEMAS = ["Swagger 2.0", ...SINCE_OPENAPI_3] as const;
const EVERYWHERE = ["Swagger 2.0 parameter", ...IN_SCHEMAS] as const;

function advise(valid: string, invalid: string, both?: string): KeywordAdvice {
  return both === undefined ? { valid, invalid } : { valid, invalid, both };
}

function atMost(unit: string): KeywordAdvice {
  return advise(`Send at most {count:${unit}}.`, `Send more than {count:${unit}}.`);
}

/** Advice for a lower limit; `none` names an instance below a limit of one. */
function atLeast(unit: string, none?: string): KeywordAdvice {
  const usual = advise(`Send at least {count:${unit}}.`, `Send fewer than {count:${unit}}.`);
  if (none === undefined) return usual;
  return { ...usual, when: { "1": advise(usual.valid, `Send ${none}.`) } };
}

/** Advice for keywords of additional items or properties; `closed` is used where their schema is `false`. */
function adviseOnRest(unit: string, closed: KeywordAdvice): KeywordAdvice {
  return {
    ...advise(
      `Send a valid additional ${unit}.`,
      `Send an invalid additional ${unit}.`,
      `Send a valid and an invalid additional ${unit}.`,
    ),
    when: { false: closed },
  };
}

const NO_MORE_PROPERTIES = advise("Send only declared properties.", "Send an undeclared property.");
const NO_MORE_ITEMS = advise("Send no additional items.", "Send an additional item.");
const BY_SCHEMA = advise(
  "Send a property and meet its condition.",
  "Send a property and violate its condition.",
);

type OptionalFacts = Omit<KeywordFacts, "name" | "kind" | "dialects" | "holds" | "relation">;

function assertion(
  name: string,
  dialects: readonly DialectName[],
  facts: OptionalFacts & Pick<KeywordFacts, "holds"> = {},
): KeywordFacts {
  return { name, kind: "assertion", dialects, ...facts };
}

function applicator(
  name: string,
  dialects: readonly DialectName[],
  relation: Relation,
  holds: readonly KeywordContent[],
  facts: OptionalFacts = {},
): KeywordFacts {
  return { name, kind: "applicator", dialects, relation, holds, ...facts };
}

function untracked(
  name: string,
  kind: "reference" | "definitions" | "example",
  dialects: readonly DialectName[],
): KeywordFacts {
  if (kind === "reference") return { name, kind, dialects };
  return { name, kind, dialects, holds: [kind === "example" ? "values" : "schemas_by_name"] };
}

const ROWS: readonly KeywordFacts[] = [
  assertion("type", EVERYWHERE, {
    affectedBy: ["nullable"],
    advice: advise("Send {types}.", "Send something other than {types}."),
  }),
  assertion("nullable", ["OpenAPI 3.0"], {
    advice: advise("Send null.", "Send something other than null."),
  }),
  assertion("enum", EVERYWHERE, {
    holds: ["values"],
    advice: {
      ...advise("Send {list:or}.", "Send an unlisted value."),
      when: {
        unknown: advise(
          "Send a listed value.",
          "Send an unlisted value.",
          "Send a listed and an unlisted value.",
        ),
      },
    },
  }),
  assertion("const", SINCE_DRAFT_6, {
    holds: ["values"],
    advice: advise("Send {value}.", "Send anything but {value}."),
  }),
  assertion("format", EVERYWHERE, {
    advice: advise(
      "Send a valid {text}.",
      "Send an invalid {text}.",
      "Send a valid and an invalid {text}.",
    ),
  }),

  assertion("minimum", EVERYWHERE, {
    atMost: ["maximum"],
    lessThan: ["exclusiveMaximum"],
    advice: advise("Send {value} or more.", "Send less than {value}."),
  }),
  assertion("exclusiveMinimum", EVERYWHERE, {
    lessThan: ["maximum", "exclusiveMaximum"],
    affectedBy: ["minimum"],
    advice: {
      ...advise("Send more than {value}.", "Send {value} or less."),
      when: { true: advise("Send more than the minimum.", "Send the minimum itself.") },
    },
  }),
  assertion("maximum", EVERYWHERE, {
    advice: advise("Send {value} or less.", "Send more than {value}."),
  }),
  assertion("exclusiveMaximum", EVERYWHERE, {
    affectedBy: ["maximum"],
    advice: {
      ...advise("Send less than {value}.", "Send {value} or more."),
      when: { true: advise("Send less than the maximum.", "Send the maximum itself.") },
    },
  }),
  assertion("multipleOf", EVERYWHERE, {
    advice: advise(
      "Send a multiple of {value}.",
      "Send a number that isn't a multiple of {value}.",
    ),
  }),

  assertion("minLength", EVERYWHERE, {
    atMost: ["maxLength"],
    advice: atLeast("character", "an empty string"),
  }),
  assertion("maxLength", EVERYWHERE, { advice: atMost("character") }),
  assertion("pattern", EVERYWHERE, {
    advice: advise(
      "Send a string that matches {text}.",
      "Send a string that doesn't match {text}.",
      "Send a string that matches {text}, then one that doesn't.",
    ),
  }),

  assertion("minItems", EVERYWHERE, {
    atMost: ["maxItems"],
    advice: atLeast("item", "an empty array"),
  }),
  assertion("maxItems", EVERYWHERE, { advice: atMost("item") }),
  assertion("uniqueItems", EVERYWHERE, {
    advice: advise("Send items that all differ.", "Send the same item twice."),
  }),
  assertion("minContains", SINCE_2019, {
    atMost: ["maxContains"],
    affectedBy: ["contains"],
    advice: atLeast("matching item"),
  }),
  assertion("maxContains", SINCE_2019, {
    affectedBy: ["contains"],
    advice: atMost("matching item"),
  }),
  applicator("contains", SINCE_DRAFT_6, "item", ["schema"], {
    affectedBy: ["minContains"],
    advice: advise("Send an array with a matching item.", "Send an array without a matching item."),
  }),
  applicator("items", EVERYWHERE, "item", ["schema", "schema_list"], {
    affectedBy: ["prefixItems"],
    advice: {
      ...advise("Send only valid items.", "Send an invalid item."),
      when: { false: NO_MORE_ITEMS },
    },
  }),
  applicator("prefixItems", SINCE_2020, "item", ["schema_list"], {
    advice: advise("Send only valid items.", "Send an invalid item."),
  }),
  applicator("additionalItems", ["draft 4", "draft 6", "draft 7", "2019-09"], "item", ["schema"], {
    isRest: true,
    affectedBy: ["items"],
    mayBeBoolean: true,
    advice: adviseOnRest("item", NO_MORE_ITEMS),
  }),
  applicator("unevaluatedItems", SINCE_2019, "item", ["schema"], {
    isRest: true,
    affectedBy: ["items", "prefixItems"],
    advice: adviseOnRest("item", NO_MORE_ITEMS),
  }),

  assertion("minProperties", IN_SCHEMAS, {
    atMost: ["maxProperties"],
    advice: atLeast("property|properties", "an empty object"),
  }),
  assertion("maxProperties", IN_SCHEMAS, { advice: atMost("property|properties") }),
  assertion("required", IN_SCHEMAS, {
    advice: {
      ...advise("Send {list:and}.", "Leave out {list:or}."),
      when: { unknown: advise("Send all required properties.", "Leave out a required property.") },
    },
  }),
  assertion("dependentRequired", SINCE_2019, {
    advice: advise(
      "Send a property with the ones that it requires.",
      "Send a property without the ones that it requires.",
    ),
  }),
  applicator("properties", IN_SCHEMAS, "property", ["schemas_by_name"], {
    advice: advise("Send only valid properties.", "Send an invalid property."),
  }),
  applicator("patternProperties", SINCE_DRAFT_4, "property", ["schemas_by_name"], {
    byPattern: true,
    advice: advise("Send only valid properties.", "Send an invalid property."),
  }),
  applicator("additionalProperties", IN_SCHEMAS, "property", ["schema"], {
    isRest: true,
    affectedBy: ["properties", "patternProperties"],
    mayBeBoolean: true,
    advice: adviseOnRest("property", NO_MORE_PROPERTIES),
  }),
  applicator("unevaluatedProperties", SINCE_2019, "property", ["schema"], {
    isRest: true,
    affectedBy: ["properties", "patternProperties"],
    advice: adviseOnRest("property", NO_MORE_PROPERTIES),
  }),
  applicator("propertyNames", SINCE_DRAFT_6, "name", ["schema"], {
    advice: advise("Send only valid property names.", "Send an invalid property name."),
  }),

  applicator("allOf", IN_SCHEMAS, "in_place", ["schema_list"], {
    matches: "all",
    advice: advise(
      "Send a value that matches every schema.",
      "Send a value that doesn't match every schema.",
    ),
  }),
  applicator("anyOf", SINCE_OPENAPI_3, "in_place", ["schema_list"], {
    matches: "any",
    advice: advise(
      "Send a value that matches at least one schema.",
      "Send a value that matches none of the schemas.",
    ),
  }),
  applicator("oneOf", SINCE_OPENAPI_3, "in_place", ["schema_list"], {
    matches: "any",
    advice: advise(
      "Send a value that matches exactly one schema.",
      "Send a value that matches none or several of the schemas.",
    ),
  }),
  applicator("not", SINCE_OPENAPI_3, "in_place", ["schema"], {
    advice: advise(
      "Send a value that doesn't match the schema.",
      "Send a value that matches the schema.",
    ),
  }),
  applicator("if", SINCE_DRAFT_7, "in_place", ["schema"], {
    advice: advise(
      "Send a value that meets the condition.",
      "Send a value that doesn't meet the condition.",
    ),
  }),
  applicator("then", SINCE_DRAFT_7, "in_place", ["schema"], {
    affectedBy: ["if"],
    advice: advise(
      "Send a value that meets the condition and is valid.",
      "Send a value that meets the condition and is invalid.",
    ),
  }),
  applicator("else", SINCE_DRAFT_7, "in_place", ["schema"], {
    affectedBy: ["if"],
    advice: advise(
      "Send a value that doesn't meet the condition and is valid.",
      "Send a value that doesn't meet the condition and is invalid.",
    ),
  }),
  applicator("dependentSchemas", SINCE_2019, "in_place", ["schemas_by_name"], {
    advice: BY_SCHEMA,
  }),
  applicator("dependencies", ["draft 4", "draft 6", "draft 7"], "in_place", ["schemas_by_name"], {
    advice: BY_SCHEMA,
  }),

  untracked("$ref", "reference", EVERYWHERE),
  untracked("$recursiveRef", "reference", ["2019-09"]),
  untracked("$dynamicRef", "reference", SINCE_2020),
  untracked("definitions", "definitions", IN_SCHEMAS),
  untracked("$defs", "definitions", SINCE_2019),
  untracked("default", "example", EVERYWHERE),
  untracked("example", "example", EVERYWHERE),
  untracked("examples", "example", SINCE_DRAFT_4),
];

/** Every keyword that covtool knows; all lists of keywords are derived from this table. */
export const keywordTable: ReadonlyMap<string, KeywordFacts> = new Map(
  ROWS.map((row) => [row.name, row]),
);

export function isTracked({ kind }: KeywordFacts): boolean {
  return kind === "assertion" || kind === "applicator";
}

/** Returns the names of the keywords whose facts match, in the order of the table. */
export function keywordsWith(matches: (facts: KeywordFacts) => boolean): string[] {
  return ROWS.filter(matches).map(({ name }) => name);
}

export function keywordsHolding(content: KeywordContent): string[] {
  return keywordsWith(({ holds }) => holds?.includes(content) === true);
}
