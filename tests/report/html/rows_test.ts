import assert from "node:assert/strict";
import { Rows } from "../../../src/report/html/rows.ts";

const POINTS = new Rows(["x", "y", "z"]);

Deno.test("rows are written and read by the names of their fields, one list of numbers for all", () => {
  const list: number[] = [];
  POINTS.add(list, { z: 3, y: 2, x: 1 });
  POINTS.add(list, { x: 4, y: 5, z: 6 });
  assert.deepEqual(list, [1, 2, 3, 4, 5, 6]);
  assert.equal(POINTS.count(list), 2);
  assert.equal(POINTS.get(list, 1, "y"), 5);
  assert.deepEqual(POINTS.all(list), [{ x: 1, y: 2, z: 3 }, { x: 4, y: 5, z: 6 }]);
});

Deno.test("a row that is not there holds zeros", () => {
  assert.equal(POINTS.count([]), 0);
  assert.equal(POINTS.get([], 7, "z"), 0);
});
