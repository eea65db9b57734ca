import assert from "node:assert/strict";
import { loadFromDict } from "../../src/openapi/load.ts";
import type { ApiModel, OperationModel, ParameterModel } from "../../src/openapi/model.ts";
import { readModel } from "../../src/openapi/read_model.ts";

function model(version: string, paths: unknown, more: object = {}): ApiModel {
  return readModel(loadFromDict({
    [version.startsWith("2") ? "swagger" : "openapi"]: version,
    info: { title: "T", version: "1" },
    paths,
    ...more,
  }));
}

/** The operation of an API with one path. */
function operation(version: string, fields: object, more: object = {}): OperationModel {
  const { operations: [only] } = model(version, { "/a/{id}": { get: fields } }, more);
  assert(only !== undefined);
  return only;
}

function names(parameters: readonly ParameterModel[]): string[] {
  return parameters.map(({ location, name }) => `${location} ${name}`);
}

function saidIn({ diagnostics }: ApiModel): string[] {
  return diagnostics.map(({ code, schema_path }) => `${code} ${schema_path}`);
}

const ID = { name: "id", in: "path", required: true, schema: { type: "string" } };

Deno.test("readModel() lists one operation per path and method, in document order, without webhooks", () => {
  const api = model("3.1.0", {
    "/b": { post: {}, get: { operationId: "b", tags: ["x"], deprecated: true } },
    "/a": { trace: {}, summary: "s", "x-note": {}, parameters: [] },
    "x-paths": { get: {} },
  }, {
    webhooks: { w: { post: {} } },
    jsonSchemaDialect: "http://json-schema.org/draft-07/schema#",
  });
  assert.deepEqual(
    api.operations.map(({ method, path, pointer }) => `${method} ${path} ${pointer}`),
    ["POST /b /paths/~1b/post", "GET /b /paths/~1b/get", "TRACE /a /paths/~1a/trace"],
  );
  const [, get] = api.operations;
  assert.deepEqual([get?.operationId, get?.tags, get?.deprecated], ["b", ["x"], true]);
  assert.deepEqual(
    [api.version, api.specification, api.title, api.apiVersion, api.jsonSchemaDialect],
    ["3.1", "OpenAPI 3.1.0", "T", "1", "http://json-schema.org/draft-07/schema#"],
  );
  assert.deepEqual(api.diagnostics, []);
});

Deno.test("readModel() supports query and additionalOperations only in 3.2", () => {
  const paths = {
    "/a": { query: {}, additionalOperations: { COPY: {}, "x-Do": {} }, GET: {}, foo: {} },
  };
  assert.deepEqual(model("3.2.0", paths).operations.map(({ method }) => method), [
    "QUERY",
    "COPY",
    "x-Do",
  ]);
  const old = model("3.1.0", paths);
  assert.deepEqual(old.operations, []);
  assert.deepEqual(saidIn(old), [
    "unknown_field /paths/~1a/query",
    "unknown_field /paths/~1a/additionalOperations",
    "unknown_field /paths/~1a/GET",
    "unknown_field /paths/~1a/foo",
  ]);
});

Deno.test("readModel() reports methods that `additionalOperations` must not have", () => {
  const { operations, diagnostics } = model("3.2.0", {
    "/a": { additionalOperations: { get: { tags: ["other"] }, Post: {} }, get: {} },
  });
  assert.deepEqual(operations.map(({ method, tags }) => [method, tags]), [
    ["POST", []],
    ["GET", []],
  ]);
  assert.deepEqual(diagnostics.map(({ schema_path, message }) => `${schema_path}: ${message}`), [
    "/paths/~1a/additionalOperations/get: This must be the field `get` of the path item, which counts if both are there.",
    "/paths/~1a/additionalOperations/Post: This must be the field `post` of the path item, which counts if both are there.",
  ]);
});

