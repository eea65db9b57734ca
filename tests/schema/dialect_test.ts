import assert from "node:assert/strict";
import {
  DRAFT_04,
  DRAFT_06,
  DRAFT_07,
  DRAFT_2019_09,
  DRAFT_2020_12,
  findDialect,
  OPENAPI_3_0_SCHEMA,
  SWAGGER_2_0,
  SWAGGER_2_0_PARAMETER,
} from "../../src/schema/dialect.ts";
import { References } from "../../src/schema/references.ts";
import { SchemaGraph } from "../../src/schema/schema_node.ts";
import { optionalOverrides } from "../../src/schema/optional_overrides.ts";

Deno.test("each dialect tracks the keywords that its specification has", () => {
  const sizes = [
    [SWAGGER_2_0_PARAMETER, 15],
    [SWAGGER_2_0, 21],
    [OPENAPI_3_0_SCHEMA, 25],
    [DRAFT_04, 27],
    [DRAFT_06, 30],
    [DRAFT_07, 33],
    [DRAFT_2019_09, 38],
    [DRAFT_2020_12, 38],
  ] as const;
  for (const [dialect, size] of sizes) assert.equal(dialect.keywords.size, size, dialect.name);
  const only = (one: typeof DRAFT_07, other: typeof DRAFT_07) =>
    [...one.keywords].filter((keyword) => !other.keywords.has(keyword));
  assert.deepEqual(only(OPENAPI_3_0_SCHEMA, DRAFT_04), ["nullable"]);
  assert.deepEqual(only(DRAFT_07, DRAFT_06), ["if", "then", "else"]);
  assert.deepEqual(only(DRAFT_07, DRAFT_2019_09), ["dependencies"]);
  assert.deepEqual(only(DRAFT_2019_09, DRAFT_2020_12), ["additionalItems"]);
  assert.deepEqual(only(DRAFT_2020_12, DRAFT_2019_09), ["prefixItems"]);
});

Deno.test("each dialect has its dynamic reference and its example keywords", () => {
  assert.equal(DRAFT_07.dynamicReference, undefined);
  assert.equal(DRAFT_2019_09.dynamicReference, "$recursiveRef");
  assert.equal(DRAFT_2020_12.dynamicReference, "$dynamicRef");
  assert.deepEqual([...OPENAPI_3_0_SCHEMA.exampleKeywords], ["default", "example"]);
  assert.deepEqual([...DRAFT_2020_12.exampleKeywords], ["default", "example", "examples"]);
});

Deno.test("a dialect is found by its URI, with http, https or a trailing #", () => {
  assert.equal(findDialect("http://json-schema.org/draft-04/schema#"), DRAFT_04);
  assert.equal(findDialect("https://json-schema.org/draft/2019-09/schema"), DRAFT_2019_09);
  assert.equal(findDialect("https://spec.openapis.org/oas/3.1/dialect/base"), DRAFT_2020_12);
  assert.equal(findDialect("https://example.com/own"), undefined);
});

Deno.test("a schema's dialect comes from the nearest $schema around it, or else jsonSchemaDialect", () => {
  const draft07 = "http://json-schema.org/draft-07/schema#";
  const schemas = { a: {}, b: { $schema: "http://json-schema.org/draft-04/schema#", c: {} } };
  const dialectsIn = (root: object, versioned: boolean) => {
    const value = { ...root, schemas };
    const document = { uri: "file:///schemas.json", value, label: "" };
    const references = new References([document], { hasIdentifiers: true });
    const graph = new SchemaGraph(references, DRAFT_2020_12, {
      findOptional: optionalOverrides,
      versioned,
    });
    return ["/schemas/a", "/schemas/b/c"].map((pointer) => {
      const node = graph.nodeAt({ value: {}, document, pointer });
      return typeof node === "object" ? node.dialect : undefined;
    });
  };
  assert.deepEqual(dialectsIn({}, true), [DRAFT_2020_12, DRAFT_04]);
  assert.deepEqual(dialectsIn({ $schema: draft07 }, true), [DRAFT_07, DRAFT_04]);
  assert.deepEqual(dialectsIn({ jsonSchemaDialect: draft07 }, true), [DRAFT_07, DRAFT_04]);
  assert.deepEqual(dialectsIn({ $schema: draft07 }, false), [DRAFT_2020_12, DRAFT_2020_12]);
});
