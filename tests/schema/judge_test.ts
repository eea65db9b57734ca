import assert from "node:assert/strict";
import { DRAFT_07 } from "../../src/schema/dialect.ts";
import { SchemaJudge } from "../../src/schema/judge.ts";
import type { SchemaNode } from "../../src/schema/schema_node.ts";
import { JSON_POSITION, type Position, STRING_POSITION } from "../../src/values/position.ts";
import { schemaOf, schemasOf } from "./schemas_of.ts";

function judged(node: SchemaNode, position: Position = JSON_POSITION): string {
  const judge = new SchemaJudge();
  const can = [judge.canPass(node, position) && "pass", judge.canFail(node, position) && "fail"];
  return can.filter((word) => word !== false).join(", ");
}

Deno.test("a schema without keywords can only pass, one that admits no value only fail", () => {
  assert.equal(judged(schemaOf({})), "pass");
  assert.equal(judged(schemaOf({ description: "Anything" })), "pass");
  assert.equal(judged(schemaOf({ enum: [] })), "fail");
  assert.equal(judged(schemaOf({ not: {} })), "fail");
  assert.equal(judged(schemaOf({ type: "string" })), "pass, fail");
});

Deno.test("a boolean schema passes or fails for every value", () => {
  const judge = new SchemaJudge();
  assert.deepEqual([judge.canPass(true, JSON_POSITION), judge.canFail(true, JSON_POSITION)], [
    true,
    false,
  ]);
  assert.deepEqual([judge.canPass(false, JSON_POSITION), judge.canFail(false, JSON_POSITION)], [
    false,
    true,
  ]);
});

Deno.test("a schema can fail where one of its parts can", () => {
  assert.equal(judged(schemaOf({ properties: { a: {} } })), "pass");
  assert.equal(judged(schemaOf({ properties: { a: { minLength: 1 } } })), "pass, fail");
  assert.equal(judged(schemaOf({ anyOf: [{}, { minLength: 1 }] })), "pass");
  assert.equal(judged(schemaOf({ allOf: [{}, { enum: [] }] })), "fail");
});

Deno.test("dependencies can fail only where a list has names or a schema can fail", () => {
  const dependencies = (of: object) =>
    judged(schemasOf({ Root: { dependencies: of } }, DRAFT_07)("Root"));
  for (const never of [{}, { a: [] }, { a: [], b: {}, c: true }]) {
    assert.equal(dependencies(never), "pass", JSON.stringify(never));
  }
  for (const some of [{ a: ["b"] }, { a: [], b: { minimum: 1 } }, { a: false }]) {
    assert.equal(dependencies(some), "pass, fail", JSON.stringify(some));
  }
});

Deno.test("a schema that leads back to itself can fail only where something else in it can", () => {
  const loop = { properties: { next: { $ref: "#/Loop" } } };
  const schemas = schemasOf({ Loop: loop, Limited: { ...loop, maxProperties: 1 } });
  assert.equal(judged(schemas("Loop")), "pass");
  assert.equal(judged(schemas("Limited")), "pass, fail");
});

Deno.test("two schemas that refer to each other are judged alike, whichever is asked first", () => {
  const schemas = { A: { items: { $ref: "#/B" } }, B: { items: { $ref: "#/A" }, maxItems: 3 } };
  for (const order of [["A", "B"], ["B", "A"]]) {
    const at = schemasOf(schemas);
    const judge = new SchemaJudge();
    assert.deepEqual(order.map((name) => judge.canFail(at(name), JSON_POSITION)), [true, true]);
  }
});

Deno.test("a keyword that no value at a position is made for cannot fail there", () => {
  assert.equal(judged(schemaOf({ minimum: 3 }), STRING_POSITION), "pass");
  assert.equal(judged(schemaOf({ type: "string" }), STRING_POSITION), "pass");
  assert.equal(judged(schemaOf({ minLength: 3 }), STRING_POSITION), "pass, fail");
});

Deno.test("a schema that negates itself is taken to do both", () => {
  const judge = new SchemaJudge();
  const node = schemaOf({ not: { $ref: "#/Schema" } });
  const child = node.child("not", true);
  assert.ok(child !== undefined);
  assert.equal(judge.negation(child, node, JSON_POSITION), "Normal");
});

Deno.test("oneOf can't fail where one alternative can't, and none of the others can pass", () => {
  assert.equal(judged(schemaOf({ oneOf: [{}, { enum: [] }] })), "pass");
  assert.equal(judged(schemaOf({ oneOf: [{ enum: [] }, { not: {} }, {}] })), "pass");
  assert.equal(judged(schemaOf({ oneOf: [{}, {}] })), "pass, fail");
  assert.equal(judged(schemaOf({ oneOf: [{ type: "string" }, { enum: [] }] })), "pass, fail");
  assert.equal(judged(schemaOf({ oneOf: [{ not: {} }, { enum: [] }] })), "fail");
});

Deno.test("oneOf is judged alike in a circle, whichever schema is asked first", () => {
  const none = { allOf: [{ $ref: "#/Open" }, { enum: [] }] };
  const schemas = {
    Open: { properties: { next: { $ref: "#/Choice" } }, contains: { $ref: "#/None" } },
    None: none,
    Choice: { oneOf: [{ items: { $ref: "#/Choice" } }, { $ref: "#/None" }] },
    Deep: { oneOf: [{ oneOf: [{ $ref: "#/None" }, { contains: { $ref: "#/Deep" } }] }, none] },
  };
  const names = Object.keys(schemas);
  for (const order of [names, names.toReversed()]) {
    const at = schemasOf(schemas);
    const judge = new SchemaJudge();
    const found = order.map((name) =>
      `${name} ${judge.canPass(at(name), JSON_POSITION)} ${judge.canFail(at(name), JSON_POSITION)}`
    );
    assert.deepEqual(found.sort(), [
      ...["Choice true false", "Deep true true", "None false true", "Open true true"],
    ]);
  }
});