Deno.test("readModel() lets an operation's parameters replace the path item's", () => {
  const { operations: [get], diagnostics } = model("3.0.3", {
    "/a/{id}": {
      parameters: [
        ID,
        { name: "X-Trace", in: "header", schema: {} },
        { name: "limit", in: "query", schema: { maximum: 1 } },
        { name: "page", in: "query", schema: {} },
      ],
      get: {
        parameters: [
          { name: "limit", in: "query", schema: { maximum: 2 } },
          { name: "x-trace", in: "header", schema: {} },
          { name: "page", in: "cookie", schema: {} },
        ],
      },
    },
  });
  assert.deepEqual(names(get?.parameters ?? []), [
    ...["path id", "query page", "query limit", "header x-trace", "cookie page"],
  ]);
  assert.deepEqual(get?.parameters[2]?.schema?.value, { maximum: 2 });
  assert.deepEqual(diagnostics, []);
});

Deno.test("readModel() adds the default style and explode of each location", () => {
  const { parameters } = operation("3.2.0", {
    parameters: [
      ID,
      { name: "q", in: "query", schema: {} },
      { name: "p", in: "query", style: "pipeDelimited", schema: {} },
      {
        name: "d",
        in: "query",
        style: "deepObject",
        explode: true,
        allowReserved: true,
        schema: {},
      },
      { name: "h", in: "header", schema: {} },
      { name: "c", in: "cookie", schema: {} },
      { name: "k", in: "cookie", style: "cookie", schema: {} },
      { name: "f", in: "query", explode: false, schema: {} },
    ],
  });
  assert.deepEqual(
    parameters.map((
      { name, style, explode, allowReserved },
    ) => [name, style, explode, allowReserved]),
    [
      ["id", "simple", false, false],
      ["q", "form", true, false],
      ["p", "pipeDelimited", false, false],
      ["d", "deepObject", true, true],
      ["h", "simple", false, false],
      ["c", "form", true, false],
      ["k", "cookie", true, false],
      ["f", "form", false, false],
    ],
  );
});

Deno.test("readModel() ignores Accept, Content-Type and Authorization in OpenAPI 3, but not in Swagger 2.0", () => {
  const headers = ["accept", "Content-Type", "AUTHORIZATION", "X-A"];
  const in3 = headers.map((name) => ({ name, in: "header", schema: {} }));
  assert.deepEqual(names(operation("3.0.0", { parameters: [ID, ...in3] }).parameters), [
    "path id",
    "header X-A",
  ]);
  const in2 = headers.map((name) => ({ name, in: "header", type: "string" }));
  assert.equal(operation("2.0", { parameters: in2 }).parameters.length, 4);
});

Deno.test("readModel() makes one parameter per media type of a body, with encoding and examples", () => {
  const { parameters: [, json, form] } = operation("3.0.3", {
    parameters: [ID],
    requestBody: {
      required: true,
      content: {
        "application/json; charset=utf-8": {
          schema: { type: "object" },
          example: null,
          examples: { a: { value: 1 }, b: { $ref: "#/components/examples/B" } },
        },
        "multipart/form-data": {
          schema: {},
          encoding: { tags: { style: "form", explode: false }, file: { contentType: "image/png" } },
        },
      },
    },
  }, { components: { examples: { B: { value: 2 } } } });
  assert.deepEqual(
    [json?.location, json?.name, json?.required, json?.in, json?.mediaType, json?.place.pointer],
    [
      "body",
      "application/json; charset=utf-8",
      true,
      "body",
      "application/json; charset=utf-8",
      "/paths/~1a~1{id}/get/requestBody/content/application~1json; charset=utf-8",
    ],
  );
  assert.deepEqual(json?.examples.map(({ value }) => value), [null, 1, 2]);
  assert.equal(json?.examples[2]?.pointer, "/components/examples/B/value");
  assert.deepEqual(form?.encoding, {
    tags: { style: "form", explode: false },
    file: { contentType: "image/png" },
  });
});

Deno.test("readModel() counts examples of parameters, and reports those that it can't count", () => {
  const api = model("3.2.0", {
    "/a": {
      get: {
        parameters: [{
          name: "q",
          in: "query",
          schema: {},
          examples: {
            plain: { value: [1] },
            data: { dataValue: 2 },
            far: { externalValue: "https://example.com" },
            bare: { name: "no Example Object" },
          },
        }],
      },
    },
  });
  assert.deepEqual(api.operations[0]?.parameters[0]?.examples.map(({ value }) => value), [
    [1],
    2,
  ]);
  assert.deepEqual(saidIn(api), [
    "external_example /paths/~1a/get/parameters/0/examples/far/externalValue",
    "example_without_value /paths/~1a/get/parameters/0/examples/bare",
  ]);
});

