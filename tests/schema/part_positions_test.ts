import assert from "node:assert/strict";
import { positionsBelow } from "../../src/schema/part_positions.ts";
import { ARRAY, OBJECT } from "../../src/values/json_type.ts";
import { JSON_POSITION, NOWHERE, type Position } from "../../src/values/position.ts";

Deno.test("positionsBelow() tests one name of those that have the same position", () => {
  const names = new Set(Array.from({ length: 1000 }, (_, index) => `p${index}`));
  const place: Position = { ...JSON_POSITION, json: false, names };
  let asked = 0;
  const leftOver = {
    has: (name: string) => {
      asked++;
      return name !== "p0";
    },
    pattern: undefined,
    excluded: new Set<string>(),
  };
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(positionsBelow(place, "property", leftOver), [JSON_POSITION]);
  }
  assert.equal(asked, 6);
});

Deno.test("positionsBelow() returns the position for a name, an index or a range of indexes", () => {
  const at = (): Position => ({ ...JSON_POSITION, json: false });
  const [title, other, ...items] = [at(), at(), at(), at(), at()];
  const place: Position = {
    ...at(),
    types: OBJECT | ARRAY,
    tupleLength: 2,
    property: (name) => name === "title" ? title : other,
    item: (index) => items[Math.min(index, 2)] ?? NOWHERE,
  };
  assert.deepEqual(positionsBelow(place, "in_place", ""), [place]);
  assert.equal(positionsBelow(place, "property", "title")[0], title);
  for (const index of [0, 1, 2]) {
    assert.equal(positionsBelow(place, "item", index)[0], items[index]);
  }
  const from = (index: number) =>
    positionsBelow(place, "item", { from: index }).map((found) => items.indexOf(found));
  assert.deepEqual([from(0), from(1), from(2), from(3)], [[0, 1, 2], [1, 2], [2], [2]]);
  assert.deepEqual(positionsBelow(place, "name", ""), [JSON_POSITION]);
  assert.deepEqual(positionsBelow({ ...place, types: ARRAY }, "property", "title"), [NOWHERE]);
  assert.deepEqual(positionsBelow({ ...place, types: OBJECT }, "item", 0), [NOWHERE]);
});
