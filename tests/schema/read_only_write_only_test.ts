// What clients should not send counts nowhere, wherever it stands (semantics, section 4).
import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { isUnsent } from "../../src/schema/read_only_write_only.ts";
import { assertPossibleCounts } from "../corpus/impossible_counts.ts";
import { schemasOf } from "./schemas_of.ts";
import { apiOf } from "../api_of.ts";

const BASE = { required: ["id", "name"], properties: { name: { type: "string" } } };
const READ_ONLY_ID = { properties: { id: { readOnly: true } } };
const DERIVED = { allOf: [{ $ref: "#/components/schemas/Base" }, READ_ONLY_ID] };

/** What the keywords count after a body was sent, by the end of their pointers. */
function countsOf(schema: object, value: unknown): Record<string, readonly [number, number]> {
  const map = CoverageMap.fromDict(apiOf({
    "/things": {
      post: { requestBody: { content: { "application/json": { schema } } }, responses: {} },
    },
  }, { components: { schemas: { Base: BASE } } }));
  map.record({
    method: "POST",
    url: "/things",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(value),
  });
  const report = map.report();
  assertPossibleCounts(report);
  const keywords = report.operations[0]?.parameters[0]?.keywords ?? [];
  return Object.fromEntries(
    keywords.map(({ schema_path, valid, invalid }) => [
      schema_path.replace(/^.*~1json\/schema\//, "").replace("/components/schemas/", ""),
      [valid, invalid],
    ]),
  );
}

Deno.test("a readOnly property that is sent changes nothing for the schema around it", () => {
  const id = { readOnly: true, type: "integer" };
  for (
    const [keyword, schema] of [
      ["properties", { properties: { id } }],
      ["patternProperties", { patternProperties: { "^i": id } }],
      ["additionalProperties", { additionalProperties: id }],
      ["unevaluatedProperties", { unevaluatedProperties: id }],
    ] as const
  ) {
    const counts = countsOf({ anyOf: [schema] }, { id: "x" });
    assert.deepEqual(counts, { anyOf: [1, 0], [`anyOf/0/${keyword}`]: [1, 0] }, keyword);
  }
});

Deno.test("a property is readOnly through references and allOf, however deep", () => {
  const readOnly = { readOnly: true, type: "integer" };
  for (const id of [{ allOf: [readOnly] }, { allOf: [{ allOf: [{}, readOnly] }] }]) {
    assert.deepEqual(countsOf({ properties: { id } }, { id: "x" }), { properties: [1, 0] });
  }
  const anyOf = { anyOf: [readOnly] };
  assert.deepEqual(countsOf({ properties: { id: anyOf } }, { id: "x" })["properties"], [0, 1]);
});

Deno.test("a sent readOnly property doesn't hide a failure of the property next to it", () => {
  const properties = { id: { readOnly: true, type: "integer" }, name: { type: "string" } };
  assert.deepEqual(countsOf({ properties }, { id: "x", name: 1 }), {
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
    const counts = countsOf(around, { name: "x" });
    assert.deepEqual(counts["Base/required"], open ? [1, 0] : [0, 1]);
  });
}

Deno.test("required next to a branch's readOnly property doesn't demand it", () => {
  const branch = { allOf: [{ required: ["id"] }, READ_ONLY_ID] };
  const counts = countsOf({ oneOf: [branch] }, {});
  assert.deepEqual(counts["oneOf/0/allOf/0/required"], [1, 0]);
});

Deno.test("a property is readOnly at the end of however long a chain, and in a circle", () => {
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
    const at = schemasOf(chainTo(end));
    for (const name of ["S0", "S19999", "S10000"]) {
      assert.equal(isUnsent(at(name)), expected, `${name}, ${JSON.stringify(end)}`);
    }
  }
});
