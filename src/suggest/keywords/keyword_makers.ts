import { ARRAY, OBJECT, STRING } from "../../values/json_type.ts";
import { applicator } from "./applicator.ts";
import * as arrays from "./arrays.ts";
import * as combinators from "./combinators.ts";
import type { KeywordMaker } from "./keyword_maker.ts";
import * as objects from "./objects.ts";
import * as scalars from "./scalars.ts";

/** In the order in which to break a schema: keywords of a value before those of its parts. `type` covers `nullable`. */
export const keywordMakers: ReadonlyMap<string, KeywordMaker> = new Map([
  ["type", scalars.type],
  ["enum", scalars.enumKeyword],
  ["const", scalars.constKeyword],
  ["format", scalars.format],
  ["pattern", scalars.pattern],
  ["minLength", scalars.atLeast("Length", STRING)],
  ["maxLength", scalars.atMost("Length", STRING)],
  ["minimum", scalars.minimum],
  ["maximum", scalars.maximum],
  ["exclusiveMinimum", scalars.exclusiveMinimum],
  ["exclusiveMaximum", scalars.exclusiveMaximum],
  ["multipleOf", scalars.multipleOf],
  ["required", objects.required],
  ["minItems", scalars.atLeast("Items", ARRAY)],
  ["maxItems", scalars.atMost("Items", ARRAY)],
  ["uniqueItems", arrays.uniqueItems],
  ["minProperties", scalars.atLeast("Properties", OBJECT)],
  ["maxProperties", scalars.atMost("Properties", OBJECT)],
  ["contains", arrays.contains],
  ["minContains", arrays.containsCount],
  ["maxContains", arrays.containsCount],
  ["properties", objects.properties],
  ["patternProperties", applicator("patternProperties")],
  ["additionalProperties", applicator("additionalProperties")],
  ["propertyNames", applicator("propertyNames")],
  ["items", applicator("items", ARRAY)],
  ["prefixItems", applicator("prefixItems", ARRAY)],
  ["additionalItems", applicator("additionalItems", ARRAY)],
  ["dependentRequired", objects.dependent("dependentRequired")],
  ["dependentSchemas", objects.dependent("dependentSchemas")],
  ["dependencies", objects.dependent("dependencies")],
  ["allOf", applicator("allOf")],
  ["anyOf", combinators.alternatives("anyOf")],
  ["oneOf", combinators.alternatives("oneOf")],
  ["not", combinators.not],
  ["if", combinators.ifKeyword],
  ["then", combinators.branchKeyword],
  ["else", combinators.branchKeyword],
  ["unevaluatedProperties", objects.unevaluatedProperties],
  ["unevaluatedItems", applicator("unevaluatedItems", ARRAY)],
]);
