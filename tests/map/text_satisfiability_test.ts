import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { shopApi } from "../shop_api.ts";

type Schema = Readonly<Record<string, unknown>>;
type Shown = Readonly<Record<string, readonly unknown[]>>;

const URLENCODED = "application/x-www-form-urlencoded";

/** Satisfiability, valid and invalid counts of each keyword of an operation, by the end of its pointer. */
function shownBy(map: CoverageMap): Shown {
  const keywords = map.report().operations[0]?.parameters.flatMap((one) => one.keywords) ?? [];
  return Object.fromEntries(keywords.map(({ schema_path, satisfiability, valid, invalid }) => [
    schema_path.replace(/^.*?\/(?:schema|schemas)\//, ""),
    [satisfiability, valid, invalid],
  ]));
}

function newMap(operation: Schema, components: Schema = {}): CoverageMap {
  return CoverageMap.fromDict(
    shopApi({ "/x": { post: operation } }, { components: { schemas: components } }),
  );
}

/** Shows the keywords of the query parameter `p` after some queries. */
function inQuery(
  schema: Schema,
  queries: readonly string[],
  more: Schema = {},
  components?: Schema,
): Shown {
  const map = newMap({ parameters: [{ name: "p", in: "query", schema, ...more }] }, components);
  for (const query of queries) map.record({ method: "POST", url: `/x?${query}` });
  return shownBy(map);
}

/** Shows the keywords of a form after one field was sent. */
function inForm(mediaType: string, schema: Schema, name: string, value: string, type = ""): Shown {
  const map = newMap({ requestBody: { content: { [mediaType]: { schema } } } });
  const head = `Content-Disposition: form-data; name="${name}"${
    type && `\r\nContent-Type: ${type}`
  }`;
  const isForm = mediaType === URLENCODED;
  map.record({
    method: "POST",
    url: "/x",
    headers: { "Content-Type": isForm ? mediaType : `${mediaType}; boundary=B` },
    body: isForm ? `${name}=${value}` : `--B\r\n${head}\r\n\r\n${value}\r\n--B--`,
  });
  return shownBy(map);
}

const POSITIVE = ["Positive", 0, 0];
const INTEGER = { type: "integer" };
const STRING = { type: "string" };

Deno.test("keywords under text that is never read as a list or an object are Positive", () => {
  const schema = { type: "string", items: { enum: ["a"] }, properties: { a: { minLength: 1 } } };
  const shown = {
    type: ["Positive", 1, 0],
    items: POSITIVE,
    "items/enum": POSITIVE,
    properties: POSITIVE,
    "properties/a/minLength": POSITIVE,
  };
  for (const style of ["form", "spaceDelimited", "pipeDelimited", "deepObject"]) {
    assert.deepEqual(inQuery(schema, ["p=b"], { style }), shown, style);
  }
  const field = inForm(URLENCODED, { type: "object", properties: { p: schema } }, "p", "b");
  assert.deepEqual(field["properties/p/items/enum"], POSITIVE);
  assert.deepEqual(field["properties/p/properties/a/minLength"], POSITIVE);
});

Deno.test("keywords under property names that a closed object in a query never takes are Positive", () => {
  const schema = {
    type: "object",
    properties: { a: INTEGER },
    patternProperties: { "^x": { enum: [1] } },
    additionalProperties: false,
  };
  const shown = inQuery(schema, ["a=1&x1=1"]);
  assert.deepEqual(shown["patternProperties/^x/enum"], POSITIVE);
  assert.deepEqual(
    inQuery(schema, ["p[x1]=1"], { style: "deepObject" })["patternProperties/^x/enum"],
    ["Normal", 1, 0],
  );
});

Deno.test("additional properties of one schema are decoded as another schema declares them", () => {
  const declared = { properties: { b: { type: "number" } } };
  const rest = { type: "object", additionalProperties: STRING };
  const shown = inQuery({ oneOf: [declared, rest] }, ["b=5"]);
  assert.deepEqual(shown["oneOf/1/additionalProperties/type"], ["Normal", 0, 1]);
  assert.deepEqual(shown["oneOf/1/additionalProperties"], ["Normal", 0, 1]);

  const unevaluated = inQuery(
    { type: "object", anyOf: [{ ...declared, minProperties: 2 }], unevaluatedProperties: STRING },
    ["b=5"],
  );
  assert.deepEqual(unevaluated["unevaluatedProperties/type"], ["Normal", 0, 1]);
});

Deno.test("a property that matches two patterns is decoded by both", () => {
  const deep = { style: "deepObject" };
  const patterned = (other: string) => ({
    type: "object",
    patternProperties: { "^a": STRING, [other]: INTEGER },
  });
  const shown = inQuery(patterned("b$"), ["p[ab]=5"], deep);
  assert.deepEqual(shown["patternProperties/^a/type"], ["Normal", 0, 1]);
  assert.deepEqual(shown["patternProperties/b$/type"], ["Normal", 1, 0]);
  const apart = inQuery(patterned("^b"), ["p[ab]=5"], deep);
  assert.deepEqual(apart["patternProperties/^a/type"], ["Positive", 1, 0]);
});

Deno.test("a property is judged by everything that its patterns allow it to be decoded to", () => {
  const deep = { style: "deepObject" };
  const patterns = { "^a": { type: "integer", minimum: 3 }, "^s": STRING };
  const rest = { type: "object", patternProperties: patterns, additionalProperties: STRING };
  assert.deepEqual(inQuery(rest, ["p[a]=1"], deep), {
    type: ["Positive", 1, 0],
    patternProperties: ["Normal", 0, 1],
    "patternProperties/^a/type": ["Normal", 1, 0],
    "patternProperties/^a/minimum": ["Normal", 0, 1],
    "patternProperties/^s/type": POSITIVE,
    additionalProperties: POSITIVE,
    "additionalProperties/type": POSITIVE,
  });
  const properties = { a: INTEGER };
  const both = { type: "object", properties, patternProperties: { "^a": STRING } };
  assert.deepEqual(inQuery(both, ["p[a]=1"], deep)["patternProperties/^a/type"], ["Normal", 0, 1]);
  const without = { type: "object", else: { properties }, additionalProperties: STRING };
  const shown = inQuery(without, ["p[a]=1"], deep);
  assert.deepEqual(shown["additionalProperties/type"], ["Positive", 1, 0], "an else without if");
});

Deno.test("an item is decoded by all schemas for its index", () => {
  const allOf = [{ prefixItems: [STRING, INTEGER] }, { items: STRING }];
  const shown = inQuery({ type: "array", allOf }, ["p=a&p=5"]);
  assert.deepEqual(shown["allOf/1/items/type"], ["Normal", 1, 1]);
});

Deno.test("items of a list in a multipart form are judged as text and as JSON, which one part can hold", () => {
  const schema = { type: "object", properties: { a: { type: "array", items: STRING } } };
  const part = inForm("multipart/form-data", schema, "a", "[5]", "application/json");
  assert.deepEqual(part["properties/a/items/type"], ["Normal", 0, 1]);
  assert.deepEqual(part["properties/a/type"], ["Positive", 1, 0]);
  const text = inForm(URLENCODED, schema, "a", "[5]");
  assert.deepEqual(text["properties/a/items/type"], ["Positive", 1, 0]);
});

Deno.test("a keyword that can't fail as text and can't pass as JSON is Normal if both are sent", () => {
  const shown = (properties: Schema) => {
    const form = { [URLENCODED]: { schema: { properties } } };
    const Never = { type: "string", contains: false };
    const map = newMap({ requestBody: { content: form } }, { Never });
    map.record({ method: "POST", url: "/x", headers: { "Content-Type": URLENCODED }, body: "b=1" });
    return shownBy(map)["Never/contains"];
  };
  const never = { $ref: "#/components/schemas/Never" };
  const inJson = { type: "object", properties: { a: never } };
  assert.deepEqual(shown({ text: never }), ["Positive", 0, 0]);
  assert.deepEqual(shown({ json: inJson }), ["Negative", 0, 0]);
  assert.deepEqual(shown({ text: never, json: inJson }), ["Normal", 0, 0]);
  assert.deepEqual(shown({ json: inJson, text: never }), ["Normal", 0, 0]);
  const map = CoverageMap.fromDict(shopApi({
    "/x": {
      post: {
        requestBody: {
          content: {
            "application/json": {
              itemSchema: { $ref: "#/components/schemas/Never" },
              schema: { $ref: "#/components/schemas/Never" },
            },
          },
        },
      },
    },
  }, { openapi: "3.2.0", components: { schemas: { Never: { contains: false } } } }));
  const headers = { "Content-Type": "application/json" };
  map.record({ method: "POST", url: "/x", headers, body: "{}" });
  assert.deepEqual(shownBy(map)["Never/contains"], ["Negative", 0, 0]);
});

Deno.test("types are found in dependentSchemas and unevaluatedItems", () => {
  const dependentSchemas = { a: { properties: { b: INTEGER } } };
  const demanded = inQuery({ type: "object", dependentSchemas }, ["a=1&b=2"]);
  assert.deepEqual(demanded["dependentSchemas/a/properties/b/type"], ["Normal", 1, 0]);

  const items = { type: "array", prefixItems: [STRING], unevaluatedItems: INTEGER };
  assert.deepEqual(inQuery(items, ["p=a&p=5"])["unevaluatedItems/type"], ["Normal", 1, 0]);
});

Deno.test("types of items are taken from contains if no keyword says what all items are", () => {
  const contains = { type: "array", contains: INTEGER };
  const found = inQuery(contains, ["p=5", "p=x"]);
  assert.deepEqual(found["contains"], ["Normal", 1, 1]);
  assert.deepEqual(found["contains/type"], ["Normal", 1, 1]);
  const both = inQuery({ ...contains, items: STRING }, ["p=5"]);
  assert.deepEqual(both["items/type"], ["Positive", 1, 0]);
  const tuple = { prefixItems: [STRING], items: INTEGER, contains: { maximum: 3 } };
  const read = inQuery({ type: "array", ...tuple }, ["p=a&p=5"]);
  assert.deepEqual(read["contains/maximum"], ["Normal", 0, 1]);
});

Deno.test("types are found through $dynamicRef in its dynamic scope", () => {
  const list = {
    $id: "https://example.com/list",
    type: "array",
    items: { $dynamicRef: "#item" },
    $defs: { any: { $dynamicAnchor: "item" } },
  };
  const of = (name: string, item: Schema) => ({
    $id: `https://example.com/${name}`,
    $ref: "list",
    $defs: { item: { $dynamicAnchor: "item", ...item } },
  });
  const components = { list, numbers: of("numbers", INTEGER), texts: of("texts", STRING) };
  const lists = (name: string) =>
    inQuery({ $ref: `#/components/schemas/${name}` }, ["p=5"], {}, components);
  assert.deepEqual(lists("numbers")["numbers/$defs/item/type"], ["Normal", 1, 0]);
  assert.deepEqual(lists("texts")["texts/$defs/item/type"], ["Positive", 1, 0]);
  const anchored = { number: { $dynamicAnchor: "number", ...INTEGER } };
  const alone = inQuery({ $dynamicRef: "#number" }, ["p=5"], {}, anchored);
  assert.deepEqual(alone["number/type"], ["Normal", 1, 0]);
});

Deno.test("without a type, properties mean object and items mean array", () => {
  const untyped = inQuery({ items: INTEGER }, ["p=1&p=2"]);
  assert.deepEqual(untyped["items/type"], ["Normal", 2, 0]);
  assert.deepEqual(inQuery({ properties: { a: INTEGER } }, ["a=1"])["properties/a/type"], [
    "Normal",
    1,
    0,
  ]);
  const named = inQuery({ anyOf: [STRING], properties: { a: INTEGER } }, ["p=1"]);
  assert.deepEqual(named["properties/a/type"], POSITIVE);
  const schema = { properties: { a: { properties: { b: INTEGER } } } };
  const json = inForm("multipart/form-data", schema, "a", '{"b":1}', "application/json");
  assert.deepEqual(json["properties/a/properties/b/type"], ["Normal", 1, 0]);
});

Deno.test("itemSchema is never reached where the media type isn't sequential", () => {
  const media = { itemSchema: INTEGER, schema: { type: "array" } };
  const shown = (mediaType: string, body: string) => {
    const map = CoverageMap.fromDict(
      shopApi({ "/x": { post: { requestBody: { content: { [mediaType]: media } } } } }, {
        openapi: "3.2.0",
      }),
    );
    map.record({ method: "POST", url: "/x", headers: { "Content-Type": mediaType }, body });
    const keywords = map.report().operations[0]?.parameters[0]?.keywords ?? [];
    return keywords.map(({ satisfiability, valid }) => [satisfiability, valid]);
  };
  assert.deepEqual(shown("application/jsonl", "1\n2"), [["Normal", 1], ["Normal", 2]]);
  assert.deepEqual(shown("application/json", "[1,2]"), [["Normal", 1], ["Positive", 0]]);
});

Deno.test("null in text is a string: type null fails, and an alternative that can't fail decides", () => {
  const or = (other: Schema, keyword = "anyOf") => ({ [keyword]: [other, { type: "null" }] });
  const queries = ["p=null", "p=", "p=5"];
  for (const keyword of ["anyOf", "oneOf"]) {
    assert.deepEqual(inQuery(or(STRING, keyword), queries), {
      [keyword]: ["Positive", 3, 0],
      [`${keyword}/0/type`]: ["Positive", 3, 0],
      [`${keyword}/1/type`]: ["Negative", 0, 3],
    });
    assert.deepEqual(inQuery(or(INTEGER, keyword), queries), {
      [keyword]: ["Normal", 1, 2],
      [`${keyword}/0/type`]: ["Normal", 1, 2],
      [`${keyword}/1/type`]: ["Negative", 0, 3],
    });
  }
  assert.deepEqual(inQuery({ type: ["string", "null"] }, queries).type, ["Positive", 3, 0]);
  assert.deepEqual(inQuery({ type: "null" }, queries).type, ["Negative", 0, 3]);
  const field = inForm(URLENCODED, { properties: { p: or(STRING) } }, "p", "null");
  assert.deepEqual(field["properties/p/anyOf/1/type"], ["Negative", 0, 1]);
});

Deno.test("oneOf can fail even if one alternative always passes, where another can pass", () => {
  const { oneOf } = inQuery({ oneOf: [STRING, { maxLength: 1 }] }, ["p=a"]);
  assert.deepEqual(oneOf, ["Normal", 0, 1]);
  const nested = { oneOf: [{ anyOf: [{ type: "null" }, { enum: [] }] }, STRING] };
  assert.deepEqual(inQuery(nested, ["p=a"]).oneOf, ["Positive", 1, 0]);
});

Deno.test("a form field that is sent as JSON can be null", () => {
  const p = { type: ["object", "null"] };
  const shown = inForm(URLENCODED, { properties: { p } }, "p", "null");
  assert.deepEqual(shown["properties/p/type"], ["Normal", 1, 0]);
});

Deno.test("a type that text is never decoded to is Negative, with a diagnostic", () => {
  const items = { type: "array", items: { type: "object" } };
  assert.deepEqual(inQuery(items, ["p=1"])["items/type"], ["Negative", 0, 1]);
  const parameters = [{ name: "p", in: "query", schema: { anyOf: [items, { type: "null" }] } }];
  const found = newMap({ parameters }).diagnostics();
  assert.deepEqual(
    found.map(({ severity, code, schema_path, message }) => [severity, code, schema_path, message]),
    [[
      "warning",
      "unsendable_type",
      "/paths/~1x/post/parameters/0/schema/anyOf/0/items/type",
      "`p` (query) is never read as object here, so no request can meet this `type`, and it is not counted.",
    ]],
  );
});
