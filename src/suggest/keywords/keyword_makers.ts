import * as arrays from "./arrays.ts";
import * as combinators from "./combinators.ts";
import * as dependencies from "./dependencies.ts";
import { format } from "./format.ts";
import type { KeywordMaker } from "./keyword_maker.ts";
import * as objects from "./objects.ts";
import * as scalars from "./scalars.ts";

/**
 * The maker of each keyword that covtool tracks, in the order in which a schema is best broken: the keywords of a value
 * itself before those of its parts. `nullable` is seen to by `type`.
 */
export const keywordMakers: ReadonlyMap<string, KeywordMaker> = new Map([
  ["type", scalars.type],
  ["enum", scalars.enumKeyword],
  ["const", scalars.constKeyword],
  ["format", format],
  ["pattern", scalars.pattern],
  ["minLength", scalars.minLength],
  ["maxLength", scalars.maxLength],
  ["minimum", scalars.minimum],
  ["maximum", scalars.maximum],
  ["exclusiveMinimum", scalars.exclusiveMinimum],
  ["exclusiveMaximum", scalars.exclusiveMaximum],
  ["multipleOf", scalars.multipleOf],
  ["required", objects.required],
  ["minItems", arrays.minItems],
  ["maxItems", arrays.maxItems],
  ["uniqueItems", arrays.uniqueItems],
  ["minProperties", objects.minProperties],
  ["maxProperties", objects.maxProperties],
  ["contains", arrays.contains],
  ["minContains", arrays.containsLimit],
  ["maxContains", arrays.containsLimit],
  ["properties", objects.properties],
  ["patternProperties", objects.patternProperties],
  ["additionalProperties", objects.additionalProperties],
  ["propertyNames", objects.propertyNames],
  ["items", arrays.items],
  ["prefixItems", arrays.prefixItems],
  ["additionalItems", arrays.additionalItems],
  ["dependentRequired", dependencies.dependentRequired],
  ["dependentSchemas", dependencies.dependentSchemas],
  ["dependencies", dependencies.dependencies],
  ["allOf", combinators.allOf],
  ["anyOf", combinators.anyOf],
  ["oneOf", combinators.oneOf],
  ["not", combinators.not],
  ["if", combinators.ifKeyword],
  ["then", combinators.branchKeyword],
  ["else", combinators.branchKeyword],
  ["unevaluatedProperties", objects.unevaluatedProperties],
  ["unevaluatedItems", arrays.unevaluatedItems],
]);
