import assert from "node:assert/strict";
import { pathsConverge } from "../../src/schema/converging_paths.ts";
import { schemaOf, schemasOf } from "./schemas_of.ts";

const NAME = { minLength: 1 };
const NAMED = { properties: { name: { $ref: "#/Name" } } };

function meets(schema: object): boolean {
  return pathsConverge(schemasOf({ Schema: schema, Name: NAME })("Schema"));
}

Deno.test("two alternatives that refer to one schema meet at the value", () => {
  assert.ok(meets({ anyOf: [{ $ref: "#/Name" }, { $ref: "#/Name" }] }));
  assert.ok(!meets({ anyOf: [{ $ref: "#/Name" }, { minLength: 1 }] }));
});

Deno.test("a reference and the properties beside it meet where both refer to one schema", () => {
  const schemas = { Schema: { $ref: "#/Named", ...NAMED }, Named: NAMED, Name: NAME };
  assert.ok(pathsConverge(schemasOf(schemas)("Schema")));
  assert.ok(!pathsConverge(schemasOf({ ...schemas, Named: {} })("Schema")));
});

Deno.test("alternatives that refer to one schema for the same property meet below", () => {
  assert.ok(meets({ oneOf: [NAMED, NAMED] }));
  const other = { properties: { title: { $ref: "#/Name" } } };
  assert.ok(!meets({ oneOf: [NAMED, other] }));
});

Deno.test("a pattern meets the declared properties that it matches", () => {
  const patterned = (pattern: string) => ({
    ...NAMED,
    patternProperties: { [pattern]: { $ref: "#/Name" } },
  });
  assert.ok(meets(patterned("^n")));
  assert.ok(!meets(patterned("^t")));
});

Deno.test("items meet at their index", () => {
  const first = { prefixItems: [{ $ref: "#/Name" }] };
  assert.ok(meets({ allOf: [first, { items: { $ref: "#/Name" } }] }));
  assert.ok(!meets({ allOf: [first, { prefixItems: [{ minLength: 1 }] }] }));
});

Deno.test("properties and items of one schema stay apart, however deep they refer to it", () =>
  assert.ok(
    !pathsConverge(schemaOf({
      properties: { left: { $ref: "#/Schema" }, right: { $ref: "#/Schema" } },
      items: { $ref: "#/Schema" },
    })),
  ));

Deno.test("a dynamic reference may lead anywhere, so its ways meet", () =>
  assert.ok(pathsConverge(schemaOf({ $dynamicAnchor: "node", $dynamicRef: "#node" }))));

Deno.test("what is found out about a schema is known of its parts, whichever is asked for first", () => {
  const schemas = {
    Twice: { anyOf: [{ $ref: "#/Name" }, { $ref: "#/Name" }] },
    ToTwice: { allOf: [{ $ref: "#/Twice" }] },
    Beside: { allOf: [{ $ref: "#/ToTwice" }, { $ref: "#/Apart" }] },
    Apart: { allOf: [{ $ref: "#/Name" }, { maxLength: 3 }] },
    ToApart: { allOf: [{ $ref: "#/Apart" }] },
    Both: { allOf: [{ $ref: "#/ToApart" }, { $ref: "#/Apart" }] },
    Cycle: { anyOf: [{ $ref: "#/Back" }, { maxLength: 3 }] },
    Back: { allOf: [{ $ref: "#/Cycle" }] },
    ToCycle: { allOf: [{ $ref: "#/Cycle" }] },
    Name: NAME,
  };
  const expected: Record<string, boolean> = {
    Twice: true,
    ToTwice: true,
    Beside: true,
    Apart: false,
    ToApart: false,
    Both: true,
    Cycle: true,
    Back: true,
    ToCycle: true,
    Name: false,
  };
  const names = Object.keys(expected);
  for (let first = 0; first < names.length; first++) {
    const named = schemasOf(schemas);
    for (const name of [...names.slice(first), ...names.slice(0, first)].reverse()) {
      assert.equal(pathsConverge(named(name)), expected[name], `${name}, ${names[first]} first`);
    }
  }
});
