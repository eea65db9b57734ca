import * as arrays from "./arrays.ts";
import * as combinators from "./combinators.ts";
import * as dependencies from "./dependencies.ts";
import * as numbers from "./numbers.ts";
import * as objects from "./objects.ts";
import * as strings from "./strings.ts";
import * as types from "./type.ts";
import * as unevaluated from "./unevaluated.ts";
import type { KeywordDefinition } from "./keyword.ts";

/** Every keyword that covtool tracks in some dialect, by name (semantics, section 4). */
export const keywordDefinitions: ReadonlyMap<string, KeywordDefinition> = new Map(
  [
    types.type,
    types.enumKeyword,
    types.constKeyword,
    numbers.multipleOf,
    numbers.maximum,
    numbers.exclusiveMaximum,
    numbers.minimum,
    numbers.exclusiveMinimum,
    strings.maxLength,
    strings.minLength,
    strings.pattern,
    strings.format,
    arrays.maxItems,
    arrays.minItems,
    arrays.uniqueItems,
    arrays.contains,
    arrays.minContains,
    arrays.maxContains,
    objects.maxProperties,
    objects.minProperties,
    objects.required,
    dependencies.dependentRequired,
    dependencies.dependentSchemas,
    dependencies.dependencies,
    objects.properties,
    objects.patternProperties,
    objects.additionalProperties,
    objects.propertyNames,
    arrays.items,
    arrays.prefixItems,
    arrays.additionalItems,
    unevaluated.unevaluatedItems,
    unevaluated.unevaluatedProperties,
    combinators.allOf,
    combinators.anyOf,
    combinators.oneOf,
    combinators.not,
    combinators.ifKeyword,
    combinators.thenKeyword,
    combinators.elseKeyword,
    types.nullable,
  ].map((definition) => [definition.name, definition]),
);
