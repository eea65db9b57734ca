import assert from "node:assert/strict";
import { DRAFT_07 } from "../../src/schema/dialect.ts";
import { SchemaJudge } from "../../src/schema/judge.ts";
import type { SchemaNode } from "../../src/schema/schema_node.ts";
import { JSON_POSITION, type Position, STRING_POSITION } from "../../src/values/position.ts";
import { asSchema, schemasIn } from "./schemas_in.ts";

function judged(node: SchemaNode | boolean, position: Position = JSON_POSITION): string {
  const judge = new SchemaJudge();
  const can = [judge.canPass(node, position) && "pass", judge.canFail(node, position) && "fail"];
  return can.filter((word) => word !== false).join(", ");
}

/** Schemas with the outcomes that values can cause, by the name of the test. */
const JUDGED: Readonly<Record<string, readonly (readonly [object, string, Position?])[]>> = {
  "a schema without keywords can only pass, and one that admits no value can only fail": [
    [{}, "pass"],
    [{ description: "Anything" }, "pass"],
    [{ enum: [] }, "fail"],
    [{ not: {} }, "fail"],
    [{ type: "string" }, "pass, fail"],
  ],
  "a schema can fail if one of its parts can": [
    [{ properties: { a: {} } }, "pass"],
    [{ properties: { a: { minLength: 1 } } }, "pass, fail"],
    [{ anyOf: [{}, { minLength: 1 }] }, "pass"],
    [{ allOf: [{}, { enum: [] }] }, "fail"],
  ],
  "a keyword can't fail at a position that has no values it applies to": [
    [{ minimum: 3 }, "pass", STRING_POSITION],
    [{ type: "string" }, "pass", STRING_POSITION],
    [{ minLength: 3 }, "pass, fail", STRING_POSITION],
  ],
  "oneOf can't fail if one alternative can't fail and no other can pass": [
    [{ oneOf: [{}, { enum: [] }] }, "pass"],
    [{ oneOf: [{ enum: [] }, { not: {} }, {}] }, "pass"],
    [{ oneOf: [{}, {}] }, "pass, fail"],
    [{ oneOf: [{ type: "string" }, { enum: [] }] }, "pass, fail"],
    [{ oneOf: [{ not: {} }, { enum: [] }] }, "fail"],
  ],
};

for (const [sentence, cases] of Object.entries(JUDGED)) {
  Deno.test(sentence, () => {
    for (const [schema, can, position] of cases) {
      assert.equal(judged(asSchema(schema), position), can, JSON.stringify(schema));
    }
  });
}

Deno.test("a boolean schema always passes or always fails", () => {
  assert.equal(judged(true), "pass");
  assert.equal(judged(false), "fail");
});

Deno.test("dependencies can fail only if a list has names or a schema can fail", () => {
  const dependencies = (of: object) =>
    judged(schemasIn({ Root: { dependencies: of } }, DRAFT_07)("Root"));
  for (const never of [{}, { a: [] }, { a: [], b: {}, c: true }]) {
    assert.equal(dependencies(never), "pass", JSON.stringify(never));
  }
  for (const some of [{ a: ["b"] }, { a: [], b: { minimum: 1 } }, { a: false }]) {
    assert.equal(dependencies(some), "pass, fail", JSON.stringify(some));
  }
});

Deno.test("a recursive schema can fail only if one of its other keywords can", () => {
  const loop = { properties: { next: { $ref: "#/Loop" } } };
  const schemas = schemasIn({ Loop: loop, Limited: { ...loop, maxProperties: 1 } });
  assert.equal(judged(schemas("Loop")), "pass");
  assert.equal(judged(schemas("Limited")), "pass, fail");
});

Deno.test("two schemas that refer to each other are judged the same in any order", () => {
  const schemas = { A: { items: { $ref: "#/B" } }, B: { items: { $ref: "#/A" }, maxItems: 3 } };
  for (const order of [["A", "B"], ["B", "A"]]) {
    const at = schemasIn(schemas);
    const judge = new SchemaJudge();
    assert.deepEqual(order.map((name) => judge.canFail(at(name), JSON_POSITION)), [true, true]);
  }
});

Deno.test("a schema that negates itself is assumed to pass and fail", () => {
  const judge = new SchemaJudge();
  const node = asSchema({ not: { $ref: "#/Schema" } });
  const child = node.child("not", true);
  assert.ok(child !== undefined);
  assert.equal(judge.negation(child, node, JSON_POSITION), "Normal");
});

Deno.test("oneOf in a cycle is judged the same in any order", () => {
  const none = { allOf: [{ $ref: "#/Open" }, { enum: [] }] };
  const schemas = {
    Open: { properties: { next: { $ref: "#/Choice" } }, contains: { $ref: "#/None" } },
    None: none,
    Choice: { oneOf: [{ items: { $ref: "#/Choice" } }, { $ref: "#/None" }] },
    Deep: { oneOf: [{ oneOf: [{ $ref: "#/None" }, { contains: { $ref: "#/Deep" } }] }, none] },
  };
  const names = Object.keys(schemas);
  for (const order of [names, names.toReversed()]) {
    const at = schemasIn(schemas);
    const judge = new SchemaJudge();
    const found = order.map((name) =>
      `${name} ${judge.canPass(at(name), JSON_POSITION)} ${judge.canFail(at(name), JSON_POSITION)}`
    );
    assert.deepEqual(found.sort(), [
      ...["Choice true false", "Deep true true", "None false true", "Open true true"],
    ]);
  }
});
