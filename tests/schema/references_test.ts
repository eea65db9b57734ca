import assert from "node:assert/strict";
import { References } from "../../src/schema/references.ts";
import { keywordsHolding } from "../../src/values/keyword_table.ts";

const URI = "file:///api.json";

function resolver(value: unknown, identifiers = true): [References, (to: string) => unknown] {
  const document = { uri: URI, value, label: "" };
  const references = new References([document], { hasIdentifiers: identifiers });
  const from = { value, document, pointer: "" };
  return [references, (to) => references.resolve(from, to)?.pointer];
}

Deno.test("a reference resolves a pointer, escaped or not, an anchor or an $id", () => {
  const [, resolve] = resolver({
    $defs: { "a/b": { $anchor: "here" }, "c d": { $id: "other.json", $defs: { e: {} } } },
  });
  assert.equal(resolve("#"), "");
  assert.equal(resolve("#/$defs/a~1b"), "/$defs/a~1b");
  assert.equal(resolve("#/$defs/c%20d"), "/$defs/c d");
  assert.equal(resolve("#here"), "/$defs/a~1b");
  assert.equal(resolve("other.json#/$defs/e"), "/$defs/c d/$defs/e");
  assert.equal(resolve("#/$defs/none"), undefined);
  assert.equal(resolve("none.json"), undefined);
});

Deno.test("identifiers are known in OpenAPI 3.1 and later only", () => {
  const [, resolve] = resolver({ $defs: { a: { $anchor: "here" } } }, false);
  assert.equal(resolve("#here"), undefined);
});

Deno.test("an $id in a map of schemas identifies a schema, whatever its key", () => {
  for (const keyword of keywordsHolding("schemas_by_name")) {
    for (const name of ["default", "enum", "plain"]) {
      const [, resolve] = resolver({ [keyword]: { [name]: { $id: "https://x.test/y" } } });
      assert.equal(resolve("https://x.test/y"), `/${keyword}/${name}`);
    }
  }
});

Deno.test("an $id within values is ignored", () => {
  for (const keyword of keywordsHolding("values")) {
    const [, resolve] = resolver({ [keyword]: [{ $id: "https://x.test/y" }] });
    assert.equal(resolve("https://x.test/y"), undefined, keyword);
  }
});

Deno.test("a reference to itself doesn't resolve", () => {
  const [, resolve] = resolver({ a: { $ref: "#/a/b" } });
  assert.equal(resolve("#/a/b"), undefined);
});
