// Counts evaluations as the semantics define it, without optimizations.
import type { Json } from "../../src/values/json.ts";
import { canonical, isOfType, type NaiveClass, ownClasses, token } from "./naive_classes.ts";
import type { Schema } from "./schema_arbitrary.ts";

/** Passed and failed evaluations by the keyword's pointer. */
export type Counts = Map<string, { valid: number; invalid: number }>;

type JsonObject = { readonly [key: string]: Json };

export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The definitions and their place: `/components/schemas`. */
export interface NaiveDefinitions {
  readonly place: string;
  readonly definitions: Readonly<Record<string, Schema>>;
}

/** What the evaluation of a schema needs. */
export interface NaiveScope extends NaiveDefinitions {
  readonly counts: Counts;
  /** What was counted for the value: keyword, place and outcome. */
  readonly counted: Set<string>;
  /** Number of values in each class, by pointer, name and value; not counted if undefined. */
  readonly classes?: Map<string, number>;
}

/**
 * Evaluates a 2020-12 schema without `unevaluated*`, and counts every keyword that applies, once for each place in the
 * value and each outcome. Returns the validity.
 */
export function naiveCount(
  schema: Schema,
  value: Json,
  pointer: string,
  scope: NaiveScope,
  place = "",
): boolean {
  if (typeof schema === "boolean") return schema;
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const name = reference.slice(reference.lastIndexOf("/") + 1);
    return naiveCount(
      scope.definitions[name] ?? true,
      value,
      `${scope.place}/${name}`,
      scope,
      place,
    );
  }
  let valid = true;
  const count = (keyword: string, outcome: boolean | undefined): void => {
    if (outcome === undefined) return;
    if (!outcome && keyword !== "if") valid = false;
    const at = `${pointer}/${keyword}`;
    const once = `${at} ${place} ${outcome}`;
    if (scope.counted.has(once)) return;
    scope.counted.add(once);
    const counts = scope.counts.get(at) ?? { valid: 0, invalid: 0 };
    scope.counts.set(at, counts);
    if (outcome) counts.valid++;
    else counts.invalid++;
  };
  const evaluate: Evaluate = (keyword, subschema, instance, part) =>
    naiveCount(subschema as Schema, instance, `${pointer}/${keyword}`, scope, `${place}${part}`);
  const silently: Silently = (subschema, instance) => isValid(subschema as Schema, instance, scope);
  for (const keyword of Object.keys(schema)) {
    if (keyword === "then" || keyword === "else") continue;
    count(keyword, check(keyword, schema, value, evaluate, silently));
    if (keyword !== "if") continue;
    const branch = silently(schema["if"], value) ? "then" : "else";
    if (Object.hasOwn(schema, branch)) count(branch, evaluate(branch, schema[branch], value, ""));
  }
  const { classes, counted } = scope;
  // Classes of parts that no value passes aren't listed, as value_places_test.ts checks.
  for (const one of classes === undefined ? [] : ownClasses(schema, () => true)) {
    const [suffix, name, named] = one;
    const [, keyword = "", index] = suffix.split("/");
    const falls = name === "alternative"
      ? (schema[keyword] as unknown[]).every((other, at) =>
        silently(other, value) === (at === Number(index))
      )
      : valid && silently(classSchema(one), value);
    const key = `${pointer}${suffix} ${name} ${canonical(named)}`;
    if (!falls || counted.has(`${key} ${place}`)) continue;
    counted.add(`${key} ${place}`);
    classes?.set(key, (classes.get(key) ?? 0) + 1);
  }
  return valid;
}

export function isValid(
  schema: Schema,
  value: Json,
  { place, definitions }: NaiveDefinitions,
): boolean {
  const counted = { counts: new Map(), counted: new Set<string>() };
  return naiveCount(schema, value, "", { place, definitions, ...counted });
}

