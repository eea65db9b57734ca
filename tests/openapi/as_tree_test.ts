import assert from "node:assert/strict";
import { asTree } from "../../src/openapi/as_tree.ts";

Deno.test("asTree() copies objects that are used twice, and doesn't change the caller's", () => {
  const schema = { type: "string" };
  const value = { a: schema, b: [schema] };
  const copy = asTree(value, "x").value as { a: unknown; b: unknown[] };
  assert.deepEqual(copy, value);
  assert.notEqual(copy.a, copy.b[0]);
  assert.equal(value.a, value.b[0]);
});

Deno.test("asTree() replaces an object inside itself with a reference", () => {
  const node: Record<string, unknown> = { type: "object" };
  node["properties"] = { next: node, list: { items: node } };
  const value = { components: { schemas: { "a/b %": node } } };
  assert.deepEqual(asTree(value, "x").value, {
    components: {
      schemas: {
        "a/b %": {
          type: "object",
          properties: {
            next: { $ref: "#/components/schemas/a~1b%20%25" },
            list: { items: { $ref: "#/components/schemas/a~1b%20%25" } },
          },
        },
      },
    },
  });
  assert.equal((node["properties"] as Record<string, unknown>)["next"], node);
});

Deno.test("asTree() treats values that JSON doesn't have like JSON.stringify", () => {
  const value = {
    a: undefined,
    b: () => 1,
    c: [undefined, 1],
    d: new Date(0),
    e: { toJSON: () => ({ f: 1 }) },
  };
  assert.deepEqual(asTree(value, "x").value, JSON.parse(JSON.stringify(value)));
});

Deno.test("asTree() refuses maps, sets, bigints and symbols with their place", () => {
  assert.throws(
    () => asTree({ paths: { "/a": new Map() } }, "my api"),
    { name: "DescriptionError", message: /^Cannot load my api: There is a Map at #\/paths\/~1a/ },
  );
  assert.throws(() => asTree({ a: 1n }, "x"), /bigint at #\/a/);
  assert.throws(() => asTree([new Set()], "x"), /Set at #\/0/);
  assert.throws(() => asTree({ a: Symbol("s") }, "x"), /symbol at #\/a/);
});

/** Schemas that each contain the previous one twice, with other keywords beside the properties. */
function doubling(more: object = {}): Record<string, unknown> {
  const schemas: Record<string, unknown> = { S0: { type: "string" } };
  for (let level = 1; level < 40; level++) {
    const schema = schemas[`S${level - 1}`];
    schemas[`S${level}`] = { ...more, properties: { left: schema, right: schema } };
  }
  return schemas;
}

Deno.test("asTree() writes references where copies of shared schemas would grow exponentially", () => {
  const schemas = doubling({ type: "object" });
  const { components } = asTree({ paths: {}, components: { schemas } }, "x").value as {
    components: { schemas: Record<string, unknown> };
  };
  assert.deepEqual(components.schemas["S2"], {
    type: "object",
    properties: {
      left: { $ref: "#/components/schemas/S1" },
      right: { $ref: "#/components/schemas/S1" },
    },
  });
});

Deno.test("asTree() refers to shared schemas under every keyword that has schemas, but copies lists", () => {
  const schemas = doubling();
  const names = ["a"];
  const S1 = schemas["S1"];
  schemas["Other"] = {
    items: [S1],
    dependencies: { a: S1, b: names, c: names },
    additionalProperties: { items: [S1] },
    required: names,
  };
  const { components } = asTree({ paths: {}, components: { schemas } }, "x").value as {
    components: { schemas: Record<string, unknown> };
  };
  const $ref = "#/components/schemas/S1";
  assert.deepEqual(components.schemas["Other"], {
    items: [{ $ref }],
    dependencies: { a: { $ref }, b: ["a"], c: ["a"] },
    additionalProperties: { items: [{ $ref }] },
    required: ["a"],
  });
});

Deno.test("asTree() reports references to other documents", () => {
  assert.equal(asTree({ $ref: "#/a" }, "x").hasOuterReference, false);
  assert.equal(asTree([{ $ref: "other.yaml" }], "x").hasOuterReference, true);
});
