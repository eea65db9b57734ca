import type { Json } from "../../src/values/json.ts";
import fc from "fast-check";
import { TYPES } from "./naive_classes.ts";

/** The drafts for which schemas are generated. */
export type Draft = "draft-07" | "2019-09" | "2020-12";

/** A schema as an object or a boolean. */
export type Schema = { readonly [keyword: string]: unknown } | boolean;

/** Only a few names, so that schemas and instances share some. */
const NAMES = ["a", "b", "ab", "", "__proto__", "constructor"];
const PATTERNS = ["^a", "b$", "^.{2}$", "[0-9]", "a|b", ""];

const names = fc.constantFrom(...NAMES);

/** An object with own properties of any name. */
function objects<T>(values: fc.Arbitrary<T>, keys: fc.Arbitrary<string> = names, most = 3) {
  return fc.array(fc.tuple(keys, values), { maxLength: most, size: "max" }).map((entries) => {
    const object: Record<string, T> = {};
    for (const [key, value] of entries) {
      const property = { value, enumerable: true, writable: true, configurable: true };
      Object.defineProperty(object, key, property);
    }
    return object;
  });
}

const scalars: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  ...[null, true, false, 0, 1, 2, 3, -1, 1.5, 10, "", "a", "ab", "b", "a1", "é", "😀", "😀a"],
);

function nestedInstances(depth: number): fc.Arbitrary<Json> {
  if (depth === 0) return scalars;
  const inner = nestedInstances(depth - 1);
  return fc.oneof(
    scalars,
    fc.array(inner, { maxLength: 4, size: "max" }),
    { arbitrary: objects(inner, names, 4), weight: 2 },
  );
}

/** Instances to which these schemas apply. */
export const instances: fc.Arbitrary<Json> = nestedInstances(3);

type Make = (below: fc.Arbitrary<Schema>, inPlace: fc.Arbitrary<Schema>) => fc.Arbitrary<unknown>;

const small = fc.integer({ min: 0, max: 3 });
const bounds = fc.constantFrom(-1, 0, 1, 1.5, 2, 3);
const nameLists = fc.uniqueArray(names, { maxLength: 3 });

const COMMON: Readonly<Record<string, Make>> = {
  type: () =>
    fc.oneof(
      fc.constantFrom(...TYPES),
      fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
    ),
  enum: () => fc.uniqueArray(instances, { minLength: 1, maxLength: 3, selector: JSON.stringify }),
  const: () => instances,
  multipleOf: () => fc.constantFrom(1, 2, 3),
  maximum: () => bounds,
  minimum: () => bounds,
  exclusiveMaximum: () => bounds,
  exclusiveMinimum: () => bounds,
  maxLength: () => small,
  minLength: () => small,
  pattern: () => fc.constantFrom(...PATTERNS),
  maxItems: () => small,
  minItems: () => small,
  uniqueItems: () => fc.boolean(),
  maxProperties: () => small,
  minProperties: () => small,
  required: () => nameLists,
  properties: (below) => objects(below),
  patternProperties: (below) => objects(below, fc.constantFrom(...PATTERNS), 2),
  additionalProperties: (below) => below,
  propertyNames: (below) => below,
  items: (below) => below,
  contains: (below) => below,
  allOf: (_, inPlace) => fc.array(inPlace, { minLength: 1, maxLength: 3 }),
  anyOf: (_, inPlace) => fc.array(inPlace, { minLength: 1, maxLength: 3 }),
  oneOf: (_, inPlace) => fc.array(inPlace, { minLength: 1, maxLength: 3 }),
  not: (_, inPlace) => inPlace,
  if: (_, inPlace) => inPlace,
  then: (_, inPlace) => inPlace,
  else: (_, inPlace) => inPlace,
};

const LISTED_ITEMS: Readonly<Record<string, Make>> = {
  items: (below) => fc.oneof(below, fc.array(below, { minLength: 1, maxLength: 3 })),
  additionalItems: (below) => below,
};

const SINCE_2019: Readonly<Record<string, Make>> = {
  minContains: () => small,
  maxContains: () => small,
  dependentRequired: () => objects(nameLists, names, 2),
  dependentSchemas: (_, inPlace) => objects(inPlace, names, 2),
  unevaluatedItems: (below) => below,
  unevaluatedProperties: (below) => below,
};

const KEYWORDS: Readonly<Record<Draft, Readonly<Record<string, Make>>>> = {
  "draft-07": {
    ...COMMON,
    ...LISTED_ITEMS,
    dependencies: (_, inPlace) => objects(fc.oneof(nameLists, inPlace), names, 2),
  },
  "2019-09": { ...COMMON, ...LISTED_ITEMS, ...SINCE_2019 },
  "2020-12": {
    ...COMMON,
    ...SINCE_2019,
    prefixItems: (below) => fc.array(below, { minLength: 1, maxLength: 3 }),
  },
};

/** A schema with the definitions that it refers to. */
export interface DefinedSchema {
  readonly schema: Schema;
  readonly definitions: Readonly<Record<string, Schema>>;
}

const DEFINITIONS = ["d0", "d1"];
/** Definitions that schemas may refer to in place, and that don't refer to others in place. */
const IN_PLACE = ["p0", "p1"];
const DEPTH = 3;

/** Schemas of a draft with every keyword, and with references to each other and in cycles. */
export function draftSchemas(
  draft: Draft,
  place: string,
  without: readonly string[] = [],
): fc.Arbitrary<DefinedSchema> {
  const keywords = Object.entries(KEYWORDS[draft]).filter(([name]) => !without.includes(name));
  const to = (names: readonly string[]): fc.Arbitrary<Schema> =>
    fc.constantFrom(...names).map((name) => ({ $ref: `#${place}/${name}` }));
  const objects = (below: fc.Arbitrary<Schema>, inPlace: fc.Arbitrary<Schema>) => {
    const entries = keywords.map(([name, make]) =>
      make(below, inPlace).map((value): readonly [string, unknown] => [name, value])
    );
    return fc.array(fc.oneof(...entries), { minLength: 1, maxLength: 6, size: "max" })
      .map((chosen): Schema => Object.fromEntries(chosen));
  };
  const leaf = fc.oneof(fc.boolean(), to([...DEFINITIONS, ...IN_PLACE]));
  let below: fc.Arbitrary<Schema> = fc.oneof(leaf, fc.constant({ type: "string" }));
  let closed: fc.Arbitrary<Schema> = fc.oneof(fc.boolean(), fc.constant({ minLength: 1 }));
  let inPlace: fc.Arbitrary<Schema> = fc.oneof(closed, to(IN_PLACE));
  for (let depth = 0; depth < DEPTH; depth++) {
    const object = objects(below, inPlace);
    closed = fc.oneof(fc.boolean(), { arbitrary: objects(below, closed), weight: 9 });
    below = fc.oneof(leaf, { arbitrary: object, weight: 5 });
    inPlace = fc.oneof(fc.boolean(), { arbitrary: object, weight: 9 }, {
      arbitrary: to(IN_PLACE),
      weight: 2,
    });
  }
  const open = { schema: inPlace, d0: inPlace, d1: inPlace };
  return fc.record({ ...open, p0: closed, p1: closed }).map(({ schema, ...definitions }) => ({
    schema,
    definitions,
  }));
}
