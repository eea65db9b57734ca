import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";

function messages(openapi: string, schema: unknown): string[] {
  const content = { "application/json": { schema } };
  const map = CoverageMap.fromDict({
    openapi,
    info: { title: "T", version: "1" },
    paths: { "/t": { post: { requestBody: { content } } } },
  });
  const at = "/paths/~1t/post/requestBody/content/application~1json/schema";
  return map.diagnostics().map(({ severity, code, message, schema_path }) =>
    `${severity} ${code} ${schema_path.replace(at, "")} ${message}`
  );
}

Deno.test("invalid keywords are ignored, each with a diagnostic at its place", () => {
  const schema = {
    type: "text",
    pattern: "([",
    minLength: "1",
    $ref: 5,
    properties: { a: 1, b: { enum: "x" } },
    patternProperties: { "(": {} },
  };
  assert.deepEqual(messages("3.1.0", schema), [
    "warning invalid_reference /$ref `$ref` must be a string, so it is ignored.",
    "warning invalid_keyword /type `type` must be null, boolean, integer, number, string, array or object, so it is ignored.",
    "warning invalid_keyword /pattern `pattern` is not a valid regular expression (unterminated character class), so it is ignored.",
    "warning invalid_keyword /minLength `minLength` must be a number, so it is ignored.",
    "warning invalid_keyword /properties/a Member `a` of `properties` must be a schema, so it is ignored.",
    "warning invalid_keyword /patternProperties/( Member `(` of `patternProperties` has a name that is not a valid regular expression (unterminated group), so it is ignored.",
    "warning invalid_keyword /properties/b/enum `enum` must be a list of values, so it is ignored.",
  ]);
});

Deno.test("dependent keywords must map names to lists of names or to schemas", () => {
  const message = (keyword: string, value: unknown) => messages("3.1.0", { [keyword]: value });
  assert.deepEqual(message("dependentRequired", ["a"]), [
    "warning invalid_keyword /dependentRequired `dependentRequired` must map property names to a list of names each, so it is ignored.",
  ]);
  assert.deepEqual(message("dependentSchemas", 5), [
    "warning invalid_keyword /dependentSchemas `dependentSchemas` must map property names to a schema each, so it is ignored.",
  ]);
  assert.deepEqual(message("dependentRequired", { a: true }), [
    "warning invalid_keyword /dependentRequired/a Member `a` of `dependentRequired` must be a list of names, so it is ignored.",
  ]);
});

Deno.test("a keyword or type list that OpenAPI 3.0 doesn't have is ignored with a diagnostic", () => {
  assert.deepEqual(messages("3.0.3", { type: ["string", "null"], const: 1, "x-const": 2 }), [
    "warning unsupported_keyword /const OpenAPI 3.0 does not support `const`, so it is ignored.",
    "warning invalid_keyword /type `type` is a list, which OpenAPI 3.0 does not support, so it is ignored.",
  ]);
  assert.deepEqual(messages("3.1.0", { type: ["string", "null"], const: "a", nullable: true }), [
    "info unsupported_keyword /nullable JSON Schema 2020-12 does not support `nullable`, so it is ignored.",
  ]);
});

Deno.test("a boolean schema in a version that doesn't have them is ignored with a diagnostic", () => {
  const schema = {
    properties: { a: true },
    items: false,
    not: true,
    allOf: [{ type: "object" }, false],
    additionalProperties: false,
  };
  const sentence = "OpenAPI 3.0 does not support boolean schemas, so it is ignored.";
  assert.deepEqual(messages("3.0.3", schema).toSorted(), [
    `warning invalid_keyword /allOf/1 \`allOf\` holds \`false\`, and ${sentence}`,
    `warning invalid_keyword /items \`items\` is \`false\`, and ${sentence}`,
    `warning invalid_keyword /not \`not\` is \`true\`, and ${sentence}`,
    `warning invalid_keyword /properties/a Member \`a\` of \`properties\` is \`true\`, and ${sentence}`,
  ]);
  assert.deepEqual(messages("3.1.0", schema), []);
  const $schema = "http://json-schema.org/draft-04/schema#";
  const draft4 = messages("3.1.0", { $schema, not: true, items: [], additionalItems: false });
  assert.deepEqual(draft4, [
    "warning invalid_keyword /not `not` is `true`, and JSON Schema draft 4 does not support boolean schemas, so it is ignored.",
  ]);
});

Deno.test("a list of schemas with an invalid item is ignored, with a diagnostic at the item", () => {
  const schema = {
    allOf: [{}, { type: "string" }, 5],
    anyOf: [true, {}],
    oneOf: {},
    not: { oneOf: [] },
    prefixItems: [{}, null],
    items: { anyOf: [{ items: "x" }, "y"] },
  };
  assert.deepEqual(messages("3.1.0", schema), [
    "warning invalid_keyword /allOf/2 `allOf` must be a list of schemas, so it is ignored.",
    "warning invalid_keyword /oneOf `oneOf` must be a list of schemas, so it is ignored.",
    "warning invalid_keyword /prefixItems/1 `prefixItems` must be a list of schemas, so it is ignored.",
    "warning invalid_keyword /not/oneOf `oneOf` must not be empty, so it is ignored.",
    "warning invalid_keyword /items/anyOf/1 `anyOf` must be a list of schemas, so it is ignored.",
  ]);
  assert.deepEqual(
    messages("3.1.0", { $schema: "http://json-schema.org/draft-07/schema#", items: [{}, 1] }),
    [
      "warning invalid_keyword /items/1 `items` must be a schema or a list of schemas, so it is ignored.",
    ],
  );
  const draft07 = { $schema: "http://json-schema.org/draft-07/schema#", items: [{}, 1] };
  assert.deepEqual(messages("3.1.0", { multipleOf: 0 }), [
    "warning invalid_keyword /multipleOf `multipleOf` must be a number above 0, so it is ignored.",
  ]);
  assert.deepEqual(messages("3.1.0", { not: draft07, multipleOf: Infinity }), [
    "warning invalid_keyword /multipleOf `multipleOf` must be a number above 0, so it is ignored.",
    "warning invalid_keyword /not/items/1 `items` must be a schema or a list of schemas, so it is ignored.",
  ]);
});

Deno.test("a contradiction is reported at the first of the keywords involved", () => {
  assert.deepEqual(messages("3.1.0", { minLength: 3, maxLength: 2, minimum: 1, maximum: 1 }), [
    "warning contradiction /minLength `minLength: 3` and `maxLength: 2` contradict each other, so no value is valid.",
  ]);
  assert.deepEqual(messages("3.1.0", { exclusiveMinimum: 1, maximum: 1 }), [
    "warning contradiction /exclusiveMinimum `exclusiveMinimum: 1` and `maximum: 1` contradict each other, so no value is valid.",
  ]);
  assert.deepEqual(messages("3.1.0", { type: "string", enum: [1, null] }), [
    "warning contradiction /enum `enum` and `type` contradict each other, so no value is valid.",
  ]);
});

Deno.test("a reference that cannot be resolved accepts anything", () =>
  assert.deepEqual(messages("3.0.3", { items: { $ref: "#/components/schemas/No" } }), [
    "warning unresolved_reference /items/$ref The reference `#/components/schemas/No` cannot be resolved, so any value is accepted here.",
  ]));
