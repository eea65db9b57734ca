import assert from "node:assert/strict";
import { positionsBelow } from "../../src/schema/position.ts";
import { JSON_POSITION, type Position } from "../../src/values/position.ts";

Deno.test("of names that are read alike, one is asked whether a keyword applies to it", () => {
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
