import assert from "node:assert/strict";
import { pointerTokens, schemaSteps } from "../../../src/report/wording/schema_steps.ts";

function steps(pointer: string): string {
  return schemaSteps(pointerTokens(pointer)).join("");
}

Deno.test("each applicator is a step in the notation of its value", () => {
  assert.equal(steps("properties/a~1b"), ".a/b");
  assert.equal(steps("patternProperties/^x-"), "./^x-/");
  assert.equal(steps("additionalProperties"), ".*");
  assert.equal(steps("items"), "[]");
  assert.equal(steps("items/2"), "[2]");
  assert.equal(steps("prefixItems/0"), "[0]");
  assert.equal(steps("additionalItems"), "[…]");
  assert.equal(steps("contains"), " contains");
  assert.equal(steps("oneOf/1/not"), " oneOf[1] not");
  assert.equal(steps("dependencies/card"), " card");
  assert.equal(steps("$defs/Name"), " Name");
});

Deno.test("a property may have the name of a keyword", () => {
  assert.equal(steps("properties/items/properties/schema"), ".items.schema");
});