/** Value classes that only need the name, as schemas. */
const PLAIN_CLASSES: Readonly<Record<string, Schema>> = {
  negative: { type: "number", exclusiveMaximum: 0 },
  zero: { const: 0 },
  positive: { type: "number", exclusiveMinimum: 0 },
  non_ascii: { type: "string", pattern: "[^\\x00-\\x7f]" },
  no_items: { type: "array", maxItems: 0 },
  one_item: { type: "array", minItems: 1, maxItems: 1 },
};

/** A value class as a schema. */
function classSchema([suffix, name, named]: NaiveClass): Schema {
  const limits = named as object | undefined;
  const member = suffix.slice("/properties/".length).replaceAll("~1", "/").replaceAll("~0", "~");
  switch (name) {
    case "between":
      return "exclusiveMinimum" in (limits ?? {}) || "exclusiveMaximum" in (limits ?? {})
        ? { type: "number", ...limits }
        : { type: "string", ...limits ?? { minLength: 1 } };
    case "min_length":
    case "max_length":
      return { type: "string", minLength: named, maxLength: named };
    case "several_items":
      return { type: "array", ...limits ?? { minItems: 2 } };
    case "max_items":
      return { type: "array", minItems: named, maxItems: named };
    case "present":
      return { type: "object", required: [member] };
    case "absent":
      return { type: "object", not: { required: [member] } };
    default:
      return PLAIN_CLASSES[name] ?? { const: named };
  }
}

type Silently = (subschema: unknown, instance: Json) => boolean;
/** `part` is the place of the instance in the one around it; empty if it is the same. */
type Evaluate = (keyword: string, subschema: unknown, instance: Json, part: string) => boolean;

/** True if all are true; undefined if there are none. All are evaluated. */
function all(outcomes: readonly boolean[]): boolean | undefined {
  return outcomes.length === 0 ? undefined : outcomes.every((outcome) => outcome);
}

/** The outcome of a keyword; undefined if it doesn't apply. */
function check(
  keyword: string,
  schema: { readonly [keyword: string]: unknown },
  value: Json,
  evaluate: Evaluate,
  silently: Silently,
): boolean | undefined {
  const wanted = schema[keyword];
  switch (keyword) {
    case "type":
      return [wanted].flat().some((type) => isOfType(value, type as string));
    case "enum":
      return (wanted as Json[]).some((member) => canonical(member) === canonical(value));
    case "const":
      return canonical(wanted) === canonical(value);
    case "allOf":
    case "anyOf":
    case "oneOf": {
      const outcomes = (wanted as unknown[]).map((one, index) =>
        evaluate(`${keyword}/${index}`, one, value, "")
      );
      const passed = outcomes.filter((outcome) => outcome).length;
      if (keyword === "allOf") return passed === outcomes.length;
      return keyword === "anyOf" ? passed > 0 : passed === 1;
    }
    case "not":
      return !evaluate(keyword, wanted, value, "");
    case "if":
      return evaluate(keyword, wanted, value, "");
  }
  if (typeof value === "number") return checkNumber(keyword, wanted as number, value);
  if (typeof value === "string") return checkString(keyword, wanted, value);
  if (Array.isArray(value)) return checkArray(keyword, schema, value, evaluate, silently);
  return isObject(value) ? checkObject(keyword, schema, value, evaluate) : undefined;
}

function checkNumber(keyword: string, wanted: number, value: number): boolean | undefined {
  switch (keyword) {
    case "multipleOf":
      return Number.isInteger(value / wanted);
    case "maximum":
      return value <= wanted;
    case "minimum":
      return value >= wanted;
    case "exclusiveMaximum":
      return value < wanted;
    case "exclusiveMinimum":
      return value > wanted;
  }
  return undefined;
}

function checkString(keyword: string, wanted: unknown, value: string): boolean | undefined {
  const length = [...value].length;
  switch (keyword) {
    case "maxLength":
      return length <= (wanted as number);
    case "minLength":
      return length >= (wanted as number);
    case "pattern":
      return new RegExp(wanted as string, "u").test(value);
  }
  return undefined;
}

