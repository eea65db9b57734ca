import { type Dialect, DRAFT_04, DRAFT_07, DRAFT_2020_12 } from "../../src/schema/dialect.ts";
import {
  conditionalSchemas,
  IN_PLACE_LISTS,
  memberSchemas,
} from "../../src/schema/in_place_schemas.ts";
import type { SchemaNode } from "../../src/schema/schema_node.ts";
import { optionalOverrides } from "../../src/schema/optional_overrides.ts";
import { asSchema, schemasIn } from "./schemas_in.ts";
import { hasInPlaceCycle } from "../../src/schema/in_place_cycle.ts";
import assert from "node:assert/strict";
import fc from "fast-check";

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