Deno.test("readModel() reads serialized examples in JSON, text and forms of OpenAPI 3.2, and reports others", () => {
  const examples = {
    one: { serializedValue: '{"a":1}' },
    both: { dataValue: { a: 2 }, serializedValue: "x" },
    broken: { serializedValue: "{" },
  };
  const content = {
    "application/json": { examples },
    "text/json": { examples: { one: { serializedValue: "[1]" } } },
    "text/csv": { examples: { one: { serializedValue: "a,b" } } },
    "application/x-www-form-urlencoded": { examples: { one: { serializedValue: "a=b" } } },
    "application/x-ndjson": { examples: { one: { serializedValue: "1" } } },
  };
  const api = model("3.2.0", { "/a": { post: { requestBody: { content } } } });
  const values = api.operations[0]?.parameters.map((parameter) =>
    parameter.examples.map(({ pointer, value }) => [pointer.split("/").slice(-2), value])
  );
  assert.deepEqual(values, [
    [[["one", "serializedValue"], { a: 1 }], [["both", "dataValue"], { a: 2 }]],
    [[["one", "serializedValue"], [1]]],
    [[["one", "serializedValue"], "a,b"]],
    [[["one", "serializedValue"], "a=b"]],
    [],
  ]);
  const at = "/paths/~1a/post/requestBody/content";
  assert.deepEqual(saidIn(api), [
    `example_without_value ${at}/application~1json/examples/broken/serializedValue`,
    `serialized_example ${at}/application~1x-ndjson/examples/one/serializedValue`,
  ]);
  const before = model("3.1.0", { "/a": { post: { requestBody: { content } } } });
  assert.ok(saidIn(before).some((said) => said.startsWith("example_without_value")));
});

Deno.test("readModel() reads parameters with content, querystring and itemSchema", () => {
  const { parameters: [, content, whole, body] } = operation("3.2.0", {
    parameters: [
      ID,
      { name: "w", in: "query", content: { "application/json": { schema: { type: "object" } } } },
      {
        name: "all",
        in: "querystring",
        content: { "application/json": { schema: {}, example: { a: 1 } } },
      },
    ],
    requestBody: { content: { "application/jsonl": { $ref: "#/components/mediaTypes/Lines" } } },
  }, { components: { mediaTypes: { Lines: { itemSchema: { type: "integer" } } } } });
  assert.deepEqual([content?.content, content?.schema?.value], ["application/json", {
    type: "object",
  }]);
  assert.deepEqual([whole?.location, whole?.in, whole?.content], [
    "query",
    "querystring",
    "application/json",
  ]);
  assert.equal(whole?.examples.length, 1);
  assert.equal(body?.place.pointer, "/components/mediaTypes/Lines");
  assert.deepEqual([body?.schema, body?.itemSchema?.value], [undefined, { type: "integer" }]);
});

Deno.test("readModel() follows chains of references and uses the pointer of the last target", () => {
  const api = model("3.0.3", { "/a": { $ref: "#/components/x" }, "/b": { $ref: "#/paths/~1a" } }, {
    components: {
      x: {
        parameters: [{ $ref: "#/components/parameters/P" }],
        post: {
          requestBody: { $ref: "#/components/requestBodies/B" },
          responses: { 200: { $ref: "#/components/responses/R" } },
        },
      },
      parameters: {
        P: { $ref: "#/components/parameters/Q" },
        Q: { name: "q", in: "query", schema: {} },
      },
      requestBodies: { B: { content: { "text/plain": {} } } },
      responses: { R: {} },
    },
  });
  assert.deepEqual(api.operations.map(({ path, pointer }) => [path, pointer]), [
    ["/a", "/components/x/post"],
    ["/b", "/components/x/post"],
  ]);
  assert.deepEqual(api.operations[1]?.parameters.map(({ place }) => place.pointer), [
    "/components/parameters/Q",
    "/components/requestBodies/B/content/text~1plain",
  ]);
  assert.deepEqual(api.diagnostics, []);
});

