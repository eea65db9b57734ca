// Tests that properties which clients should not send don't count, wherever they are (semantics, section 4).
import assert from "node:assert/strict";
import { isNotSent } from "../../src/schema/read_only_write_only.ts";
import { countsIn } from "../json_body.ts";
import { schemasIn } from "./schemas_in.ts";

const BASE = { required: ["id", "name"], properties: { name: { type: "string" } } };
const READ_ONLY_ID = { properties: { id: { readOnly: true } } };
const DERIVED = { allOf: [{ $ref: "#/components/schemas/Base" }, READ_ONLY_ID] };

/** Counts of all keywords after one body was sent. */
const countsAfter = (schema: object, value: unknown) => countsIn(schema, { Base: BASE }, [value]);

Deno.test("a readOnly property that is sent doesn't affect the schema around it", () => {
  const id = { readOnly: true, type: "integer" };
  for (
    const [keyword, schema] of [
      ["properties", { properties: { id } }],
      ["patternProperties", { patternProperties: { "^i": id } }],
      ["additionalProperties", { additionalProperties: id }],
      ["unevaluatedProperties", { unevaluatedProperties: id }],
    ] as const
  ) {
    const counts = countsAfter({ anyOf: [schema] }, { id: "x" });
    assert.deepEqual(counts, countsAfter({ anyOf: [schema] }, {}), keyword);
  }
});

Deno.test("a property is readOnly through references and allOf at any depth", () => {
  const readOnly = { readOnly: true, type: "integer" };
  for (const id of [{ allOf: [readOnly] }, { allOf: [{ allOf: [{}, readOnly] }] }]) {
    assert.deepEqual(countsAfter({ properties: { id } }, { id: "x" }), { properties: [0, 0] });
  }
  const anyOf = { anyOf: [readOnly] };
  assert.deepEqual(countsAfter({ properties: { id: anyOf } }, { id: "x" })["properties"], [0, 1]);
});

Deno.test("a readOnly property that is sent doesn't hide a failure of another property", () => {
  const properties = { id: { readOnly: true, type: "integer" }, name: { type: "string" } };
  assert.deepEqual(countsAfter({ properties }, { id: "x", name: 1 }), {
    properties: [0, 1],
    "properties/name/type": [0, 1],
  });
});

for (
  const [name, around, open] of [
    ["oneOf", { oneOf: [DERIVED] }, true],
    ["anyOf", { anyOf: [false, DERIVED] }, true],
    ["then", { if: true, then: DERIVED }, true],
    ["else", { if: false, else: DERIVED }, true],
    ["dependentSchemas", { dependentSchemas: { name: DERIVED } }, true],
    ["oneOf in allOf", { allOf: [{ oneOf: [{ allOf: [DERIVED] }] }] }, true],
    ["the other branch of oneOf", {
      oneOf: [{ $ref: "#/components/schemas/Base" }, { type: "string", ...READ_ONLY_ID }],
    }, false],
  ] as const
) {
  Deno.test(`a component that ${name} composes with a readOnly property ${open ? "does not require" : "requires"} it`, () => {
    const counts = countsAfter(around, { name: "x" });
    assert.deepEqual(counts["Base/required"], open ? [1, 0] : [0, 1]);
  });
}

Deno.test("required beside a readOnly property in the same branch doesn't require it", () => {
  const branch = { allOf: [{ required: ["id"] }, READ_ONLY_ID] };
  const counts = countsAfter({ oneOf: [branch] }, {});
  assert.deepEqual(counts["oneOf/0/allOf/0/required"], [1, 0]);
});

Deno.test("a property is readOnly at the end of a long chain, and in a cycle", () => {
  const length = 20_000;
  const chainTo = (end: object): Record<string, object> =>
    Object.fromEntries(
      Array.from({ length }, (_, index) => {
        const next = { $ref: `#/S${index + 1}` };
        return [
          `S${index}`,
          index === length - 1 ? end : index % 2 === 0 ? next : { allOf: [{}, next] },
        ];
      }),
    );
  for (
    const [end, expected] of [
      [{ readOnly: true }, true],
      [{ allOf: [{ $ref: "#/S0" }, { readOnly: true }] }, true],
      [{ allOf: [{ $ref: "#/S0" }, { readOnly: false }] }, false],
      [{ anyOf: [{ readOnly: true }] }, false],
    ] as const
  ) {
    const at = schemasIn(chainTo(end));
    for (const name of ["S0", "S19999", "S10000"]) {
      assert.equal(isNotSent(at(name)), expected, `${name}, ${JSON.stringify(end)}`);
    }
  }
});
