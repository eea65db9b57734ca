import assert from "node:assert/strict";
import { Evaluated } from "../../src/schema/evaluated.ts";

Deno.test("what was taken over is marked, and what that took over, however often it is shared", () => {
  let marks = new Evaluated();
  marks.addProperty("a");
  marks.addItem(3);
  for (let level = 0; level < 60; level++) {
    const around = new Evaluated();
    around.addProperty(`p${level}`);
    around.merge(marks);
    around.merge(marks); // as two alternatives do that refer to one schema
    marks = around;
  }
  assert.ok(marks.hasProperty("a") && marks.hasProperty("p0") && marks.hasProperty("p59"));
  assert.ok(!marks.hasProperty("b"));
  assert.ok(marks.hasItem(3) && !marks.hasItem(2));
  const last = new Evaluated();
  last.itemsBefore = 2;
  marks.merge(last);
  assert.ok(marks.hasItem(1) && marks.hasItem(3) && !marks.hasItem(2));
});