function checkArray(
  keyword: string,
  schema: { readonly [keyword: string]: unknown },
  value: readonly Json[],
  evaluate: Evaluate,
  silently: Silently,
): boolean | undefined {
  const wanted = schema[keyword];
  const prefix = (schema["prefixItems"] ?? []) as unknown[];
  const contained = value.filter((item) => silently(schema["contains"] ?? false, item)).length;
  switch (keyword) {
    case "maxItems":
      return value.length <= (wanted as number);
    case "minItems":
      return value.length >= (wanted as number);
    case "uniqueItems":
      return wanted === false || new Set(value.map(canonical)).size === value.length;
    case "prefixItems":
      return all(
        value.slice(0, prefix.length).map((item, index) =>
          evaluate(`prefixItems/${index}`, prefix[index], item, `/${index}`)
        ),
      );
    case "items": {
      const rest = value.slice(prefix.length);
      if (wanted === false) return rest.length === 0;
      return all(
        rest.map((item, index) => evaluate("items", wanted, item, `/${prefix.length + index}`)),
      );
    }
    case "contains":
      value.forEach((item, index) => evaluate("contains", wanted, item, `/${index}`));
      return contained > 0 || schema["minContains"] === 0;
    case "minContains":
      return "contains" in schema ? contained >= (wanted as number) : undefined;
    case "maxContains":
      return "contains" in schema ? contained <= (wanted as number) : undefined;
  }
  return undefined;
}

function checkObject(
  keyword: string,
  schema: { readonly [keyword: string]: unknown },
  value: JsonObject,
  evaluate: Evaluate,
): boolean | undefined {
  const wanted = schema[keyword];
  const names = Object.keys(value);
  const declared = (schema["properties"] ?? {}) as { readonly [name: string]: unknown };
  const patterns = Object.entries((schema["patternProperties"] ?? {}) as object);
  const matches = (source: string, name: string): boolean => new RegExp(source, "u").test(name);
  const has = (name: string): boolean => Object.hasOwn(value, name);
  switch (keyword) {
    case "maxProperties":
      return names.length <= (wanted as number);
    case "minProperties":
      return names.length >= (wanted as number);
    case "required":
      return (wanted as string[]).every(has);
    case "properties":
      return all(
        names.filter((name) => Object.hasOwn(declared, name)).map((name) =>
          evaluate(
            `properties/${token(name)}`,
            declared[name],
            value[name] as Json,
            `/${token(name)}`,
          )
        ),
      );
    case "patternProperties":
      return all(
        names.flatMap((name) =>
          patterns.filter(([source]) => matches(source, name)).map(([source, one]) =>
            evaluate(
              `patternProperties/${token(source)}`,
              one,
              value[name] as Json,
              `/${token(name)}`,
            )
          )
        ),
      );
    case "additionalProperties": {
      const rest = names.filter((name) =>
        !Object.hasOwn(declared, name) && !patterns.some(([source]) => matches(source, name))
      );
      if (wanted === false) return rest.length === 0;
      return all(
        rest.map((name) => evaluate(keyword, wanted, value[name] as Json, `/${token(name)}`)),
      );
    }
    case "propertyNames":
      if (wanted === false) return names.length === 0;
      return all(names.map((name) => evaluate(keyword, wanted, name, `/the name ${name}`)));
    case "dependentRequired":
      return all(
        Object.entries(wanted as { readonly [name: string]: string[] })
          .filter(([name]) => has(name)).map(([, needed]) => needed.every(has)),
      );
    case "dependentSchemas":
      return all(
        Object.entries(wanted as object).filter(([name]) => has(name)).map(([name, one]) =>
          evaluate(`dependentSchemas/${token(name)}`, one, value, "")
        ),
      );
  }
  return undefined;
}
