import fc from "fast-check";
import assert from "node:assert/strict";
import { ReachableNames } from "../../src/schema/strong_components.ts";
import type { SchemaNode } from "../../src/schema/schema_node.ts";
import { countedWork } from "../counted_work.ts";
import { schemasIn } from "./schemas_in.ts";

/** Collects the names of `required`, through `allOf`. */
const requiredThroughAllOf = () =>
  new ReachableNames(
    (node) => node.schema["required"] as string[],
    (node) =>
      (node.schema["allOf"] as { $ref: string }[]).map(({ $ref }) =>
        node.graph.target(node, $ref) as SchemaNode
      ),
  );

interface Described {
  readonly required: readonly string[];
  readonly parts: readonly number[];
}

const at = (described: readonly Described[]) =>
  schemasIn(
    Object.fromEntries(described.map(({ required, parts }, index) => [
      `S${index}`,
      { required, allOf: parts.map((part) => ({ $ref: `#/S${part}` })) },
    ])),
  );

/** Simple reference implementation: the names that a schema reaches. */
function reached(described: readonly Described[], start: number): string[] {
  const seen = new Set([start]);
  for (const index of seen) for (const part of described[index]?.parts ?? []) seen.add(part);
  return [...new Set([...seen].flatMap((index) => described[index]?.required ?? []))].sort();
}

Deno.test("a schema's names are those of all schemas that it leads to, at any limit of memory", () => {
  const SIZE = 8;
  const graphs = fc.array(
    fc.record({
      required: fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 2 }),
      parts: fc.array(fc.nat(SIZE - 1), { maxLength: 3 }),
    }),
    { minLength: SIZE, maxLength: SIZE },
  );
  let collected = 0;
  fc.assert(
    fc.property(
      graphs,
      fc.shuffledSubarray([...Array(SIZE).keys()]),
      fc.nat(12),
      (described, order, namesToHold) => {
        const node = at(described);
        const { graph } = node("S0");
        graph.nameBudget = namesToHold;
        const names = requiredThroughAllOf();
        for (const index of order) {
          const found = names.find(node(`S${index}`));
          assert.deepEqual([...found].sort(), reached(described, index), `S${index}`);
          if (found !== names.find(node(`S${index}`))) collected++;
        }
        assert.ok(graph.nameBudget >= 0);
      },
    ),
    { numRuns: 1000 },
  );
  assert.ok(collected > 100, "too many to hold");
});

Deno.test("schemas that add no name share one set", () => {
  const described = [
    { required: [], parts: [1, 2] },
    { required: ["a"], parts: [2] },
    { required: ["a", "b"], parts: [3] },
    { required: [], parts: [4] },
    { required: ["b"], parts: [3] },
  ];
  const node = at(described);
  const names = requiredThroughAllOf();
  const sets = described.map((_, index) => names.find(node(`S${index}`)));
  assert.deepEqual([sets[0], sets[1], sets[4]], [sets[2], sets[2], sets[3]]);
  assert.ok(sets[0] === sets[1] && sets[1] === sets[2] && sets[3] === sets[4]);
  assert.equal(node("S0").graph.nameBudget, 500_000, "no set of their own");
});

Deno.test("memory for the names of a long chain is bounded even if each schema adds a name", () => {
  const length = 3000;
  const described = Array.from({ length }, (_, index) => ({
    required: [`n${index}`],
    parts: index + 1 < length ? [index + 1] : [],
  }));
  const node = at(described);
  const names = requiredThroughAllOf();
  const work = countedWork(() => assert.equal(names.find(node("S0")).size, length));
  assert.ok(work < 1_500_000, `${work}`);
  const { nameBudget } = node("S0").graph;
  assert.ok(nameBudget >= 0 && nameBudget < length, `${nameBudget}`);
  assert.deepEqual([...names.find(node("S10"))].sort(), reached(described, 10));
});
