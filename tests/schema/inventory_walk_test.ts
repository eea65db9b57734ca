import assert from "node:assert/strict";
import { InventoryWalk } from "../../src/schema/inventory_walk.ts";
import { SchemaJudge } from "../../src/schema/judge.ts";
import type { SchemaNode } from "../../src/schema/schema_node.ts";
import { JSON_POSITION, STRING_POSITION } from "../../src/values/position.ts";
import { asSchema, schemasIn } from "./schemas_in.ts";

function walk(node: SchemaNode, position = JSON_POSITION) {
  return new InventoryWalk(new SchemaJudge()).walk(node, position);
}

Deno.test("a walk ends in recursive schemas", () => {
  const { keywords, references } = walk(asSchema({ required: ["a"], items: { $ref: "#/Schema" } }));
  assert.deepEqual(keywords.map(({ keyword }) => keyword), ["required", "items"]);
  assert.deepEqual(
    [...references].map(([from, to]) => [from.pointer, to.pointer]),
    [["/Schema/items", "/Schema"]],
  );
});

Deno.test("a schema that is reached twice lists its examples once", () => {
  const at = schemasIn({
    Pair: { properties: { a: { $ref: "#/Name" }, b: { $ref: "#/Name" } } },
    Name: { examples: ["x"] },
  });
  assert.deepEqual(walk(at("Pair")).examples.map(({ schema_path }) => schema_path), [
    "/Name/examples/0",
  ]);
});

Deno.test("a keyword that can pass in one position and fail in another is Normal", () => {
  const at = schemasIn({
    Pair: { properties: { text: { $ref: "#/Name" } }, propertyNames: { $ref: "#/Name" } },
    Name: { type: "string" },
  });
  const type = walk(at("Pair")).keywords.find(({ keyword }) => keyword === "type");
  assert.equal(type?.satisfiability, "Normal");
  const name = walk(at("Name"), STRING_POSITION).keywords.map((one) => one.satisfiability);
  assert.deepEqual(name, ["Positive"]);
});

Deno.test("chains of references longer than the stack are walked", () => {
  const length = 20_000;
  const schemas = Object.fromEntries(
    Array.from({ length }, (_, index) => [`S${index}`, { items: { $ref: `#/S${index + 1}` } }]),
  );
  const { keywords } = walk(schemasIn({ ...schemas, [`S${length}`]: { minItems: 1 } })("S0"));
  assert.equal(keywords.length, length + 1);
});
