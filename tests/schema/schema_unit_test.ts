import assert from "node:assert/strict";
import { DRAFT_2019_09 } from "../../src/schema/dialect.ts";
import { Counters } from "../../src/schema/counters.ts";
import type { SchemaNode } from "../../src/schema/schema_node.ts";
import { SchemaProgram } from "../../src/schema/schema_unit.ts";
import type { Json } from "../../src/values/json.ts";
import { asSchema, schemasIn } from "./schemas_in.ts";

/** Evaluates values. Returns which were valid, and the counts by pointer. */
function counted(node: SchemaNode, ...values: readonly Json[]): [boolean[], object] {
  const program = new SchemaProgram(node.graph);
  const counters = new Counters();
  const valid = values.map((value) => program.evaluate(node, value, counters));
  const { counts } = counters.store;
  const found = counters.units.flatMap((unit) => {
    const base = counters.base(unit);
    return [
      ...unit.keywords.map(({ node, keyword, slot }) => [
        node.schemaPath(keyword),
        [counts[base + slot], counts[base + slot + 1]],
      ]),
      ...unit.tallies.map(({ schema_path, slot }) => [schema_path, counts[base + slot]]),
    ];
  });
  return [valid, Object.fromEntries(found)];
}

Deno.test("a unit counts how often each keyword passes and fails, also after another failed", () => {
  const node = asSchema({ type: "string", minLength: 2, pattern: "^a" });
  assert.deepEqual(counted(node, "ab", "b", 1), [[true, false, false], {
    "/Schema/type": [2, 1],
    "/Schema/minLength": [1, 1],
    "/Schema/pattern": [1, 1],
  }]);
});

Deno.test("a unit counts the keywords of its subschemas, and the examples that values equal", () => {
  const node = asSchema({ items: { maximum: 5, examples: [1, 7] }, default: [1] });
  assert.deepEqual(counted(node, [1], [7, 2]), [[true, false], {
    "/Schema/items": [1, 1],
    "/Schema/items/maximum": [2, 1],
    "/Schema/items/examples/0": 1,
    "/Schema/items/examples/1": 1,
    "/Schema/default": 1,
  }]);
});

Deno.test("a schema that is referred to is a unit of its own, compiled once", () => {
  const at = schemasIn({
    Pair: { properties: { a: { $ref: "#/Name" }, b: { $ref: "#/Name" } } },
    Name: { minLength: 2 },
  });
  const [valid, counts] = counted(at("Pair"), { a: "x", b: "yy" });
  assert.deepEqual(valid, [false]);
  assert.deepEqual(counts, { "/Pair/properties": [0, 1], "/Name/minLength": [1, 1] });
  const program = new SchemaProgram(at("Pair").graph);
  assert.equal(program.unit(at("Name")), program.unit(at("Name")));
});

Deno.test("contains marks the items that it matches as evaluated since 2020-12", () => {
  const schema = { contains: { type: "string" }, unevaluatedItems: false };
  assert.deepEqual(counted(asSchema(schema), ["a"], ["a", 1])[0], [true, false]);
  assert.deepEqual(counted(asSchema(schema, DRAFT_2019_09), ["a"], [])[0], [false, false]);
  assert.deepEqual(counted(asSchema({ unevaluatedItems: false }, DRAFT_2019_09), [])[0], [true]);
});

Deno.test("two programs of one graph count separately", () => {
  const node = asSchema({ type: "integer" });
  for (const value of [1, 2]) {
    assert.deepEqual(counted(node, value), [[true], { "/Schema/type": [1, 0] }]);
  }
});

Deno.test("references that nest too deeply within one value are cut off and reported", () => {
  const node = asSchema({ items: { $ref: "#/Schema" }, maxItems: 1 });
  const program = new SchemaProgram(node.graph);
  let value: Json = [];
  for (let level = 0; level < 500; level++) value = [value];
  assert.equal(program.evaluate(node, value, new Counters()), true);
  assert.equal(program.isIncomplete, true);
  program.evaluate(node, [[]], new Counters());
  assert.equal(program.isIncomplete, false);
});

Deno.test("references are evaluated 400 deep, whether paths converge or not", () => {
  const one = { items: { $ref: "#/Schema" }, maxItems: 1 };
  const twice = { items: { anyOf: [{ $ref: "#/Schema" }, { $ref: "#/Schema" }] }, maxItems: 1 };
  for (const schema of [one, twice]) {
    const node = asSchema(schema);
    const program = new SchemaProgram(node.graph);
    const wasTooDeep = (levels: number): boolean => {
      let value: Json = [];
      for (let level = 1; level < levels; level++) value = [value];
      program.evaluate(node, value, new Counters());
      return program.isIncomplete;
    };
    assert.deepEqual([401, 402].map(wasTooDeep), [false, true], JSON.stringify(schema));
  }
});

Deno.test("equal schemas share one check, and count separately", () => {
  const node = asSchema({ properties: { a: { maxLength: 1 }, b: { maxLength: 1 } } });
  const [, counts] = counted(node, { a: "xx", b: "y" });
  assert.deepEqual(counts, {
    "/Schema/properties": [0, 1],
    "/Schema/properties/a/maxLength": [0, 1],
    "/Schema/properties/b/maxLength": [1, 0],
  });
  const program = new SchemaProgram(node.graph);
  program.evaluate(node, { a: "", b: "" }, new Counters());
  assert.equal(
    [...program.sharedEvaluations.keys()].filter((key) => key.startsWith("maxLength")).length,
    1,
  );
});
