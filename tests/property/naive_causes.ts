// Finds the causes of an invalid instance as the semantics define them, without optimizations.
import type { Json } from "../../src/values/json.ts";
import {
  type Counts,
  isObject,
  isValid,
  naiveCount,
  type NaiveDefinitions,
} from "./naive_count.ts";
import { isOfType, token, TYPES } from "./naive_classes.ts";
import type { Schema } from "./schema_arbitrary.ts";

type SchemaObject = { readonly [keyword: string]: unknown };

/** Pointers of the keywords of 2020-12 (without `unevaluated*`) that make an instance invalid. */
export function naiveCauses(
  schema: Schema,
  value: Json,
  pointer: string,
  scope: NaiveDefinitions,
): Set<string> {
  if (typeof schema === "boolean" || isValid(schema, value, scope)) return new Set();
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const name = reference.slice(reference.lastIndexOf("/") + 1);
    const target = scope.definitions[name] ?? true;
    return target === false
      ? new Set([`${pointer}/$ref`])
      : naiveCauses(target, value, `${scope.place}/${name}`, scope);
  }
  if (failsAlone("type", schema, value, scope)) return new Set([`${pointer}/type`]);
  const causes = new Set<string>();
  for (const keyword of Object.keys(schema)) {
    for (const cause of keywordCauses(keyword, schema, value, pointer, scope)) causes.add(cause);
  }
  return causes;
}

/** True if a keyword fails together with the keywords that it depends on. */
function failsAlone(
  keyword: string,
  schema: SchemaObject,
  value: Json,
  scope: NaiveDefinitions,
): boolean {
  if (!Object.hasOwn(schema, keyword)) return false;
  const counts: Counts = new Map();
  naiveCount(schema, value, "", { ...scope, counts, counted: new Set() });
  return (counts.get(`/${keyword}`)?.invalid ?? 0) > 0;
}

function keywordCauses(
  keyword: string,
  schema: SchemaObject,
  value: Json,
  pointer: string,
  scope: NaiveDefinitions,
): Iterable<string> {
  const own = `${pointer}/${keyword}`;
  if (keyword === "if" || !failsAlone(keyword, schema, value, scope)) return [];
  const wanted = schema[keyword];
  /** The causes in one schema, or the keyword itself if the schema is `false`. */
  const inside = (one: unknown, instance: Json, path: string): string[] =>
    one === false ? [own] : [...naiveCauses(one as Schema, instance, `${pointer}/${path}`, scope)];
  switch (keyword) {
    case "allOf":
      return (wanted as unknown[]).flatMap((one, index) => inside(one, value, `allOf/${index}`));
    case "anyOf":
    case "oneOf": {
      const members = wanted as Schema[];
      if (members.some((one) => isValid(one, value, scope))) return [own];
      const meant = members.map((one, index) => [one, index] as const)
        .filter(([one]) => admits(one, value, scope));
      const [first] = meant;
      if (first === undefined || meant.length > 1) return [own];
      return inside(first[0], value, `${keyword}/${first[1]}`);
    }
    case "then":
    case "else":
      return inside(wanted, value, keyword);
  }
  if (Array.isArray(value)) {
    const prefix = (schema["prefixItems"] ?? []) as unknown[];
    if (keyword === "prefixItems") {
      return value.flatMap((item, index) =>
        index < prefix.length ? inside(prefix[index], item, `prefixItems/${index}`) : []
      );
    }
    if (keyword === "items") {
      return value.slice(prefix.length).flatMap((item) => inside(wanted, item, "items"));
    }
  }
  if (!isObject(value)) return [own];
  const declared = (schema["properties"] ?? {}) as SchemaObject;
  const patterns = Object.entries((schema["patternProperties"] ?? {}) as SchemaObject);
  const matches = (source: string, name: string) => new RegExp(source, "u").test(name);
  const names = Object.keys(value);
  const of = (name: string) => value[name] as Json;
  switch (keyword) {
    case "properties":
      return names.filter((name) => Object.hasOwn(declared, name))
        .flatMap((name) => inside(declared[name], of(name), `properties/${token(name)}`));
    case "patternProperties":
      return names.flatMap((name) =>
        patterns.filter(([source]) => matches(source, name))
          .flatMap(([source, one]) => inside(one, of(name), `patternProperties/${token(source)}`))
      );
    case "additionalProperties":
      return names.filter((name) =>
        !Object.hasOwn(declared, name) && !patterns.some(([source]) => matches(source, name))
      ).flatMap((name) => inside(wanted, of(name), keyword));
    case "propertyNames":
      return names.flatMap((name) => inside(wanted, name, keyword));
    case "dependentSchemas":
      return Object.entries(wanted as SchemaObject).filter(([name]) => Object.hasOwn(value, name))
        .flatMap(([name, one]) => inside(one, value, `dependentSchemas/${token(name)}`));
  }
  return [own];
}

/** True if `type` in a schema, its references and its `allOf` allows the type of the instance. */
function admits(schema: Schema, value: Json, scope: NaiveDefinitions): boolean {
  if (typeof schema === "boolean") return schema;
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    return admits(
      scope.definitions[reference.slice(reference.lastIndexOf("/") + 1)] ?? true,
      value,
      scope,
    );
  }
  const types = [schema["type"] ?? TYPES].flat() as string[];
  return types.some((name) => isOfType(value, name === "integer" ? "number" : name)) &&
    ((schema["allOf"] ?? []) as Schema[]).every((one) =>
      typeof one === "boolean" || admits(one, value, scope)
    );
}
