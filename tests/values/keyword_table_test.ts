import assert from "node:assert/strict";
import { keywordDefinitions } from "../../src/schema/keywords/keyword_definitions.ts";
import {
  isTracked,
  keywordsHolding,
  keywordsWith,
  keywordTable,
} from "../../src/values/keyword_table.ts";

Deno.test("the tracked keywords in the table are those with a definition", () =>
  assert.deepEqual(keywordsWith(isTracked).toSorted(), [...keywordDefinitions.keys()].toSorted()));

Deno.test("an applicator is a keyword whose definition visits subschemas", () => {
  for (const [name, { subschemas }] of keywordDefinitions) {
    const facts = keywordTable.get(name);
    assert.equal(facts?.kind === "applicator", subschemas !== undefined, name);
    assert.equal(facts?.relation !== undefined, subschemas !== undefined, name);
  }
});

Deno.test("limits in the table refer to other limits in the table", () => {
  const limits = [...keywordTable.values()].flatMap(({ atMost = [], lessThan = [] }) => [
    ...atMost,
    ...lessThan,
  ]);
  for (const name of limits) assert.equal(keywordTable.get(name)?.kind, "assertion", name);
});

Deno.test("keywordsHolding() returns the keywords whose value has a form", () => {
  assert.deepEqual(keywordsHolding("schemas_by_name"), [
    ...["properties", "patternProperties", "dependentSchemas", "dependencies", "definitions"],
    "$defs",
  ]);
  assert.deepEqual(keywordsHolding("values"), ["enum", "const", "default", "example", "examples"]);
});
