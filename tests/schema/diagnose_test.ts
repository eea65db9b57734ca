import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";

function messagesOf(openapi: string, schema: unknown): string[] {
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

Deno.test("keywords that cannot be used are ignored, each with a sentence at its place", () => {
  const schema = {
    type: "text",
    pattern: "([",
    minLength: "1",
    $ref: 5,
    properties: { a: 1, b: { enum: "x" } },
    patternProperties: { "(": {} },
  };
  assert.deepEqual(messagesOf("3.1.0", schema), [
    "warning invalid_reference /$ref The `$ref` must be a string: it is ignored.",
    "warning invalid_keyword /type The `type` must name a type: null, boolean, integer, number, string, array or object: it is ignored.",
    "warning invalid_keyword /pattern The `pattern` is no regular expression (unterminated character class): it is ignored.",
    "warning invalid_keyword /minLength The `minLength` must be a number: it is ignored.",
    "warning invalid_keyword /properties/a The member `a` of `properties` must be a schema: it is ignored.",
    "warning invalid_keyword /patternProperties/( The member `(` of `patternProperties` has a name that is no regular expression (unterminated group): it is ignored.",
    "warning invalid_keyword /properties/b/enum The `enum` must be a list of values: it is ignored.",
  ]);
});

Deno.test("a keyword or type list that OpenAPI 3.0 lacks is ignored, and said", () => {
  assert.deepEqual(messagesOf("3.0.3", { type: ["string", "null"], const: 1, "x-const": 2 }), [
    "warning unsupported_keyword /const OpenAPI 3.0 does not have `const`: it is ignored.",
    "warning invalid_keyword /type The `type` is a list, which OpenAPI 3.0 does not have: it is ignored.",
  ]);
  assert.deepEqual(messagesOf("3.1.0", { type: ["string", "null"], const: "a", nullable: true }), [
    "info unsupported_keyword /nullable JSON Schema 2020-12 does not have `nullable`: it is ignored.",
  ]);
});

Deno.test("a boolean schema where the version has none is ignored, and said", () => {
  const schema = {
    properties: { a: true },
    items: false,
    not: true,
    allOf: [{ type: "object" }, false],
    additionalProperties: false,
  };
  const sentence = "OpenAPI 3.0 has no boolean schemas: it is ignored.";
  assert.deepEqual(messagesOf("3.0.3", schema).toSorted(), [
    `warning invalid_keyword /allOf The \`allOf\` holds \`false\`, and ${sentence}`,
    `warning invalid_keyword /items The \`items\` is \`false\`, and ${sentence}`,
    `warning invalid_keyword /not The \`not\` is \`true\`, and ${sentence}`,
    `warning invalid_keyword /properties/a The member \`a\` of \`properties\` is \`true\`, and ${sentence}`,
  ]);
  assert.deepEqual(messagesOf("3.1.0", schema), []);
  const $schema = "http://json-schema.org/draft-04/schema#";
  const draft4 = messagesOf("3.1.0", { $schema, not: true, items: [], additionalItems: false });
  assert.deepEqual(draft4, [
    "warning invalid_keyword /not The `not` is `true`, and JSON Schema draft 4 has no boolean schemas: it is ignored.",
  ]);
});

Deno.test("contradictions are said at the first of the keywords", () => {
  assert.deepEqual(messagesOf("3.1.0", { minLength: 3, maxLength: 2, minimum: 1, maximum: 1 }), [
    "warning contradiction /minLength `minLength: 3` and `maxLength: 2` contradict each other: nothing is valid.",
  ]);
  assert.deepEqual(messagesOf("3.1.0", { exclusiveMinimum: 1, maximum: 1 }), [
    "warning contradiction /exclusiveMinimum `exclusiveMinimum: 1` and `maximum: 1` contradict each other: nothing is valid.",
  ]);
  assert.deepEqual(messagesOf("3.1.0", { type: "string", enum: [1, null] }), [
    "warning contradiction /enum `enum` and `type` contradict each other: nothing is valid.",
  ]);
});

Deno.test("a reference that leads nowhere accepts anything", () => {
  assert.deepEqual(messagesOf("3.0.3", { items: { $ref: "#/components/schemas/No" } }), [
    "warning unresolved_reference /items/$ref The reference `#/components/schemas/No` leads nowhere: anything is accepted here.",
  ]);
});
