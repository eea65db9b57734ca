import assert from "node:assert/strict";
import { describeTests } from "../../src/coverage_map/describe_tests.ts";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { suggestFor } from "../../src/coverage_map/suggest_for.ts";
import { DIMENSION_KINDS, type Gap } from "../../src/map/results.ts";
import type { SuggestedTest } from "../../src/suggest/formats/tests/test_format.ts";

type Operation = Readonly<Record<string, unknown>>;

function testsFor(
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
  rest = {},
  kinds: readonly Gap["kind"][] = DIMENSION_KINDS,
) {
  const info = { title: "Shop", version: "1" };
  const api = MeasuredApi.fromDict({ openapi: "3.1.0", info, paths, ...rest });
  return describeTests(api, suggestFor(api, { serverPlaceholder: true, kinds }).requests);
}

function titles(tests: readonly SuggestedTest[]): string[] {
  return tests.map(({ title }) => title);
}

function query(name: string, schema: unknown): unknown {
  return { name, in: "query", schema };
}

function json(schema: unknown): unknown {
  return { required: true, content: { "application/json": { schema } } };
}

const OK = { 200: { description: "Books" } };

Deno.test("a test is named after the value that it shows or the rule that it violates", () => {
  const limit = query("limit", { type: "integer", minimum: 1, maximum: 100 });
  const tests = testsFor({ "/books": { get: { parameters: [limit], responses: OK } } });
  assert.deepEqual(titles(tests), [
    "GET /books accepts limit=1",
    "GET /books refuses something other than an integer for limit",
    "GET /books refuses less than 1 for limit",
    "GET /books refuses more than 100 for limit",
  ]);
});

Deno.test("a test of values is named after what it sends or leaves out", () => {
  const page = query("page", { type: "integer", minimum: 1, maximum: 1, default: 1 });
  const sort = query("sort", { enum: ["title", "price"] });
  const schema = { type: "object", properties: { used: { type: "boolean" } } };
  const post = { parameters: [page, sort], requestBody: json(schema), responses: OK };
  assert.deepEqual(titles(testsFor({ "/books": { post } }, {}, ["value_uncovered"])), [
    "POST /books accepts page=1, sort=title and true for used",
    "POST /books accepts sort=price and false for used",
    "POST /books accepts a request without used",
  ]);
});

Deno.test("a title names the place in a body and the missing property", () => {
  const person = {
    type: "object",
    required: ["name", "age"],
    additionalProperties: false,
    properties: {
      name: { type: "string", maxLength: 3 },
      age: { anyOf: [{ const: 1 }, { const: 2 }] },
    },
  };
  const schema = { type: "object", properties: { people: { type: "array", items: person } } };
  const tests = testsFor({ "/teams": { post: { requestBody: json(schema), responses: OK } } });
  const all = titles(tests);
  for (
    const title of [
      "POST /teams refuses something other than an object for the body",
      "POST /teams refuses more than 3 characters in people[0].name",
      "POST /teams refuses people[0] without name",
      "POST /teams refuses an undeclared property in people[0]",
    ]
  ) assert.ok(all.includes(title), `${title} is not among\n${all.join("\n")}`);
  assert.ok(all.some((title) => /^POST \/teams refuses \S+ for people\[0\]\.age$/.test(title)));
  assert.equal(new Set(all).size, all.length);
});

Deno.test("a title combines properties that have the same value", () => {
  const either = { anyOf: [{ type: "string" }, { type: "null" }] };
  const schema = { type: "object", properties: { note: either, title: either } };
  const all = titles(testsFor({ "/a": { post: { requestBody: json(schema), responses: OK } } }));
  assert.ok(all.includes("POST /a accepts null for note and title"), all.join("\n"));
});

Deno.test('tests are grouped by the first tag, or the path, or "api"', () => {
  const get = { responses: OK };
  const tests = testsFor({
    "/a": { get: { ...get, tags: ["Book Reviews", "other"] } },
    "/{id}/orderLines/{line}": { get },
    "/{id}": { get },
  });
  assert.deepEqual(tests.map(({ group }) => group), ["book-reviews", "order-lines", "api"]);
});

Deno.test("tests follow the order of the description, but deletions come last", () => {
  const id = { name: "id", in: "path", required: true, schema: { enum: ["a"] } };
  const operation = { parameters: [id], responses: OK };
  const tests = testsFor({
    "/books/{id}": { delete: operation, get: operation },
    "/books": { get: { responses: OK } },
  });
  assert.deepEqual(titles(tests), [
    "DELETE /books/{id} refuses an unlisted value for id",
    "GET /books/{id} answers with 200",
    "GET /books/{id} refuses an unlisted value for id",
    "GET /books answers with 200",
    "DELETE /books/{id} answers with 200",
  ]);
});

