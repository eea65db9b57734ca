import { ARRAY, OBJECT, STRING } from "../../values/json_type.ts";
import * as arrays from "./arrays.ts";
import * as combinators from "./combinators.ts";
import { atLeast, atMost, type KeywordMaker } from "./keyword_maker.ts";
import * as objects from "./objects.ts";
import * as scalars from "./scalars.ts";

/** In the order in which a schema is best broken: a value's own keywords before its parts'; `type` makes `nullable`. */
export const keywordMakers: ReadonlyMap<string, KeywordMaker> = new Map([
  ["type", scalars.type],
  ["enum", scalars.enumKeyword],
  ["const", scalars.constKeyword],
  ["format", scalars.format],
  ["pattern", scalars.pattern],
  ["minLength", atLeast("minLength", "maxLength", STRING)],
  ["maxLength", atMost("maxLength", "minLength", STRING)],
  ["minimum", scalars.minimum],
  ["maximum", scalars.maximum],
  ["exclusiveMinimum", scalars.exclusiveMinimum],
  ["exclusiveMaximum", scalars.exclusiveMaximum],
  ["multipleOf", scalars.multipleOf],
  ["required", objects.required],
  ["minItems", atLeast("minItems", "maxItems", ARRAY)],
  ["maxItems", atMost("maxItems", "minItems", ARRAY)],
  ["uniqueItems", arrays.uniqueItems],
  ["minProperties", atLeast("minProperties", "maxProperties", OBJECT)],
  ["maxProperties", atMost("maxProperties", "minProperties", OBJECT)],
  ["contains", arrays.contains],
  ["minContains", arrays.containsCount],
  ["maxContains", arrays.containsCount],
  ["properties", objects.properties],
  ["patternProperties", objects.patternProperties],
  ["additionalProperties", objects.additionalProperties],
  ["propertyNames", objects.propertyNames],
  ["items", arrays.items],
  ["prefixItems", arrays.prefixItems],
  ["additionalItems", arrays.additionalItems],
  ["dependentRequired", objects.dependent("dependentRequired")],
  ["dependentSchemas", objects.dependent("dependentSchemas")],
  ["dependencies", objects.dependent("dependencies")],
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
