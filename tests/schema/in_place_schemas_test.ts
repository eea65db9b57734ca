import assert from "node:assert/strict";
import { DRAFT_04, DRAFT_07, DRAFT_2020_12 } from "../../src/schema/dialect.ts";
import { branchesOf, IN_PLACE, membersOf } from "../../src/schema/in_place_schemas.ts";
import type { SchemaNode } from "../../src/schema/schema_node.ts";
import { waivedNames } from "../../src/schema/waived_names.ts";
import { schemaOf, schemasOf } from "./schemas_of.ts";

function pointers(nodes: readonly SchemaNode[]): string[] {
  return nodes.map(({ pointer }) => pointer.replace("/Schema", ""));
}

Deno.test("keywords that apply in place are known by the form of their values", () => {
  assert.deepEqual(IN_PLACE, {
    lists: ["allOf", "anyOf", "oneOf"],
    schemas: ["not", "if", "then", "else"],
    maps: ["dependentSchemas", "dependencies"],
  });
});

Deno.test("membersOf() gives the schemas of a list that are objects", () => {
  const node = schemaOf({ allOf: [{}, true, { type: "string" }], anyOf: {} });
  assert.deepEqual(pointers(membersOf(node, "allOf")), ["/allOf/0", "/allOf/2"]);
  assert.deepEqual(membersOf(node, "anyOf"), []);
});

Deno.test("branchesOf() gives what the dialect has: then and else with if, dependencies until draft 7", () => {
  const schema = {
    if: {},
    then: {},
    dependencies: { a: {}, b: ["a"] },
    dependentSchemas: { a: {} },
  };
  assert.deepEqual(pointers(branchesOf(schemaOf(schema, DRAFT_2020_12))), [
    "/if",
    "/then",
    "/dependentSchemas/a",
  ]);
  assert.deepEqual(pointers(branchesOf(schemaOf(schema, DRAFT_07))), [
    "/if",
    "/then",
    "/dependencies/a",
  ]);
  assert.deepEqual(pointers(branchesOf(schemaOf(schema, DRAFT_04))), ["/dependencies/a"]);
  assert.deepEqual(branchesOf(schemaOf({ then: {}, else: {} })), []);
});

Deno.test("a name that a schema requires in place is waived where a referring schema declares it readOnly", () => {
  const id = { properties: { id: { readOnly: true } } };
  for (
    const required of [
      { required: ["id"] },
      ...IN_PLACE.lists.map((keyword) => ({ [keyword]: [{ required: ["id"] }] })),
      ...IN_PLACE.schemas.map((keyword) => ({ if: {}, [keyword]: { required: ["id"] } })),
      ...IN_PLACE.maps.map((keyword) => ({ [keyword]: { a: { required: ["id"] } } })),
    ]
  ) {
    const at = schemasOf({ Base: required, From: { ...id, $ref: "#/Base" } });
    assert.deepEqual([...waivedNames(at("Base"), at("From"))], ["id"], JSON.stringify(required));
  }
  const below = schemasOf({
    Base: { properties: { a: { required: ["id"] } } },
    From: { ...id, $ref: "#/Base" },
  });
  assert.deepEqual([...waivedNames(below("Base"), below("From"))], []);
});
