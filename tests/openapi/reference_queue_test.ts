import assert from "node:assert/strict";
import { keywordsHolding } from "../../src/values/keyword_table.ts";
import { findOuterReferences, mayHaveOuterReferences } from "../../src/openapi/reference_queue.ts";

Deno.test("mayHaveOuterReferences() is false for documents that refer only to themselves", () => {
  assert.equal(mayHaveOuterReferences('{"$ref" : "#/a", "b": {"$ref":"#c"}}', "json"), false);
  assert.equal(mayHaveOuterReferences('a:\n  $ref: \'#/a\'\nb: {"$ref": "#/b"}\n', "yaml"), false);
  assert.equal(mayHaveOuterReferences("{}", "json"), false);
});

Deno.test("mayHaveOuterReferences() is true if a reference could lead out of the document", () => {
  assert.equal(mayHaveOuterReferences('{"$ref": "#/a", "b": {"$ref": "c.json"}}', "json"), true);
  assert.equal(mayHaveOuterReferences('{"\\u0024ref": "c.json"}', "json"), true);
  assert.equal(mayHaveOuterReferences("$ref: c.yaml", "yaml"), true);
  assert.equal(mayHaveOuterReferences("$ref: >-\n  c.yaml", "yaml"), true);
  assert.equal(mayHaveOuterReferences("$ref: *anchor", "yaml"), true);
  assert.equal(mayHaveOuterReferences('"\\x24ref": c.yaml', "yaml"), true);
});

Deno.test("findOuterReferences() resolves against the nearest $id around a reference", () => {
  const { references, identifiers } = findOuterReferences(
    {
      $defs: { a: { $id: "sub/a.json", items: { $ref: "b.json#/x" } } },
      not: { $ref: "../c.json" },
      then: { $ref: "http://[" },
    },
    "https://example.com/api/root.json",
    true,
  );
  assert.deepEqual(references, [
    {
      pointer: "/$defs/a/items/$ref",
      reference: "b.json#/x",
      target: "https://example.com/api/sub/b.json",
      optional: false,
    },
    {
      pointer: "/not/$ref",
      reference: "../c.json",
      target: "https://example.com/c.json",
      optional: false,
    },
    { pointer: "/then/$ref", reference: "http://[", target: undefined, optional: false },
  ]);
  assert.deepEqual([...identifiers], ["https://example.com/api/sub/a.json"]);
});

Deno.test("findOuterReferences() doesn't confuse a property named default with the keyword", () => {
  const { references } = findOuterReferences(
    {
      properties: { default: { $ref: "a.json" }, $ref: { $ref: "b.json" } },
      default: { $ref: "c.json" },
      examples: [{ $ref: "d.json" }],
      responses: { default: { $ref: "e.json" } },
    },
    "file:///x",
    true,
  );
  assert.deepEqual(references.map(({ reference }) => reference), ["a.json", "b.json", "e.json"]);
});

Deno.test("findOuterReferences() finds references under every keyword that has schemas by name", () => {
  for (const keyword of keywordsHolding("schemas_by_name")) {
    const { references } = findOuterReferences(
      { [keyword]: { enum: { $ref: "a.json" } } },
      "file:///x",
      true,
    );
    assert.deepEqual(references.map(({ pointer }) => pointer), [`/${keyword}/enum/$ref`]);
  }
});

Deno.test("findOuterReferences() follows OpenAPI's named examples, but not values", () => {
  for (const keyword of keywordsHolding("values")) {
    const { references } = findOuterReferences(
      { [keyword]: [{ $ref: "a.json" }] },
      "file:///x",
      true,
    );
    assert.deepEqual(references, [], keyword);
  }
  const { references } = findOuterReferences(
    { examples: { a: { $ref: "a.json" } } },
    "file:///x",
    true,
  );
  assert.equal(references.length, 1);
});
