import { type Dialect, DRAFT_04, OPENAPI_3_0_SCHEMA } from "../../src/schema/dialect.ts";
import { typesOfSchema } from "../../src/schema/types_of_schema.ts";
import { ARRAY, jsonType, NULL, OBJECT, STRING, typeMask } from "../../src/values/json_type.ts";
import { asSchema, schemasIn } from "./schemas_in.ts";
import assert from "node:assert/strict";
import fc from "fast-check";

const NAMES = ["A", "B", "C", "D", "E"] as const;
const reference = fc.constantFrom(...NAMES).map((name) => ({ $ref: `#/${name}` }));
const leaf = fc.constantFrom<object>(
  {},
  { type: "string" },
  { type: ["integer", "null"] },
  { enum: [1, "a"] },
  { properties: {} },
);
const part = fc.oneof(reference, reference, leaf);
const parts = fc.array(part, { minLength: 1, maxLength: 3 });
const schema = fc.oneof(
  reference,
  parts.map((allOf) => ({ allOf })),
  parts.map((anyOf) => ({ anyOf })),
  fc.tuple(parts, parts).map(([allOf, oneOf]) => ({ allOf, oneOf })),
  fc.tuple(part, part).map(([then, other]) => ({ if: {}, then, else: other })),
);

Deno.test("the types of recursive schemas are the same in any order of calls", () => {
  let circles = 0;
  fc.assert(
    fc.property(fc.tuple(schema, schema, schema, schema, schema), (schemas) => {
      const described = Object.fromEntries(
        NAMES.map((name, index) => [name, schemas[index] ?? {}]),
      );
      const askedFirst = NAMES.map((name) => typesOfSchema(schemasIn(described)(name)));
      for (const first of NAMES) {
        const at = schemasIn(described);
        typesOfSchema(at(first));
        assert.deepEqual(NAMES.map((name) => typesOfSchema(at(name))), askedFirst, first);
      }
      if (/"#\/A".*"#\/A"/s.test(JSON.stringify(described))) circles++;
    }),
    { numRuns: 500 },
  );
  assert.ok(circles > 100);
});

Deno.test("each schema of a cycle has the types that all of them name", () => {
  const at = schemasIn({
    A: { allOf: [{ $ref: "#/B" }, { type: "string" }] },
    B: { anyOf: [{ $ref: "#/A" }, { type: "integer" }] },
    C: { anyOf: [{ $ref: "#/D" }, { $ref: "#/E" }] },
    D: { anyOf: [{ $ref: "#/C" }, { type: "null" }] },
    E: { anyOf: [{ $ref: "#/C" }, { type: "string" }] },
  });
  assert.deepEqual(["A", "B"].map((name) => typesOfSchema(at(name))), [
    STRING,
    STRING | jsonType(1),
  ]);
  assert.deepEqual(["C", "D", "E"].map((name) => typesOfSchema(at(name))), [
    STRING | NULL,
    STRING | NULL,
    STRING | NULL,
  ]);
});

Deno.test("the types of a long chain or a long cycle are found", () => {
  const long = (length: number, end: object): Record<string, object> =>
    Object.fromEntries(
      Array.from({ length }, (_, index) => [
        `S${index}`,
        index === length - 1 ? end : { $ref: `#/S${index + 1}` },
      ]),
    );
  const chain = schemasIn(long(3000, { type: "string" }));
  assert.deepEqual([typesOfSchema(chain("S0")), typesOfSchema(chain("S2000"))], [STRING, STRING]);
  const circle = schemasIn(long(3000, { anyOf: [{ $ref: "#/S0" }, { type: "null" }] }));
  assert.deepEqual([typesOfSchema(circle("S0")), typesOfSchema(circle("S2000"))], [NULL, NULL]);
});

const INTEGER = jsonType(1);
const NUMBER = typeMask("number");
const TEXT = { type: "string" };
const NUMERIC = { type: "number" };
const BRANCHES = { if: {}, then: { type: "string" }, else: { type: "null" } };

/** Schemas and the types that they name, by the name of the test. */
const NAMED: Readonly<Record<string, readonly (readonly [object, number, Dialect?])[]>> = {
  "type alone decides if it is there": [
    [{ type: "string", enum: [1] }, STRING],
    [{ type: ["object", "null"] }, OBJECT | NULL],
    [{ type: "string", nullable: true }, STRING | NULL, OPENAPI_3_0_SCHEMA],
  ],
  "const and enum name the types of their values, const first": [
    [{ enum: ["a", 1] }, STRING | INTEGER],
    [{ enum: ["a", 1], const: 1 }, INTEGER],
    [{ enum: ["a", 1], const: 1 }, STRING | INTEGER, DRAFT_04],
    [{ enum: "a" }, 0],
  ],
  "properties and items name types only if nothing else does": [
    [{ properties: {}, items: {} }, OBJECT | ARRAY],
    [{ properties: {}, enum: [null] }, NULL],
    [{ items: [{}] }, 0],
    [{ items: [{}] }, ARRAY, DRAFT_04],
    [{ items: true }, ARRAY],
    [{ items: true }, 0, DRAFT_04],
  ],
  "all schemas of allOf narrow the types; one of anyOf or oneOf is enough": [
    [{ allOf: [{ type: ["string", "null"] }, TEXT] }, STRING],
    [{ anyOf: [TEXT, NUMERIC] }, STRING | NUMBER],
    [{ oneOf: [TEXT, {}] }, STRING],
    [{ allOf: [TEXT, NUMERIC] }, STRING | NUMBER],
  ],
  "then, else and dependent schemas are used last": [
    [BRANCHES, STRING | NULL],
    [{ ...BRANCHES, properties: {} }, OBJECT],
  ],
  "a schema without a hint names no types": [[{ minLength: 1 }, 0]],
};

for (const [sentence, cases] of Object.entries(NAMED)) {
  Deno.test(sentence, () => {
    for (const [schema, types, dialect] of cases) {
      assert.equal(typesOfSchema(asSchema(schema, dialect)), types, JSON.stringify(schema));
    }
  });
}

Deno.test("references are followed, and one that leads back to itself names no types", () => {
  const at = schemasIn({
    Name: { $ref: "#/Text" },
    Text: { type: "string" },
    Loop: { $ref: "#/Back" },
    Back: { anyOf: [{ $ref: "#/Loop" }, { type: "null" }] },
  });
  assert.equal(typesOfSchema(at("Name")), STRING);
  assert.equal(typesOfSchema(at("Loop")), NULL);
  assert.equal(typesOfSchema(at("Back")), NULL);
});

Deno.test("a boolean or missing schema names no types", () => {
  assert.equal(typesOfSchema(true), 0);
  assert.equal(typesOfSchema(undefined), 0);
});
