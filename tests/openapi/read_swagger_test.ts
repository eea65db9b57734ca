import assert from "node:assert/strict";
import { loadFromDict } from "../../src/openapi/load.ts";
import type { ApiModel, ParameterModel } from "../../src/openapi/model.ts";
import { readModel } from "../../src/openapi/read_model.ts";

function swagger(operations: object, more: object = {}): ApiModel {
  return readModel(loadFromDict({ swagger: "2.0", paths: { "/a": operations }, ...more }));
}

function read(parameters: readonly object[], more: object = {}): readonly ParameterModel[] {
  return swagger({ post: { parameters } }, more).operations[0]?.parameters ?? [];
}

Deno.test("readModel() uses a Swagger 2.0 parameter as its own schema, and a body's schema", () => {
  const [query, body] = read([
    { name: "q", in: "query", type: "integer", default: 5 },
    { name: "pet", in: "body", required: true, schema: { type: "object" } },
  ]);
  assert.equal(query?.schema, query?.place);
  assert.equal(query?.schema?.pointer, "/paths/~1a/post/parameters/0");
  assert.deepEqual([body?.location, body?.name, body?.required, body?.in, body?.schema?.pointer], [
    ...["body", "pet", true, "body", "/paths/~1a/post/parameters/1/schema"],
  ]);
  assert.equal(body?.mediaType, undefined);
});

Deno.test("readModel() lists the collection formats of nested arrays, outermost first", () => {
  const array = (collectionFormat: string | undefined, items: object): object => ({
    type: "array",
    items,
    ...(collectionFormat !== undefined && { collectionFormat }),
  });
  const parameters = read([
    {
      name: "a",
      in: "query",
      ...array("multi", array("pipes", array(undefined, { type: "string" }))),
    },
    { name: "b", in: "formData", ...array(undefined, { type: "string" }) },
    { name: "c", in: "header", ...array("multi", { type: "string" }) },
    { name: "d", in: "query", type: "string", collectionFormat: "ssv" },
  ]);
  assert.deepEqual(parameters.map(({ collectionFormat, explode }) => [collectionFormat, explode]), [
    [["multi", "pipes", "csv"], true],
    [["csv"], false],
    [["csv"], false],
    [undefined, false],
  ]);
});

Deno.test("readModel() reports collection formats that don't exist or aren't allowed at their place", () => {
  const { diagnostics } = swagger({
    post: {
      parameters: [
        { name: "c", in: "header", type: "array", items: {}, collectionFormat: "multi" },
        { name: "d", in: "query", type: "array", items: {}, collectionFormat: "commas" },
      ],
    },
  });
  assert.deepEqual(diagnostics.map(({ code, schema_path }) => `${code} ${schema_path}`), [
    "invalid_collection_format /paths/~1a/post/parameters/0/collectionFormat",
    "invalid_collection_format /paths/~1a/post/parameters/1/collectionFormat",
  ]);
});

Deno.test("readModel() uses consumes of the operation or the document for bodies and form fields", () => {
  const { operations } = swagger({
    parameters: [{ $ref: "#/parameters/Body" }],
    post: {},
    put: { consumes: ["text/csv"], parameters: [{ name: "q", in: "query", type: "string" }] },
    patch: { consumes: [] },
    delete: { parameters: [{ name: "f", in: "formData", type: "file" }] },
  }, {
    consumes: ["application/json"],
    parameters: { Body: { name: "b", in: "body", schema: {} } },
  });
  assert.deepEqual(
    operations.map(({ parameters }) => parameters.map(({ name, consumes }) => [name, consumes])),
    [
      [["b", ["application/json"]]],
      [["b", ["text/csv"]], ["q", undefined]],
      [["b", undefined]],
      [["b", ["application/json"]], ["f", ["application/json"]]],
    ],
  );
});

Deno.test("readModel() replaces the path item's body with the operation's, even if its name differs", () => {
  const { operations: [post] } = swagger({
    parameters: [{ name: "a", in: "body", schema: {} }],
    post: { parameters: [{ name: "b", in: "body", schema: {} }] },
  });
  assert.deepEqual(post?.parameters.map(({ name }) => name), ["b"]);
});

Deno.test("readModel() refuses cookies in Swagger 2.0 and uses its basePath", () => {
  const api = swagger({ post: { parameters: [{ name: "c", in: "cookie", type: "string" }] } }, {
    basePath: "v1//x/",
    host: "example.com",
  });
  assert.deepEqual(api.basePaths, ["/v1/x"]);
  assert.deepEqual(api.operations[0]?.parameters, []);
  assert.deepEqual(api.diagnostics.map(({ code }) => code), ["unknown_location"]);
  assert.deepEqual(swagger({ get: {} }, { basePath: "/" }).basePaths, []);
});