Deno.test("readModel() follows references of operations and of all paths", () => {
  const api = model("3.0.3", { $ref: "#/x-paths" }, {
    "x-paths": {
      "/a/{id}": { get: { $ref: "#/x-list" }, put: { $ref: "#/gone" } },
    },
    "x-list": {
      operationId: "list",
      parameters: [{ name: "id", in: "path", required: true, schema: {} }],
      responses: { 200: {} },
    },
  });
  const [get, put] = api.operations;
  assert.deepEqual([get?.pointer, get?.operationId], ["/x-list", "list"]);
  assert.deepEqual(names(get?.parameters ?? []), ["path id"]);
  assert.equal(get?.responses.length, 1);
  assert.deepEqual([put?.method, put?.pointer], ["PUT", "/x-paths/~1a~1{id}/put"]);
  assert.deepEqual(saidIn(api).sort(), [
    "undeclared_path_parameter /x-paths/~1a~1{id}/put",
    "unresolved_reference /x-paths/~1a~1{id}/put/$ref",
  ]);
});

Deno.test("readModel() merges the members of a path item beside its reference", () => {
  const { operations } = model("3.1.0", {
    "/a": {
      $ref: "#/components/pathItems/A",
      get: { operationId: "own" },
      parameters: [{ name: "q", in: "query", schema: { type: "integer" } }],
    },
  }, {
    components: {
      pathItems: {
        A: {
          get: { operationId: "other" },
          put: {},
          parameters: [
            { name: "q", in: "query", schema: {} },
            { name: "r", in: "query", schema: {} },
          ],
        },
      },
    },
  });
  assert.deepEqual(operations.map(({ method, operationId }) => [method, operationId]), [
    ["GET", "own"],
    ["PUT", null],
  ]);
  assert.deepEqual(names(operations[1]?.parameters ?? []), ["query r", "query q"]);
  assert.deepEqual(operations[1]?.parameters[1]?.schema?.value, { type: "integer" });
});

Deno.test("readModel() reports missing, circular and invalid references once each", () => {
  const api = model("3.0.3", {
    "/a": {
      parameters: [{ $ref: "#/components/parameters/Gone" }, { $ref: null }],
      get: {
        parameters: [{ $ref: "#/components/parameters/X" }],
        requestBody: { $ref: "#/nope" },
        responses: { 200: { $ref: "#/nope" }, 404: {} },
      },
      put: { parameters: [{ $ref: "#/components/parameters/X" }] },
    },
    "/b": { $ref: "#/paths/~1b" },
  }, {
    components: {
      parameters: {
        X: { $ref: "#/components/parameters/Y" },
        Y: { $ref: "#/components/parameters/X" },
      },
    },
  });
  assert.deepEqual(saidIn(api), [
    "unresolved_reference /paths/~1a/parameters/0/$ref",
    "invalid_reference /paths/~1a/parameters/1/$ref",
    "reference_cycle /components/parameters/Y/$ref",
    "unresolved_reference /paths/~1a/get/requestBody/$ref",
    "unresolved_reference /paths/~1a/get/responses/200/$ref",
    "reference_cycle /paths/~1b/$ref",
  ]);
  assert.match(api.diagnostics[1]?.message ?? "", /quotes/);
  assert.deepEqual(api.operations[0]?.responses.map(({ status_code }) => status_code), [
    "200",
    "404",
  ]);
});

Deno.test("readModel() orders responses by status, then ranges, then default", () => {
  const api = model("3.0.3", {
    "/a": {
      get: {
        responses: {
          default: {},
          "5xx": {},
          "404": {},
          "2XX": {},
          "200": {},
          "x-y": {},
          "20": {},
          ok: {},
        },
      },
    },
  });
  const responses = api.operations[0]?.responses ?? [];
  const statuses = ["200", "404", "2XX", "5xx", "default"];
  assert.deepEqual(responses.map(({ status_code }) => status_code), statuses);
  assert.deepEqual(
    responses.map(({ pointer }) => pointer),
    statuses.map((status) => `/paths/~1a/get/responses/${status}`),
  );
  assert.deepEqual(saidIn(api), [
    "invalid_status /paths/~1a/get/responses/20",
    "invalid_status /paths/~1a/get/responses/ok",
  ]);
});

