import assert from "node:assert/strict";
import { EvaluatedParts } from "../../src/schema/evaluated_parts.ts";

Deno.test("merge() takes over marks, also those that were merged before, however often they are shared", () => {
  let marks = new EvaluatedParts();
  marks.addProperty("a");
  marks.addItem(3);
  for (let level = 0; level < 60; level++) {
    const around = new EvaluatedParts();
    around.addProperty(`p${level}`);
    around.merge(marks);
    around.merge(marks); // like two alternatives that refer to the same schema
    marks = around;
  }
  assert.ok(marks.hasProperty("a") && marks.hasProperty("p0") && marks.hasProperty("p59"));
  assert.ok(!marks.hasProperty("b"));
  assert.ok(marks.hasItem(3) && !marks.hasItem(2));
  const last = new EvaluatedParts();
  last.itemsBefore = 2;
  marks.merge(last);
  assert.ok(marks.hasItem(1) && marks.hasItem(3) && !marks.hasItem(2));
});
