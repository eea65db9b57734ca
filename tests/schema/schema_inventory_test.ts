import assert from "node:assert/strict";
import { SchemaInventory } from "../../src/schema/schema_inventory.ts";
import type { SchemaNode } from "../../src/schema/schema_node.ts";
import { ARRAY, NUMBER } from "../../src/values/json_type.ts";
import {
  JSON_POSITION,
  NOWHERE,
  type Position,
  STRING_POSITION,
} from "../../src/values/position.ts";
import { asSchema, schemasIn } from "./schemas_in.ts";

function listed(node: SchemaNode, positions: readonly Position[] = [JSON_POSITION]): string[] {
  return new SchemaInventory().list(node, positions).keywords.map(
    ({ schema_path, satisfiability }) => `${schema_path} ${satisfiability}`,
  );
}

Deno.test("an inventory lists each keyword once by its pointer, in the order of references", () => {
  const schemas = schemasIn({
    Pair: { properties: { a: { $ref: "#/Name" }, b: { $ref: "#/Name" } }, required: ["a"] },
    Name: { minLength: 1, pattern: "^" },
  });
  assert.deepEqual(listed(schemas("Pair")), [
    ...["/Pair/properties Normal", "/Name/minLength Normal", "/Name/pattern Positive"],
    "/Pair/required Normal",
  ]);
});

Deno.test("totals count the Normal keywords and the examples of the list", () => {
  const at = schemasIn({
    Tree: {
      default: {},
      minProperties: 0,
      maxProperties: 2,
      properties: { left: { $ref: "#/Tree" }, right: { $ref: "#/Leaf" } },
    },
    Leaf: { enum: [1, 2], examples: [1, 2] },
  });
  for (const positions of [[JSON_POSITION], [JSON_POSITION, STRING_POSITION]]) {
    const listed = new SchemaInventory().list(at("Tree"), positions);
    const normal = listed.keywords.filter(({ satisfiability }) => satisfiability === "Normal");
    assert.deepEqual(new SchemaInventory().totals(at("Tree"), positions), {
      keywords: normal.length,
      causes: 2, // those of Tree and Leaf except `properties`
      examples: listed.examples.length,
      properties: 2,
    });
    assert.deepEqual([normal.length, listed.examples.length], [3, 3]);
  }
});

Deno.test("a keyword is Normal if one of several positions lets it pass and fail", () => {
  const schema = { minimum: 1, minLength: 1 };
  assert.deepEqual(listed(asSchema(schema), [STRING_POSITION]), [
    "/Schema/minimum Positive",
    "/Schema/minLength Normal",
  ]);
  assert.deepEqual(listed(asSchema(schema), [STRING_POSITION, JSON_POSITION]), [
    "/Schema/minimum Normal",
    "/Schema/minLength Normal",
  ]);
});

Deno.test("contains can pass if an item at any index can", () => {
  const items = [STRING_POSITION, { ...STRING_POSITION, types: NUMBER }];
  const list: Position = {
    ...{ ...STRING_POSITION, types: ARRAY, tupleLength: 1 },
    item: (index) => items[Math.min(index, 1)] ?? NOWHERE,
  };
  const containsNo = (type: string | string[]) =>
    listed(asSchema({ contains: { not: { type } } }), [list])[0];
  assert.equal(containsNo("string"), "/Schema/contains Normal");
  assert.equal(containsNo("number"), "/Schema/contains Normal");
  assert.equal(containsNo(["string", "number"]), "/Schema/contains Negative");
});

Deno.test("nothing is listed without a schema, for a boolean schema, or without a position", () => {
  const inventory = new SchemaInventory();
  assert.deepEqual(inventory.list(undefined, [JSON_POSITION]).keywords, []);
  assert.deepEqual(inventory.list(true, [JSON_POSITION]).keywords, []);
  assert.deepEqual(inventory.list(asSchema({ minLength: 1 }), []).keywords, []);
  assert.deepEqual(inventory.totals(asSchema({ minLength: 1 }), []), {
    keywords: 0,
    causes: 0,
    examples: 0,
    properties: 0,
  });
});
