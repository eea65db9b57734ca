// Tests that names and values in a description are only ever text in the output.
import assert from "node:assert/strict";
import { runOrThrow } from "../../scripts/run.ts";
import { describeTests } from "../../src/coverage_map/describe_tests.ts";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { suggestFor } from "../../src/coverage_map/suggest_for.ts";
import { SUGGESTION_FORMATS } from "../../src/suggest/formats/suggestion_formats.ts";
import { TEST_FORMATS } from "../../src/suggest/formats/tests/test_formats.ts";
import { shopApi } from "../shop_api.ts";
import { needsPython, PYTHON } from "../recorders/python_project.ts";
import { needing } from "../requirement.ts";
import { mapFrom } from "./map_from.ts";

const AT_LEAST_3 = { type: "integer", minimum: 3 };
const OK = { 200: { description: "OK" } };

/** The files that a test format writes for a description. */
function write(name: string, description: Record<string, unknown>): string {
  const api = MeasuredApi.fromDict(description);
  const format = TEST_FORMATS.find((one) => one.name === name);
  assert(format !== undefined);
  const { requests } = suggestFor(api, { serverPlaceholder: true });
  const tests = describeTests(api, requests).filter((test) => format.refuses?.(test) !== true);
  return tests.length === 0 ? "" : format.write(tests, "api");
}

function written(name: string, description: Record<string, unknown>): string {
  const format = SUGGESTION_FORMATS.find((one) => one.name === name);
  assert(format !== undefined);
  return format.write(mapFrom(description).suggestRequests({ server: "http://localhost" }), "Shop");
}

function withQuery(name: string): Record<string, unknown> {
  const parameters = [{ name, in: "query", schema: AT_LEAST_3 }];
  return shopApi({ "/a": { get: { parameters, responses: OK } } });
}

Deno.test({
  ...needing(needsPython("ast"), "quotes in a name don't end the docstring of a test for pytest"),
  async fn() {
    for (const count of [3, 4, 5, 6, 7, 9]) {
      const quotes = '"'.repeat(count);
      for (const name of [`a${quotes}; raise SystemExit(7); ${quotes}`, `a\\${quotes}`, quotes]) {
        const code = write("pytest", withQuery(name));
        const program = `import ast, sys
for function in ast.parse(sys.argv[1]).body:
    if isinstance(function, ast.FunctionDef):
        assert isinstance(function.body[0].value, ast.Constant)
        assert isinstance(function.body[1], ast.Assign), ast.unparse(function.body[1])
`;
        await runOrThrow(PYTHON, ["-c", program, code]);
      }
    }
  },
});

Deno.test("a method with shell characters is quoted for curl", () => {
  const method = "A`id`|b&c'd$e";
  const description = shopApi(
    { "/a": { additionalOperations: { [method]: { responses: OK } } } },
    { openapi: "3.2.0" },
  );
  assert.equal(
    written("curl", description),
    `# ${method} /a: valid, closes 1 gap\ncurl -X 'A\`id\`|b&c'\\''d$e' 'http://localhost/a'\n`,
  );
});

Deno.test("requests that HTTP can't express are not suggested, and their gaps say why", () => {
  const LINE = "a\r\nX-Evil: 1";
  const key = (place: string, name: string) => ({
    components: { securitySchemes: { key: { type: "apiKey", in: place, name } } },
  });
  const get = (operation: object, more: object = {}) =>
    shopApi({ "/a": { get: { responses: OK, ...operation } } }, { ...more, openapi: "3.2.0" });
  const body = { required: true, content: { [LINE]: { schema: { type: "string" } } } };
  for (
    const description of [
      shopApi({ "/a": { additionalOperations: { [LINE]: { responses: OK } } } }, {
        openapi: "3.2.0",
      }),
      get({ parameters: [{ name: LINE, in: "header", required: true, schema: AT_LEAST_3 }] }),
      get({ parameters: [{ name: "a b", in: "header", required: true, schema: AT_LEAST_3 }] }),
      get({ security: [{ key: [] }] }, key("header", LINE)),
      get({ security: [{ key: [] }] }, key("cookie", LINE)),
      shopApi({ "/a": { post: { requestBody: body, responses: OK } } }),
    ]
  ) {
    const { requests, unreachable } = mapFrom(description)
      .suggestRequests({ server: "http://localhost" });
    assert.deepEqual(requests, []);
    assert.ok(unreachable.length > 0);
  }
  const padded = { required: true, content: { " application/json ": { schema: {} } } };
  const sent = mapFrom(shopApi({ "/a": { post: { requestBody: padded, responses: OK } } }))
    .suggestRequests({ server: "http://localhost" });
  assert.ok(sent.requests.length > 0);
  const optional = get({ parameters: [{ name: "a b", in: "header", schema: AT_LEAST_3 }] });
  const { requests, unreachable } = mapFrom(optional)
    .suggestRequests({ server: "http://localhost" });
  assert.equal(requests.length, 1);
  assert.ok(unreachable.every(({ reason }) => /^HTTP cannot express the method/.test(reason)));
});

