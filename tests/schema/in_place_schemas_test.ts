import { type Dialect, DRAFT_04, DRAFT_07, DRAFT_2020_12 } from "../../src/schema/dialect.ts";
import {
  conditionalSchemas,
  IN_PLACE_LISTS,
  memberSchemas,
} from "../../src/schema/in_place_schemas.ts";
import type { SchemaNode } from "../../src/schema/schema_node.ts";
import { optionalOverrides } from "../../src/schema/optional_overrides.ts";
import { asSchema, schemasIn } from "./schemas_in.ts";
import assert from "node:assert/strict";

function pointers(nodes: readonly SchemaNode[]): string[] {
  return nodes.map(({ pointer }) => pointer.replace("/Schema", ""));
}

Deno.test("IN_PLACE_LISTS has the keywords that apply a list of schemas in place", () =>
  assert.deepEqual(IN_PLACE_LISTS, ["allOf", "anyOf", "oneOf"]));

Deno.test("memberSchemas() returns the object schemas of a list", () => {
  const node = asSchema({ allOf: [{}, true, { type: "string" }], anyOf: {} });
  assert.deepEqual(pointers(memberSchemas(node, "allOf")), ["/allOf/0", "/allOf/2"]);
  assert.deepEqual(memberSchemas(node, "anyOf"), []);
});

Deno.test("conditionalSchemas() follows the dialect: then and else need if, dependencies end with draft 7", () => {
  const schema = {
    if: {},
    then: {},
    dependencies: { a: {}, b: ["a"] },
    dependentSchemas: { a: {} },
  };
  const found = (dialect: Dialect) => pointers(conditionalSchemas(asSchema(schema, dialect)));
  assert.deepEqual(found(DRAFT_2020_12), ["/if", "/then", "/dependentSchemas/a"]);
  assert.deepEqual(found(DRAFT_07), ["/if", "/then", "/dependencies/a"]);
  assert.deepEqual(found(DRAFT_04), ["/dependencies/a"]);
  assert.deepEqual(conditionalSchemas(asSchema({ then: {}, else: {} })), []);
});

Deno.test("a required name is optional if a schema that refers here declares it readOnly", () => {
  const id = { properties: { id: { readOnly: true } } };
  for (
    const required of [
      { required: ["id"] },
      ...IN_PLACE_LISTS.map((keyword) => ({ [keyword]: [{ required: ["id"] }] })),
      ...["not", "if", "then", "else"]
        .map((keyword) => ({ if: {}, [keyword]: { required: ["id"] } })),
      { dependentSchemas: { a: { required: ["id"] } } },
    ]
  ) {
    const at = schemasIn({ Base: required, From: { ...id, $ref: "#/Base" } });
    assert.deepEqual(
      [...optionalOverrides(at("Base"), at("From"))],
      ["id"],
      JSON.stringify(required),
    );
  }
  const dependent = schemasIn({
    Base: { dependencies: { a: { required: ["id"] } } },
    From: { ...id, allOf: [{ $ref: "#/Base" }] },
  }, DRAFT_07);
  const [member] = memberSchemas(dependent("From"), "allOf");
  assert.ok(member !== undefined);
  assert.deepEqual([...optionalOverrides(dependent("Base"), member)], ["id"]);
  const below = schemasIn({
    Base: { properties: { a: { required: ["id"] } } },
    From: { ...id, $ref: "#/Base" },
  });
  assert.deepEqual([...optionalOverrides(below("Base"), below("From"))], []);
});
