// Tests which gaps are impossible to close and which only have no request, with reasons.
import assert from "node:assert/strict";
import type { Suggestions } from "../../src/suggest/suggestion.ts";
import { mapFrom } from "./map_from.ts";

const SERVER = "http://localhost:3000";

/** Suggestions for the operations of one path. */
function suggest(paths: object, components: object = {}): Suggestions {
  const info = { title: "Shop", version: "1" };
  return mapFrom({ openapi: "3.1.0", info, paths, components })
    .suggestRequests({ server: SERVER });
}

function withBody(content: object): object {
  return { "/books": { post: { requestBody: { content }, responses: {} } } };
}

/** Open gaps: outcome, end of the pointer, and whether they are impossible. */
function open({ unreachable }: Suggestions): string[] {
  return unreachable.map(({ gap, impossible }) => {
    const end = "schema_path" in gap ? gap.schema_path.split("/").slice(-2).join("/") : gap.path;
    return `${"state" in gap ? gap.state : gap.kind} ${end}${impossible ? " impossible" : ""}`;
  });
}

/** Open gaps of the schema of a JSON body. */
function openIn(schema: object, components?: object): string[] {
  return open(suggest(withBody({ "application/json": { schema } }), components));
}

Deno.test("a rule that can't be violated alone is impossible, with a reason", () => {
  const cases: [object, string, RegExp][] = [
    [{ type: "string", pattern: "^.{1,8}$", minLength: 1 }, "schema/minLength", /such a length/],
    [{ type: "string", maxLength: 9, enum: ["a", "b"] }, "schema/maxLength", /`enum` or `const`/],
    [{ type: "string", pattern: "^[^]*$", maxLength: 4 }, "schema/pattern", /matches the pattern/],
  ];
  for (const [schema, end, reason] of cases) {
    const found = suggest(withBody({ "application/json": { schema } })).unreachable
      .filter(({ gap }) =>
        "state" in gap && gap.state === "invalid" && gap.schema_path.endsWith(end)
      );
    assert.deepEqual(found.map(({ impossible }) => impossible), [true], JSON.stringify(schema));
    assert.match(found[0]?.reason ?? "", reason);
  }
});

Deno.test("a value of another type shows type and the rules for that type", () => {
  assert.deepEqual(openIn({ type: "integer", format: "int32", minimum: 0, maximum: 9 }), []);
  assert.deepEqual(openIn({ type: "string", enum: ["a"], minLength: 1 }), [
    "invalid schema/minLength impossible",
  ]);
});

Deno.test("an empty string is impossible with a format, and so is violating one of several equal types", () => {
  assert.deepEqual(openIn({ type: "string", format: "date-time", minLength: 1 }), [
    "invalid schema/minLength impossible",
  ]);
  const object = { type: "object", properties: { a: { type: "integer" } } };
  assert.deepEqual(
    openIn({ allOf: [object, { type: "object" }] }),
    ["invalid 0/type impossible", "invalid 1/type impossible"],
  );
  // The outer type hides the inner ones, and violating it alone shows them all.
  assert.deepEqual(openIn({ type: "object", allOf: [object, { type: "object" }] }), []);
});

Deno.test("a value that only enum lists is sent even if another rule refuses it", () => {
  assert.deepEqual(openIn({ type: "integer", enum: ["0 (V1)"] }), []);
});

Deno.test("a path parameter skips an example that matches another operation's path", () => {
  const operation = {
    parameters: [
      { name: "id", in: "path", required: true, example: "new", schema: { type: "string" } },
      { name: "page", in: "query", schema: { type: "integer" } },
    ],
    responses: {},
  };
  const found = suggest({
    "/books/new": { get: { responses: {} } },
    "/books/{id}": { get: operation },
  });
  assert.ok(found.requests.some(({ request }) => /books\/text\?page=1/.test(request.url)));
  assert.deepEqual(open(found), ["example_uncovered 0/example"]);
});

