import {
  additionalItems,
  contains,
  items,
  maxContains,
  maxItems,
  minContains,
  minItems,
  prefixItems,
  uniqueItems,
} from "./arrays.ts";
import { allOf, anyOf, elseKeyword, ifKeyword, not, oneOf, thenKeyword } from "./combinators.ts";
import { dependencies, dependentRequired, dependentSchemas } from "./dependencies.ts";
import { constKeyword, enumKeyword, nullable, type } from "./type.ts";
import { format, maxLength, minLength, pattern } from "./strings.ts";
import type { KeywordDefinition } from "./keyword.ts";
import { exclusiveMaximum, exclusiveMinimum, maximum, minimum, multipleOf } from "./numbers.ts";
import {
  additionalProperties,
  maxProperties,
  minProperties,
  patternProperties,
  properties,
  propertyNames,
  required,
} from "./objects.ts";
import { unevaluatedItems, unevaluatedProperties } from "./unevaluated.ts";

/** Every keyword that covtool tracks in some dialect, by name (semantics, section 4). */
export const keywordDefinitions: ReadonlyMap<string, KeywordDefinition> = new Map(
  [
    type,
    enumKeyword,
    constKeyword,
    multipleOf,
    maximum,
    exclusiveMaximum,
    minimum,
    exclusiveMinimum,
    maxLength,
    minLength,
    pattern,
    format,
    maxItems,
    minItems,
    uniqueItems,
    contains,
    minContains,
    maxContains,
    maxProperties,
    minProperties,
    required,
    dependentRequired,
    dependentSchemas,
    dependencies,
    properties,
    patternProperties,
    additionalProperties,
    propertyNames,
    items,
    prefixItems,
    additionalItems,
    unevaluatedItems,
    unevaluatedProperties,
    allOf,
    anyOf,
    oneOf,
    not,
    ifKeyword,
    thenKeyword,
    elseKeyword,
    nullable,
  ].map((definition) => [definition.name, definition]),
);
