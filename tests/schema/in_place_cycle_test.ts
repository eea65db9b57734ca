import assert from "node:assert/strict";
import fc from "fast-check";
import { hasInPlaceCycle } from "../../src/schema/in_place_cycle.ts";
import { schemasOf } from "./schemas_of.ts";

/** Schemas that apply others in place, by their numbers. */
function graphOf(parts: readonly (readonly number[])[]): Record<string, object> {
  return Object.fromEntries(
    parts.map((list, index) => [
      `S${index}`,
      list.length === 1
        ? { $ref: `#/S${list[0]}` }
        : { allOf: list.map((part) => ({ $ref: `#/S${part}` })) },
    ]),
  );
}

/** Whether a number leads back to itself, the obvious way. */
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

Deno.test("a schema has a cycle in place exactly where references lead back to it, whichever is asked for first", () => {
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
      const named = schemasOf(graphOf(parts));
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

Deno.test("a schema that descends before it comes back has no cycle in place", () => {
  const named = schemasOf({
    Tree: { properties: { left: { $ref: "#/Tree" } }, allOf: [{ $ref: "#/Node" }] },
    Node: { items: { $ref: "#/Tree" } },
    Self: { not: { $ref: "#/Self" } },
  });
  assert.deepEqual(["Tree", "Node", "Self"].map((name) => hasInPlaceCycle(named(name))), [
    false,
    false,
    true,
  ]);
});
