// Each keyword counts once per place and outcome, however it is reached (semantics, section 4). These tests have
// schemas that tests/property/total_evaluation_test.ts doesn't generate.
import type { Json } from "../../src/values/json.ts";
import assert from "node:assert/strict";
import { countsIn } from "../json_body.ts";
import { looksAt } from "./looks_at.ts";

function to(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

Deno.test("a schema counts once if several keywords apply it to the same property, item or name", () => {
  const A = { type: "string", maxLength: 2 };
  const counts = countsIn(
    {
      properties: { ab: to("A") },
      patternProperties: { "^a": to("A"), "b$": to("A") },
      propertyNames: { allOf: [to("A"), to("A")] },
      items: to("A"),
      contains: to("A"),
    },
    { A },
    [{ ab: "12" }, { abc: "long" }, ["12", "long", 3]],
  );
  assert.deepEqual(counts["A/maxLength"], [1 + 1 + 1, 2 + 1]);
  assert.deepEqual(counts["A/type"], [2 + 2 + 2, 1]);
});

Deno.test("a keyword that passes in one context and fails in another counts both, once each", () => {
  const Base = { required: ["id"], minProperties: 0 };
  const New = { allOf: [to("Base"), { properties: { id: { readOnly: true } } }] };
  const anyOf = [to("Base"), to("New"), to("New"), to("Base")];
  const counts = countsIn({ anyOf }, { Base, New }, [{}]);
  assert.deepEqual(counts["Base/required"], [1, 1]);
  assert.deepEqual(counts["Base/minProperties"], [1, 0]);
});

Deno.test("a nested schema counts once, whether it is reached from its parent or by its pointer", () => {
  const A = { properties: { a: { maximum: 3 } } };
  const inner = { properties: { a: { $ref: "#/components/schemas/A/properties/a" } } };
  const counts = countsIn({ allOf: [inner, to("A"), inner] }, { A }, [{ a: 1 }, { a: 5 }]);
  assert.deepEqual(counts["A/properties/a/maximum"], [1, 1]);
});

Deno.test("if, contains and examples count once per place", () => {
  const A = { if: { maximum: 3 }, then: { minimum: 1 }, else: { maximum: 9 }, examples: [2] };
  const C = { contains: { const: 1 }, minContains: 2, maxContains: 3 };
  const counts = countsIn({ anyOf: [to("A"), to("A"), to("C"), to("C")] }, { A, C }, [2, [1, 1]]);
  for (const name of ["A/if", "A/if/maximum", "A/then", "A/then/minimum"]) {
    assert.deepEqual(counts[name], [name === "A/if" || name === "A/then" ? 2 : 1, 0], name);
  }
  for (const name of ["C/contains", "C/minContains", "C/maxContains"]) {
    assert.deepEqual(counts[name], [1, 0], name);
  }
  assert.deepEqual(counts["C/contains/const"], [2, 0]);
});

Deno.test("evaluated properties are known on every path to a schema", () => {
  const A = { properties: { a: { type: "string" } } };
  const closed = { anyOf: [to("A"), { $ref: to("A").$ref }], unevaluatedProperties: false };
  const schema = { allOf: [to("A"), { not: to("A") }, closed, closed] };
  const counts = countsIn(schema, { A }, [{ a: "x" }, { a: "x", b: 1 }]);
  assert.deepEqual(counts["A/properties/a/type"], [2, 0]);
  for (const index of [2, 3]) {
    assert.deepEqual(counts[`allOf/${index}/unevaluatedProperties`], [1, 1], String(index));
  }
});

Deno.test("a dynamic reference is followed in each dynamic scope, and its target counts once", () => {
  const list = (name: string, items: object) => ({
    $id: `https://example.org/${name}`,
    $ref: "list",
    $defs: { items: { $dynamicAnchor: "items", ...items } },
  });
  const schemas = {
    List: {
      $id: "https://example.org/list",
      items: { $dynamicRef: "#items" },
      $defs: { items: { $dynamicAnchor: "items" } },
    },
    Texts: list("texts", { type: "string" }),
    Numbers: list("numbers", { type: "number" }),
  };
  const anyOf = ["Texts", "Numbers", "Texts"].map(to);
  const counts = countsIn({ anyOf }, schemas, [["a", "b"], [1]]);
  assert.deepEqual(counts["Texts/$defs/items/type"], [2, 1]);
  assert.deepEqual(counts["Numbers/$defs/items/type"], [1, 2]);
  assert.deepEqual(counts["List/items"], [2, 2]);
});

Deno.test("a placeholder of a recorder doesn't count, even if it is reached twice", () => {
  const A = { properties: { secret: { maxLength: 3 } } };
  const counts = countsIn({ anyOf: [to("A"), to("A")] }, { A }, [{ secret: "[Filtered]" }]);
  assert.deepEqual(counts["A/properties/secret/maxLength"], [0, 0]);
  assert.deepEqual(counts["A/properties"], [1, 0]);
});

for (const keyword of ["anyOf", "oneOf", "allOf"]) {
  Deno.test(`a chain of 40 schemas that each refer twice to the next by ${keyword} is evaluated once each`, () => {
    const length = 40;
    const chain = Object.fromEntries(
      Array.from({ length }, (_, index) => [
        `S${index}`,
        { [keyword]: [to(`S${index + 1}`), to(`S${index + 1}`)] },
      ]),
    );
    const schemas = { ...chain, [`S${length}`]: { properties: { a: { type: "string" } } } };
    for (const [what, looks] of Object.entries(looksAt(schemas, "S0", { a: 1 }))) {
      assert.ok(looks < 10, `${what}: ${looks}`);
    }
    const counts = countsIn(to("S0"), schemas, [{ a: "x" }, "x"]);
    assert.deepEqual(counts[`S${length}/properties/a/type`], [1, 0]);
  });
}

Deno.test("many alternatives that refer to each other are evaluated once per place", () => {
  const names = Array.from({ length: 300 }, (_, index) => `S${index}`);
  const alternatives = Object.fromEntries(
    names.map((name) => [name, { properties: { next: to("Any") } }]),
  );
  const schemas = { ...alternatives, Any: { anyOf: names.map(to) } };
  const nested = (depth: number): Json => depth === 0 ? 1 : { next: nested(depth - 1) };
  const [short, long] = [20, 40].map((depth) => looksAt(schemas, "Any", nested(depth)).counting);
  assert.ok(short !== undefined && long !== undefined);
  assert.ok(short < 20 * 300 * 4, `${short} for a depth of 20`);
  assert.ok(long < 2.1 * short, `${short}, ${long}`);
});

Deno.test("many schemas that each declare one property of a large object don't all look at the whole object", () => {
  const sizes = [200, 400].map((size) => {
    const names = Array.from({ length: size }, (_, index) => `p${index}`);
    const allOf = names.map((name) => ({
      properties: { [name]: { type: "integer" } },
      minProperties: 1,
    }));
    const value = Object.fromEntries(names.map((name, index) => [name, index]));
    return looksAt({ Wide: { allOf, unevaluatedProperties: false } }, "Wide", value).counting;
  });
  const [small, large] = sizes;
  assert.ok(small !== undefined && large !== undefined);
  assert.ok(large < 2.2 * small, `${small}, ${large}`);
});
