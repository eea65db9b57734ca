// Tests recursive schemas with deep values: each schema evaluates each place once.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Json } from "../../src/values/json.ts";
import { looksAt } from "../schema/looks_at.ts";

type Schema = { readonly [keyword: string]: unknown };

const NAMES = ["S0", "S1", "S2"];
const DEPTH = 30;

/**
 * Maximum number of looks of one schema into one value: twice, because it may be evaluated again for its evaluated
 * properties, each time with up to ten keywords that take two looks at a property or item.
 */
const LOOKS = 2 * 10 * 2;

const to = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Makes a schema from possible subschemas. */
type Make = (inner: fc.Arbitrary<Schema>) => fc.Arbitrary<unknown>;

const members: Make = (inner) => fc.array(inner, { minLength: 1, maxLength: 3 });
const one: Make = (inner) => inner;
const byName: Make = (inner) =>
  fc.dictionary(fc.constantFrom("c", "d"), inner, { minKeys: 1, noNullPrototype: true });

const KEYWORDS: Readonly<Record<string, Make>> = {
  type: () => fc.constantFrom("object", "array", "integer", ["object", "array"]),
  required: () => fc.constantFrom(["c"], ["d"]),
  properties: byName,
  patternProperties: (inner) =>
    fc.dictionary(fc.constantFrom("^c", "c|d"), inner, { minKeys: 1, noNullPrototype: true }),
  additionalProperties: one,
  unevaluatedProperties: one,
  prefixItems: members,
  items: one,
  contains: one,
  unevaluatedItems: one,
  allOf: members,
  anyOf: members,
  oneOf: members,
  not: one,
  if: one,
  then: one,
  else: one,
  dependentSchemas: byName,
};

function schemasFrom(leaves: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  let inner = leaves;
  for (let depth = 0; depth < 3; depth++) {
    const entries = Object.entries(KEYWORDS).map(([keyword, make]) =>
      make(inner).map((value): readonly [string, unknown] => [keyword, value])
    );
    const made = fc.array(fc.oneof(...entries), { minLength: 1, maxLength: 3 })
      .map((chosen): Schema => Object.fromEntries(chosen));
    inner = depth === 2 ? made : fc.oneof({ arbitrary: leaves, weight: 3 }, made);
  }
  return inner;
}

/** Deep values: nested in each other, with a few siblings. */
const values: fc.Arbitrary<Json> = fc.tuple(
  fc.array(fc.constantFrom("c", "c", "d", "both", "item"), { minLength: DEPTH, maxLength: DEPTH }),
  fc.constantFrom<Json>(1, "x", {}, []),
).map(([steps, leaf]) =>
  steps.reduce<Json>((inner, step) => {
    if (step === "item") return [inner];
    return step === "both" ? { c: inner, d: 1 } : { [step]: inner };
  }, leaf)
);

/** The number of values in a value, or of schemas in a schema, including itself. */
function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + countValues(inner), 1);
}

function assertLinear(
  schemas: Readonly<Record<string, Schema>>,
  value: Json,
  most: number,
): number {
  const looks = looksAt(schemas, "S0", value);
  const bound = most * countValues(schemas) * countValues(value);
  for (const [what, count] of Object.entries(looks)) {
    assert.ok(count <= bound, `${what}: ${count} looks, ${bound} at most`);
  }
  return looks.counting;
}

Deno.test("a schema looks at a place only a few times, however many paths lead there", () => {
  const leaves = fc.constantFrom(...NAMES).map(to);
  const schema = schemasFrom(leaves);
  let looks = 0;
  fc.assert(
    fc.property(fc.record({ S0: schema, S1: schema, S2: schema }), values, (schemas, value) => {
      // No two schemas may be the same object, like in a file.
      looks += assertLinear(JSON.parse(JSON.stringify(schemas)), value, LOOKS);
    }),
    { numRuns: 1500 },
  );
  assert.ok(looks > 1500 * DEPTH, `only ${looks} looks`);
});

Deno.test("a schema reached by dynamic references looks at a place a few times per dynamic scope", () => {
  const leaves = fc.oneof(
    fc.constantFrom("S0", "S1").map(to),
    fc.constant({ $dynamicRef: "#node" }),
  );
  const schema = schemasFrom(leaves);
  /** Possible dynamic scopes: S0, S1, and both in either order, each within the document. */
  const scopes = 4;
  fc.assert(
    fc.property(fc.record({ S0: schema, S1: schema }), values, (schemas, value) => {
      const named = Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [
          name,
          { $id: `https://example.org/${name}`, $dynamicAnchor: "node", ...schema },
        ]),
      );
      assertLinear(
        JSON.parse(
          JSON.stringify(named).replaceAll(
            '"#/components',
            '"https://example.org/schemas#/components',
          ),
        ),
        value,
        scopes * LOOKS,
      );
    }),
    { numRuns: 500 },
  );
});
