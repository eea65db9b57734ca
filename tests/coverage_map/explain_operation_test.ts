import assert from "node:assert/strict";
import { explainOperation } from "../../src/coverage_map/explain_operation.ts";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { inFolder } from "../in_folder.ts";
import { shopApi } from "../shop_api.ts";

const FINE = { responses: { 200: { description: "Fine" } } };

Deno.test("an operation in another file is explained with what that file refers to", async () => {
  const book = { type: "object", properties: { limit: { $ref: "../common.json#/Limit" } } };
  const limit = { type: "integer" };
  const files = {
    "openapi.json": shopApi(
      { "/books": { $ref: "paths/books.json" } },
      { components: { schemas: { Book: { type: "string" } } } },
    ),
    "paths/books.json": {
      parameters: [{ $ref: "../common.json#/limit" }],
      post: {
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/Book" } } },
        },
        ...FINE,
      },
      components: { schemas: { Book: book } },
    },
    "common.json": {
      limit: { name: "limit", in: "query", schema: { $ref: "#/Limit" } },
      Limit: limit,
    },
  };
  await inFolder(files, async (folder) => {
    const api = await MeasuredApi.fromPath(`${folder}/openapi.json`);
    const { description, path_item, references, left_out } = explainOperation(api, "POST /books");
    const schema = { $ref: "paths/books.json#/components/schemas/Book" };
    const requestBody = { content: { "application/json": { schema } } };
    assert.deepEqual(description, { requestBody, ...FINE });
    assert.deepEqual(path_item, { parameters: [{ $ref: "common.json#/limit" }] });
    const reference = { $ref: "common.json#/Limit" };
    assert.deepEqual(references, {
      "paths/books.json#/components/schemas/Book": { ...book, properties: { limit: reference } },
      "common.json#/limit": { name: "limit", in: "query", schema: reference },
      "common.json#/Limit": limit,
    });
    assert.equal(left_out, undefined);
  });
});

Deno.test("an additional operation is explained with the parameters of its path", () => {
  const parameters = [{ name: "q", in: "query", schema: { type: "string" } }];
  const api = MeasuredApi.fromDict({
    openapi: "3.2.0",
    info: { title: "Shop", version: "1" },
    paths: { "/books": { parameters, additionalOperations: { COPY: FINE } } },
  });
  assert.deepEqual(explainOperation(api, "COPY /books").path_item, { parameters });
});

Deno.test("a reference that leads nowhere is left out, as is what is too large", () => {
  const large = { description: "x".repeat(20_000), $ref: "#/components/schemas/Small" };
  const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const api = MeasuredApi.fromDict(shopApi({
    "/books": {
      get: {
        parameters: ["Large", "None", "Round"].map((name) => (
          { name, in: "query", schema: schema(name) }
        )),
        ...FINE,
      },
    },
  }, { components: { schemas: { Large: large, Small: {}, Round: { items: schema("Round") } } } }));
  const { references, left_out } = explainOperation(api, "GET /books");
  assert.deepEqual(Object.keys(references), ["#/components/schemas/Round"]);
  assert.deepEqual(left_out, ["#/components/schemas/Large", "#/components/schemas/None"]);
});