Deno.test("a test expects the documented statuses or their class, and the documented media types", () => {
  const parameters = [query("q", { enum: ["a"] })];
  const book = { description: "Book", content: { "application/json; charset=utf-8": {} } };
  const problem = { description: "No", content: { "application/vnd.No+json": {}, "text/a": {} } };
  const answers = (responses: unknown) => {
    const tests = testsFor({ "/a": { get: { parameters, responses } } });
    return tests.map((
      { statuses: { exact, classes }, mediaTypes },
    ) => [exact, classes, mediaTypes]);
  };
  assert.deepEqual(answers({ 200: book, 201: book, 400: problem, "4XX": problem, 404: book }), [
    [[200, 201], [], ["application/json"]],
    [[], [4], ["application/vnd.No+json", "text/a"]],
  ]);
  assert.deepEqual(answers({ 200: book, 204: { description: "None" }, default: problem }), [
    [[200, 204], [], []],
    [[], [4], ["application/vnd.No+json", "text/a"]],
  ]);
  assert.deepEqual(answers({ 404: book }), [[[], [2], []], [[], [4], []]]);
  const any = { description: "Any", content: { "image/*": {} } };
  assert.deepEqual(answers({ "2XX": any }), [[[], [2], []], [[], [4], []]]);
});

Deno.test("each server has a variable for its URL, with the server as the value", () => {
  const get = { responses: OK };
  const paths = {
    "/a": { get },
    "/b": { get: { ...get, servers: [{ url: "https://b.test/v2" }] } },
  };
  const targets = (rest: object) => testsFor(paths, rest).map(({ base, target }) => [base, target]);
  assert.deepEqual(targets({ servers: [{ url: "https://a.test/v1/" }] }), [
    [{ name: "API_URL", value: "https://a.test/v1" }, "/a"],
    [{ name: "API_URL_2", value: "https://b.test/v2" }, "/b"],
  ]);
  assert.deepEqual(targets({ servers: [{ url: "/v1" }] }), [
    [{ name: "API_URL", value: undefined }, "/a"],
    [{ name: "API_URL_2", value: "https://b.test/v2" }, "/b"],
  ]);
});

Deno.test("a body is JSON if a literal can express it, otherwise parts of a form or text", () => {
  const bodies = (type: string, schema: unknown) => {
    const requestBody = { content: { [type]: { schema } } };
    return testsFor({ "/a": { post: { requestBody, responses: OK } } })
      .flatMap(({ body, headers }) => body === undefined ? [] : [[body, headers["Content-Type"]]]);
  };
  assert.deepEqual(bodies("application/json", { const: { a: [1] } })[0], [
    { json: { a: [1] } },
    "application/json",
  ]);
  assert.deepEqual(bodies("application/json", { const: 1 })[0], [
    { text: "1" },
    "application/json",
  ]);
  const file = { type: "string", contentMediaType: "image/png" };
  const properties = { file, note: { const: "a\r\n\r\n--b" } };
  assert.deepEqual(bodies("multipart/form-data", { type: "object", properties })[0], [
    {
      parts: [
        { name: "file", text: "text", fileName: "file.png", mediaType: "image/png" },
        { name: "note", text: "a\r\n\r\n--b" },
      ],
    },
    undefined,
  ]);
});

Deno.test("a test of a valid request checks the properties that every expected response requires", () => {
  const book = {
    type: "object",
    required: ["id", "secret", "title"],
    properties: { secret: { type: "string", writeOnly: true } },
  };
  const answer = (schema: unknown) => ({
    description: "A book",
    content: { "application/json": { schema } },
  });
  const components = { schemas: { Book: book } };
  const reference = { $ref: "#/components/schemas/Book" };
  const required = (responses: unknown) => {
    const limit = query("limit", { type: "integer" });
    const get = { parameters: [limit], responses: responses as Operation };
    return testsFor({ "/books": { get } }, { components }).map((test) => test.required);
  };
  const refused = answer({ type: "object", required: ["detail"] });
  assert.deepEqual(required({ 200: answer(reference), 400: refused }), [["id", "title"], []]);
  const other = answer({ type: "object", required: ["id"] });
  assert.deepEqual(required({ 200: answer(reference), 203: other })[0], ["id"]);
  assert.deepEqual(required({ 200: answer({ type: "array", items: book }) })[0], []);
});