Deno.test("characters that a URL can't contain are percent-encoded in a suggestion's path", () => {
  const paths = ['/a b"<>\\^`|\n\u0000é/{id}/%20'].map((path) => [path, {
    get: {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      responses: OK,
    },
  }]);
  const [first] = mapFrom(shopApi(Object.fromEntries(paths)))
    .suggestRequests({ server: "http://localhost" }).requests;
  assert.equal(
    first?.request.url,
    "http://localhost/a%20b%22%3C%3E%5C%5E%60%7C%0A%00%C3%A9/1/%20",
  );
});

Deno.test("function names in tests only have characters that their language allows", () => {
  const description = withQuery("area_m²½");
  assert.match(write("pytest", description), /^def test_get_a_[a-z_0-9]*area_m[a-z_0-9]*\(\):$/m);
  assert.match(write("junit", description), /^ {2}void getA\w*AreaM\w*\(\) \{$/m);
  const tagged = shopApi({ "/a": { get: { tags: ["m²"], responses: OK } } });
  const api = MeasuredApi.fromDict(tagged);
  const tests = describeTests(api, suggestFor(api, { serverPlaceholder: true }).requests);
  const go = TEST_FORMATS.find(({ name }) => name === "go-test");
  assert.match(go?.write(tests, tests[0]?.group ?? "") ?? "", /^func TestM\(t/m);
  const numbered = shopApi({ "/a": { additionalOperations: { "2X": { responses: OK } } } }, {
    openapi: "3.2.0",
  });
  assert.match(write("junit", numbered), /^ {2}void sends2x\w*\(\) \{$/m);
});

Deno.test("Go strings contain no byte order mark and no lone surrogate", () => {
  const example = "\ufeffa\ud800b";
  const schema = { type: "string", enum: [example] };
  const code = write(
    "go-test",
    shopApi({
      "/a": {
        post: {
          requestBody: {
            content: {
              "text/plain": { schema },
              "application/json": {
                schema: { type: "object", properties: { a: { enum: ["\ufeffa"] } } },
              },
            },
          },
          responses: OK,
        },
      },
    }),
  );
  assert.match(code, /"\\ufeffa\ufffdb"/);
  assert.doesNotMatch(code, /\ufeff|[^\\]\\ud800/);
});

Deno.test("an invalid documented media type is not asserted", () => {
  const content = { "text/a\nGET http://evil.example\n": {}, "text/plain": {} };
  const responses = { 200: { description: "OK", content } };
  const description = shopApi({ "/a": { get: { responses } } });
  for (const { name } of TEST_FORMATS) {
    assert.doesNotMatch(write(name, description), /evil|text\\?\/plain/, name);
  }
});

Deno.test("media types are escaped in Hurl's regular expressions", () => {
  const content = { "text/x-(a": {}, "text/plain": {} };
  const responses = { 200: { description: "OK", content } };
  assert.match(
    write("hurl", shopApi({ "/a": { get: { responses } } })),
    /matches \/\^\(text\\\/x-\\\(a\|text\\\/plain\)\//,
  );
});

Deno.test("control characters are written as Hurl's own escapes", () => {
  const content = { "text/plain": { schema: { type: "string", enum: ["\u001b\\u001b`"] } } };
  const description = shopApi({ "/a": { post: { requestBody: { content }, responses: OK } } });
  assert.ok(write("hurl", description).includes("`\\u{001b}\\\\u001b\\``"));
});

Deno.test("titles of requests contain no bidirectional controls", () => {
  assert.doesNotMatch(written("curl", withQuery("a\u202eb\u2066c")), /^#.*[\u202a-\u202e\u2066]/m);
  assert.doesNotMatch(write("hurl", withQuery("a\u202eb\u2066c")), /[\u202a-\u202e\u2066]/);
});

Deno.test("a list that needs too many matching items isn't generated", () => {
  const schema = { type: "array", contains: { const: 1 }, minContains: 1e9, maxContains: 2e9 };
  const content = { "application/json": { schema } };
  const { unreachable } = mapFrom(
    shopApi({ "/a": { post: { requestBody: { content }, responses: OK } } }),
  ).suggestRequests({ server: "http://localhost" });
  assert.ok(
    unreachable.some((one) => "schema_path" in one.gap && /minContains$/.test(one.gap.schema_path)),
  );
});

Deno.test("a base path without its slash is still read as a path", () => {
  const description = shopApi({ "/a": { get: { responses: OK } } }, {
    servers: [{ url: "http://shop.example/v0" }],
  });
  for (const basePath of ["v1", "/v1/", "[x"]) {
    const { requests: [first] } = mapFrom(description, { basePath }).suggestRequests();
    const path = basePath.replaceAll("/", "");
    assert.equal(first?.request.url, `http://shop.example/${path}/a`);
  }
});
