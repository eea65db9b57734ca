import assert from "node:assert/strict";
import fc from "fast-check";
import { hasInPlaceCycle, pathsConverge } from "../../src/schema/converging_paths.ts";
import { asSchema, schemasIn } from "./schemas_in.ts";

const NAME = { minLength: 1 };
const NAMED = { properties: { name: { $ref: "#/Name" } } };

const TO_NAME = { $ref: "#/Name" };
const FIRST = { prefixItems: [TO_NAME] };

/** Pairs of schemas: in one, several paths lead to the same schema; in the other, none do. */
const CASES: Readonly<Record<string, { readonly meet: object; readonly apart: object }>> = {
  "two alternatives that refer to the same schema meet at the value": {
    meet: { anyOf: [TO_NAME, TO_NAME] },
    apart: { anyOf: [TO_NAME, { minLength: 1 }] },
  },
  "a reference and the properties beside it meet where both refer to one schema": {
    meet: { $ref: "#/Named", ...NAMED },
    apart: { $ref: "#/Empty", ...NAMED },
  },
  "alternatives that refer to one schema for the same property meet below": {
    meet: { oneOf: [NAMED, NAMED] },
    apart: { oneOf: [NAMED, { properties: { title: TO_NAME } }] },
  },
  "a pattern meets the declared properties that it matches": {
    meet: { ...NAMED, patternProperties: { "^n": TO_NAME } },
    apart: { ...NAMED, patternProperties: { "^t": TO_NAME } },
  },
  "items meet at their index": {
    meet: { allOf: [FIRST, { items: TO_NAME }] },
    apart: { allOf: [FIRST, { prefixItems: [{ minLength: 1 }] }] },
  },
};

for (const [sentence, { meet, apart }] of Object.entries(CASES)) {
  Deno.test(sentence, () => {
    const meets = (schema: object) =>
      pathsConverge(
        schemasIn({ Schema: schema, Named: NAMED, Empty: {}, Name: NAME })("Schema"),
      );
    assert.deepEqual([meets(meet), meets(apart)], [true, false]);
  });
}

Deno.test("paths through different properties and items of a recursive schema don't converge", () =>
  assert.ok(
    !pathsConverge(asSchema({
      properties: { left: { $ref: "#/Schema" }, right: { $ref: "#/Schema" } },
      items: { $ref: "#/Schema" },
    })),
  ));

Deno.test("paths through a dynamic reference converge, because it may lead anywhere", () =>
  assert.ok(pathsConverge(asSchema({ $dynamicAnchor: "node", $dynamicRef: "#node" }))));

Deno.test("pathsConverge() gives the same results whichever schema it is called with first", () => {
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
    const named = schemasIn(schemas);
    for (const name of [...names.slice(first), ...names.slice(0, first)].reverse()) {
      assert.equal(pathsConverge(named(name)), expected[name], `${name}, ${names[first]} first`);
    }
  }
});

/** Schemas that apply others in place, by index. */
function describeGraph(parts: readonly (readonly number[])[]): Record<string, object> {
  return Object.fromEntries(
    parts.map((list, index) => [
      `S${index}`,
      list.length === 1
        ? { $ref: `#/S${list[0]}` }
        : { allOf: list.map((part) => ({ $ref: `#/S${part}` })) },
    ]),
  );
}

/** Simple reference implementation: true if a schema leads back to itself. */
function leadsBack(parts: readonly (readonly number[])[], start: number): boolean {
  const seen = new Set<number>();
  const open = [...parts[start] ?? []];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === start) return true;
    if (!seen.has(next)) open.push(...parts[next] ?? []);
    seen.add(next);
  }
  return false;
}

Deno.test("a schema has an in-place cycle if and only if references lead back to it, in any order of calls", () => {
  let cycles = 0;
  let others = 0;
  const sizes = fc.integer({ min: 1, max: 8 });
  const graphs = sizes.chain((size) =>
    fc.record({
      parts: fc.array(fc.array(fc.nat(size - 1), { maxLength: 3 }), {
        minLength: size,
        maxLength: size,
      }),
      order: fc.shuffledSubarray([...Array(size).keys()], { minLength: size }),
    })
  );
  fc.assert(
    fc.property(graphs, ({ parts, order }) => {
      const named = schemasIn(describeGraph(parts));
      for (const index of order) {
        const expected = leadsBack(parts, index);
        assert.equal(hasInPlaceCycle(named(`S${index}`)), expected, `S${index}`);
        if (expected) cycles++;
        else others++;
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(cycles > 200 && others > 200, `${cycles} ${others}`);
});

Deno.test("a cycle that descends into the value is not an in-place cycle", () => {
  const named = schemasIn({
    Tree: { properties: { left: { $ref: "#/Tree" } }, allOf: [{ $ref: "#/Node" }] },
    Node: { items: { $ref: "#/Tree" } },
    Self: { not: { $ref: "#/Self" } },
  });
  const cyclic = ["Tree", "Node", "Self"].filter((name) => hasInPlaceCycle(named(name)));
  assert.deepEqual(cyclic, ["Self"]);
});
