import fc from "fast-check";
import assert from "node:assert/strict";
import { typesOfSchema } from "../../src/schema/types_of_schema.ts";
import { NULL, STRING, typeOf } from "../../src/values/json_type.ts";
import { schemasOf } from "./schemas_of.ts";

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

Deno.test("the types of schemas that lead back to themselves don't depend on which is asked first", () => {
  let circles = 0;
  fc.assert(
    fc.property(fc.tuple(schema, schema, schema, schema, schema), (schemas) => {
      const described = Object.fromEntries(
        NAMES.map((name, index) => [name, schemas[index] ?? {}]),
      );
      const askedFirst = NAMES.map((name) => typesOfSchema(schemasOf(described)(name)));
      for (const first of NAMES) {
        const at = schemasOf(described);
        typesOfSchema(at(first));
        assert.deepEqual(NAMES.map((name) => typesOfSchema(at(name))), askedFirst, first);
      }
      if (/"#\/A".*"#\/A"/s.test(JSON.stringify(described))) circles++;
    }),
    { numRuns: 2000 },
  );
  assert.ok(circles > 100);
});

Deno.test("each schema of a circle has what all of them name together", () => {
  const at = schemasOf({
    A: { allOf: [{ $ref: "#/B" }, { type: "string" }] },
    B: { anyOf: [{ $ref: "#/A" }, { type: "integer" }] },
    C: { anyOf: [{ $ref: "#/D" }, { $ref: "#/E" }] },
    D: { anyOf: [{ $ref: "#/C" }, { type: "null" }] },
    E: { anyOf: [{ $ref: "#/C" }, { type: "string" }] },
  });
  assert.deepEqual(["A", "B"].map((name) => typesOfSchema(at(name))), [STRING, STRING | typeOf(1)]);
  assert.deepEqual(["C", "D", "E"].map((name) => typesOfSchema(at(name))), [
    STRING | NULL,
    STRING | NULL,
    STRING | NULL,
  ]);
});

Deno.test("the types of a long chain, and of a long circle, are those of their ends", () => {
  const long = (length: number, end: object): Record<string, object> =>
    Object.fromEntries(
      Array.from({ length }, (_, index) => [
        `S${index}`,
        index === length - 1 ? end : { $ref: `#/S${index + 1}` },
      ]),
    );
  const chain = schemasOf(long(3000, { type: "string" }));
  assert.deepEqual([typesOfSchema(chain("S0")), typesOfSchema(chain("S2000"))], [STRING, STRING]);
  const circle = schemasOf(long(3000, { anyOf: [{ $ref: "#/S0" }, { type: "null" }] }));
  assert.deepEqual([typesOfSchema(circle("S0")), typesOfSchema(circle("S2000"))], [NULL, NULL]);
});
