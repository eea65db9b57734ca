import assert from "node:assert/strict";
import { References } from "../../src/schema/reference.ts";
import { keywordsHolding } from "../../src/values/keyword_table.ts";

const URI = "file:///api.json";

function referencesOf(value: unknown, identifiers = true): [References, (to: string) => unknown] {
  const document = { uri: URI, value, label: "" };
  const references = new References([document], { hasIdentifiers: identifiers });
  const from = { value, document, pointer: "" };
  return [references, (to) => references.resolve(from, to)?.pointer];
}

Deno.test("a reference resolves a pointer, escaped or not, an anchor or an $id", () => {
  const [, pointerOf] = referencesOf({
    $defs: { "a/b": { $anchor: "here" }, "c d": { $id: "other.json", $defs: { e: {} } } },
  });
  assert.equal(pointerOf("#"), "");
  assert.equal(pointerOf("#/$defs/a~1b"), "/$defs/a~1b");
  assert.equal(pointerOf("#/$defs/c%20d"), "/$defs/c d");
  assert.equal(pointerOf("#here"), "/$defs/a~1b");
  assert.equal(pointerOf("other.json#/$defs/e"), "/$defs/c d/$defs/e");
  assert.equal(pointerOf("#/$defs/none"), undefined);
  assert.equal(pointerOf("none.json"), undefined);
});

Deno.test("identifiers are known in OpenAPI 3.1 and later only", () => {
  const [, pointerOf] = referencesOf({ $defs: { a: { $anchor: "here" } } }, false);
  assert.equal(pointerOf("#here"), undefined);
});

Deno.test("an $id in a map of schemas identifies a schema, whatever its key", () => {
  for (const keyword of keywordsHolding("schemas_by_name")) {
    for (const name of ["default", "enum", "plain"]) {
      const [, pointerOf] = referencesOf({ [keyword]: { [name]: { $id: "https://x.test/y" } } });
      assert.equal(pointerOf("https://x.test/y"), `/${keyword}/${name}`);
    }
  }
});

Deno.test("an $id within values is ignored", () => {
  for (const keyword of keywordsHolding("values")) {
    const [, pointerOf] = referencesOf({ [keyword]: [{ $id: "https://x.test/y" }] });
    assert.equal(pointerOf("https://x.test/y"), undefined, keyword);
  }
});

Deno.test("a reference to itself doesn't resolve", () => {
  const [, pointerOf] = referencesOf({ a: { $ref: "#/a/b" } });
  assert.equal(pointerOf("#/a/b"), undefined);
});
