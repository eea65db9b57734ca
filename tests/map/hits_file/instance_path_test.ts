import assert from "node:assert/strict";
import { instancePath } from "../../../src/map/hits_file/carry_schemas.ts";

Deno.test("instancePath() is equal for all schemas of the same part of a value", () => {
  const cases = [
    ["", ""],
    ["/properties/author/properties/name", ".author.name"],
    ["/allOf/1/properties/author", ".author"],
    ["/properties/author/anyOf/0/not/properties/name", ".author.name"],
    ["/dependentSchemas/author/properties/name", ".name"],
    // Property names may look like indexes and keywords.
    ["/properties/0/properties/allOf", ".0.allOf"],
    ["/properties/a~1b", ".a~1b"],
    ["/items/properties/name", "/items.name"],
    ["/items/0/properties/name", "/items/0.name"],
    ["/prefixItems/1", "/prefixItems/1"],
    ["/patternProperties/^x/items", "/patternProperties/^x/items"],
    ["/additionalProperties/properties/name", "/additionalProperties.name"],
    // An example is not a schema.
    ["/properties/author/examples/0", ".author"],
  ];
  for (const [pointer = "", path] of cases) assert.equal(instancePath(pointer), path, pointer);
});
