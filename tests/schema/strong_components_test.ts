import assert from "node:assert/strict";
import { decideComponents } from "../../src/schema/strong_components.ts";

/** The components found from a vertex, in order, each with whether it is a cycle. */
function componentsFrom(
  start: number,
  next: (vertex: number) => readonly number[],
  decided = new Set<number>(),
): [members: number[], isCycle: boolean][] {
  const found: [number[], boolean][] = [];
  decideComponents(start, {
    next,
    isDecided: (vertex) => decided.has(vertex),
    decide(members, isCycle) {
      found.push([members.map(({ vertex }) => vertex).sort((one, other) => one - other), isCycle]);
      for (const { vertex, next: led } of members) {
        assert.deepEqual(led, next(vertex));
        decided.add(vertex);
      }
    },
  });
  return found;
}

Deno.test("each component comes after those that it leads to", () => {
  const edges = [[1, 4], [2], [3, 1], [3], [5], [4, 3]];
  const next = (vertex: number) => edges[vertex] ?? [];
  assert.deepEqual(componentsFrom(0, next), [
    [[3], true], // leads to itself
    [[1, 2], true],
    [[4, 5], true],
    [[0], false],
  ]);
  const decided = new Set([1, 2, 3]);
  assert.deepEqual(componentsFrom(0, next, decided), [[[4, 5], true], [[0], false]]);
  assert.deepEqual(componentsFrom(0, next, decided), []);
});

Deno.test("chains and cycles may be longer than the stack is deep", () => {
  const length = 100_000;
  const chain = componentsFrom(0, (vertex) => vertex < length ? [vertex + 1] : []);
  assert.deepEqual([chain.length, chain[0], chain.at(-1)], [
    length + 1,
    [[length], false],
    [[0], false],
  ]);
  const cycle = componentsFrom(0, (vertex) => [(vertex + 1) % length]);
  assert.deepEqual([cycle.length, cycle[0]?.[0].length, cycle[0]?.[1]], [1, length, true]);
});