Deno.test("readModel() reports wrong types as diagnostics and counts the rest", () => {
  const api = model("3.0.3", {
    "/list": [],
    "/null": null,
    "/ops": { get: null, put: "text", post: {} },
    "/fields": {
      parameters: { name: "x" },
      get: {
        operationId: 5,
        tags: ["a", 1],
        deprecated: "yes",
        parameters: [
          null,
          "text",
          { in: "query" },
          { name: "n" },
          { name: "b", in: "body" },
          { name: "s", in: "query", schema: [], style: "matrix", explode: 1 },
          { name: "t", in: "query", schema: true },
          { name: "u", in: "query" },
        ],
        requestBody: { content: [] },
        responses: null,
      },
    },
  });
  assert.deepEqual(api.operations.map(({ method, path }) => `${method} ${path}`), [
    "POST /ops",
    "GET /fields",
  ]);
  const [, get] = api.operations;
  assert.deepEqual([get?.operationId, get?.tags, get?.deprecated], [null, ["a"], false]);
  assert.deepEqual(names(get?.parameters ?? []), ["query s", "query t", "query u"]);
  assert.deepEqual(get?.parameters.map(({ schema, style }) => [schema, style]), [
    [undefined, "form"],
    [undefined, "form"],
    [undefined, "form"],
  ]);
  const at = "/paths/~1fields/get";
  assert.deepEqual(
    saidIn(api).sort(),
    [
      "wrong_type /paths/~1list",
      "wrong_type /paths/~1null",
      "wrong_type /paths/~1ops/get",
      "wrong_type /paths/~1ops/put",
      "wrong_type /paths/~1fields/parameters",
      `wrong_type ${at}/operationId`,
      `wrong_type ${at}/tags/1`,
      `wrong_type ${at}/deprecated`,
      `wrong_type ${at}/parameters/0`,
      `wrong_type ${at}/parameters/1`,
      `incomplete_parameter ${at}/parameters/2`,
      `incomplete_parameter ${at}/parameters/3`,
      `unknown_location ${at}/parameters/4/in`,
      `wrong_type ${at}/parameters/5/schema`,
      `invalid_style ${at}/parameters/5/style`,
      `wrong_type ${at}/parameters/5/explode`,
      `wrong_type ${at}/parameters/6/schema`,
      `parameter_without_schema ${at}/parameters/7`,
      `wrong_type ${at}/requestBody/content`,
      `body_without_content ${at}/requestBody`,
      `wrong_type ${at}/responses`,
    ].sort(),
  );
  for (const paths of [[], null, "text", undefined]) {
    const none = model("3.0.3", paths);
    assert.deepEqual([none.operations.length, none.diagnostics.length], [0, 1]);
  }
});

Deno.test("readModel() keeps paths with ? and #, and leaves out path parameters without a template", () => {
  const api = model("3.0.3", {
    "/#Action=X": { get: {} },
    "/a?b=1": { get: {} },
    "/{a#b}": { get: { parameters: [{ ...ID, name: "a#b" }] } },
    "plain": { get: {} },
    "/users/{id}/{name}": { get: { parameters: [ID, { ...ID, name: "other" }] } },
  });
  assert.deepEqual(api.operations.map(({ path }) => path), [
    ...["/#Action=X", "/a?b=1", "/{a#b}", "plain", "/users/{id}/{name}"],
  ]);
  assert.deepEqual(names(api.operations[4]?.parameters ?? []), ["path id"]);
  assert.deepEqual(saidIn(api), [
    "path_without_slash /paths/plain",
    "path_parameter_not_in_template /paths/~1users~1{id}~1{name}/get/parameters/1",
    "undeclared_path_parameter /paths/~1users~1{id}~1{name}/get",
  ]);
});

Deno.test("readModel() uses the first of two parameters with the same name in a list", () => {
  const api = model("2.0", {
    "/a": {
      post: {
        parameters: [
          { name: "q", in: "query", type: "string" },
          { name: "q", in: "query", type: "integer" },
          { name: "one", in: "body", schema: {} },
          { name: "two", in: "body", schema: {} },
        ],
      },
    },
  });
  assert.deepEqual(names(api.operations[0]?.parameters ?? []), ["query q", "body one"]);
  assert.deepEqual(saidIn(api), [
    "duplicate_parameter /paths/~1a/post/parameters/1",
    "duplicate_parameter /paths/~1a/post/parameters/3",
  ]);
});
