import { enterScope, referenced, scopeKey } from "../../src/schema/scope.ts";
import assert from "node:assert/strict";
import { DRAFT_2020_12 } from "../../src/schema/dialect.ts";
import { References, type Resource } from "../../src/schema/references.ts";
import { SchemaGraph } from "../../src/schema/schema_node.ts";
import { optionalOverrides } from "../../src/schema/optional_overrides.ts";

function resource(uri: string): Resource {
  return { uri } as unknown as Resource; // only its URI is read
}

Deno.test("a scope has each resource once, in the order of entry", () => {
  const [outer, inner] = [resource("http://h/a"), resource("http://h/b")];
  const scope = enterScope(enterScope([], outer), inner);
  assert.deepEqual(scope, [outer, inner]);
  assert.equal(enterScope(scope, outer), scope);
  assert.equal(scopeKey(scope), "http://h/a http://h/b");
});

Deno.test("referenced() follows $ref, and $dynamicRef to the outermost resource that has the anchor", () => {
  const value = {
    $defs: {
      list: {
        $id: "list",
        items: { $dynamicRef: "#item" },
        $defs: { item: { $dynamicAnchor: "item" } },
      },
      texts: {
        $id: "texts",
        $ref: "list",
        $defs: { item: { $dynamicAnchor: "item", type: "string" } },
      },
    },
  };
  const document = { uri: "file:///schemas.json", value, label: "" };
  const references = new References([document], { hasIdentifiers: true });
  const graph = new SchemaGraph(references, DRAFT_2020_12, { findOptional: optionalOverrides });
  const at = (pointer: string, schema: object) => {
    const node = graph.nodeAt({ value: schema, document, pointer });
    return typeof node === "object" ? node : assert.fail(pointer);
  };
  const { list, texts } = value.$defs;
  const pointers = (...args: Parameters<typeof referenced>) =>
    referenced(...args).map((node) => typeof node === "object" ? node.pointer : node);
  const user = at("/$defs/texts", texts);
  assert.deepEqual(pointers(user), ["/$defs/list"]);
  const items = at("/$defs/list/items", list.items);
  assert.deepEqual(pointers(items, [items.resource]), ["/$defs/list/$defs/item"]);
  const scope = enterScope([user.resource], items.resource);
  assert.deepEqual(pointers(items, scope), ["/$defs/texts/$defs/item"]);
});