Deno.test("inside an alternative, a rule may be violated together with others", () => {
  const never = { type: "string", pattern: "^.{1,8}$", minLength: 1 };
  assert.deepEqual(openIn(never), ["invalid schema/minLength impossible"]);
  assert.deepEqual(openIn({ anyOf: [never, { type: "string" }] }), []);
});

Deno.test("an operation that can't be told from an earlier one has no suggestions and no open gaps", () => {
  const get = {
    parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
    responses: { 200: { description: "OK" } },
  };
  const path = { get, head: get };
  const slug = JSON.parse(JSON.stringify({ get }).replaceAll('"id"', '"slug"'));
  const { requests, unreachable } = suggest({ "/books/{id}": path, "/books/{slug}": slug });
  assert.deepEqual(requests.map(({ path }) => path), ["/books/{id}", "/books/{id}"]);
  assert.deepEqual(unreachable.filter(({ gap }) => gap.path === "/books/{slug}"), []);
});

Deno.test("values that a media type or style can't express are impossible", () => {
  const schema = { type: "object", properties: { title: { type: "string", example: "Emma" } } };
  assert.deepEqual(open(suggest(withBody({ "text/csv": { schema } }))), [], "it isn't counted");
  const parameters = [
    { name: "ids", in: "query", schema: { type: "array", items: {}, minItems: 1 } },
    { name: "mark", in: "header", example: "a\nb", schema: { type: "string" } },
  ];
  assert.deepEqual(open(suggest({ "/books": { get: { parameters, responses: {} } } })), [
    "invalid schema/minItems impossible",
    "example_uncovered 1/example impossible",
  ]);
});

Deno.test("an example that violates one rule is sent, and one that violates several is impossible", () => {
  const properties = { a: { type: "integer" }, b: { type: "integer" } };
  assert.deepEqual(openIn({ type: "object", properties, example: { a: "1" } }), []);
  assert.deepEqual(openIn({ type: "object", properties, example: { a: "1", b: "2" } }), [
    "example_uncovered schema/example impossible",
  ]);
});

Deno.test("schemas that refuse their own properties are shown by requests that violate only this rule", () => {
  const components = {
    schemas: {
      Name: { type: "object", properties: { name: { type: "string", example: "Emma" } } },
      Closed: { allOf: [{ $ref: "#/components/schemas/Name" }], additionalProperties: false },
    },
  };
  const closed = { $ref: "#/components/schemas/Closed" };
  const content = { "application/json": { schema: { ...closed, required: ["name"] } } };
  const found = suggest(withBody(content), components);
  const sent = found.requests.find(({ request }) => request.body === '{"name":"Emma"}');
  assert.equal(sent?.breaks?.schema_path, "/components/schemas/Closed/additionalProperties");
  assert.ok(!open(found).some((one) => one.includes("example")), open(found).join("\n"));
  // Violating a rule inside is a second violation.
  assert.ok(open(found).includes("invalid name/type impossible"), open(found).join("\n"));
  const twice = openIn({ allOf: [closed], additionalProperties: false }, components);
  assert.ok(twice.includes("example_uncovered name/example impossible"), twice.join("\n"));
});

Deno.test("each of two contradictory keywords is shown by violating the other", () => {
  assert.deepEqual(openIn({ type: "string", maxLength: 3, minLength: 4 }), []);
  const left = openIn({ type: "integer", enum: ["1"] });
  assert.ok(!left.some((one) => one.startsWith("valid schema/type")), left.join("\n"));
});

Deno.test("a media type range is sent as a type that no other entry documents", () => {
  const schema = { type: "string" };
  const types = ["application/json", "*/*", "application/*+xml", "application/*+json"];
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  const { requests, unreachable } = suggest(withBody(content));
  assert.deepEqual(unreachable, []);
  const sent = new Set(requests.map(({ request: { headers } }) => headers["Content-Type"]));
  assert.deepEqual([...sent].sort(), [
    "application/json",
    "application/x-any+json",
    "application/x-any+xml",
    "text/json",
  ]);
});
