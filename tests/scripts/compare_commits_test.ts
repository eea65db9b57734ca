import assert from "node:assert/strict";
import { median } from "../../scripts/compare_commits.ts";

Deno.test("the median is the middle, or lies between the two middle ones", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.throws(() => median([]), RangeError);
});
