import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { CoverageMap, type HttpRequest } from "../../mod.ts";
import type { ReportParameter } from "../../src/entries/report.ts";
import { shopApi } from "../shop_api.ts";

type Schema = Record<string, unknown>;

function newMap(content: Record<string, Schema>, components: Schema = {}): CoverageMap {
  return CoverageMap.fromDict(shopApi({
    "/t": {
      post: {
        requestBody: {
          content: Object.fromEntries(
            Object.entries(content).map(([type, schema]) => [type, { schema }]),
          ),
        },
      },
    },
  }, { components: { schemas: components } }));
}

function send(map: CoverageMap, body: HttpRequest["body"], type?: string): void {
  const headers = type === undefined ? {} : { "content-type": type };
  map.record({ method: "POST", url: "/t", headers, body });
}

function readParameters(map: CoverageMap): readonly ReportParameter[] {
  return map.report().operations[0]?.parameters ?? [];
}

function keywordCounts(map: CoverageMap, suffix: string): readonly number[] | undefined {
  const keyword = readParameters(map).flatMap(({ keywords }) => keywords)
    .find(({ schema_path }) => schema_path.endsWith(suffix));
  return keyword && [keyword.valid, keyword.invalid];
}

Deno.test("record() counts a +json body under application/json", () => {
  const map = newMap({ "application/json": { type: "object" } });
  send(map, "{}", "application/problem+json; charset=utf-8");
  assert.deepEqual(keywordCounts(map, "/type"), [1, 0]);
});

Deno.test("only whole numbers from 100 to 999 are statuses, and those above 599 are evidence for nothing", () => {
  for (const status_code of [0, -1, 99, 1000, 200.5, NaN, "200" as unknown as number]) {
    const map = newMap({});
    map.record({ method: "POST", url: "/t" }, { status_code });
    const { summary, operations } = map.report();
    assert.equal(summary.responses.measured, false, String(status_code));
    assert.deepEqual(operations[0]?.undocumented_responses, []);
  }
  const map = newMap({});
  map.record({ method: "POST", url: "/t" }, { status_code: 999 });
  assert.deepEqual(map.findings().map(({ kind }) => kind), [
    "undocumented_status",
    "never_succeeded",
  ]);
});

Deno.test("a JSON body that doesn't parse counts as a hit and as malformed, and its keywords don't count", () => {
  const map = newMap({ "application/json": { type: "object" } });
  send(map, "{", "application/json");
  const [parameter] = readParameters(map);
  assert.deepEqual([parameter?.hits, parameter?.malformed], [1, 1]);
  assert.deepEqual(keywordCounts(map, "/type"), [0, 0]);
});

Deno.test("a body that is known to be missing counts as a hit that wasn't recorded", () => {
  const map = newMap({ "application/json": { type: "object" } });
  const headers = { "Content-Type": "application/json" };
  map.record({ method: "POST", url: "/t", headers, body: null, body_truncated: true });
  map.record({ method: "POST", url: "/t", headers, body: "" });
  const [parameter] = readParameters(map);
  assert.deepEqual([parameter?.hits, parameter?.not_recorded], [1, 1]);
});

Deno.test("content encodings are decoded, and a broken one makes the body malformed", async () => {
  const map = newMap({ "application/json": { type: "object" } });
  const stream = new Blob(['{"a":1}']).stream().pipeThrough(new CompressionStream("gzip"));
  const body = new Uint8Array(await new Response(stream).arrayBuffer());
  const headers = { "Content-Type": "application/json", "Content-Encoding": "gzip" };
  map.record({ method: "POST", url: "/t", headers, body });
  map.record({ method: "POST", url: "/t", headers, body: body.slice(0, 12) });
  const [parameter] = readParameters(map);
  assert.deepEqual([parameter?.hits, parameter?.malformed], [2, 1]);
  assert.deepEqual(keywordCounts(map, "/type"), [1, 0]);
});

Deno.test("a body that is empty after decoding counts as no body", () => {
  const map = CoverageMap.fromDict(shopApi({
    "/t": {
      post: {
        requestBody: { content: { "application/json": { schema: { type: "object" } } } },
        responses: { 200: {} },
      },
    },
  }));
  const headers = { "Content-Type": "application/json", "Content-Encoding": "gzip" };
  const body = new Uint8Array(gzipSync(""));
  map.record({ method: "POST", url: "/t", headers, body }, { status_code: 200, headers, body });
  assert.equal(readParameters(map)[0]?.hits, 0);
  assert.deepEqual(map.findings(), []);
});

Deno.test("a body in an unknown encoding counts as not recorded, not as malformed", () => {
  const map = newMap({ "application/json": { type: "object" } });
  const headers = { "Content-Type": "application/json", "Content-Encoding": "compress" };
  map.record({ method: "POST", url: "/t", headers, body: Uint8Array.of(31, 157, 144) });
  const [parameter] = readParameters(map);
  assert.deepEqual([parameter?.hits, parameter?.malformed, parameter?.not_recorded], [1, 0, 1]);
});

Deno.test("a schema that refers to itself in place is evaluated once", () => {
  const map = newMap(
    { "application/json": { $ref: "#/components/schemas/Loop" } },
    { Loop: { type: "object", allOf: [{ $ref: "#/components/schemas/Loop" }] } },
  );
  send(map, "{}", "application/json");
  assert.deepEqual(keywordCounts(map, "/Loop/type"), [1, 0]);
});

Deno.test("a schema counts once if it is both nested in another and referred to", () => {
  const map = newMap(
    {
      "application/json": {
        properties: {
          a: { $ref: "#/components/schemas/Outer" },
          b: { $ref: "#/components/schemas/Outer/properties/inner" },
        },
      },
    },
    { Outer: { properties: { inner: { type: "string" } } } },
  );
  send(map, '{"a":{"inner":"x"},"b":1}', "application/json");
  assert.deepEqual(keywordCounts(map, "/inner/type"), [1, 1]);
  const [parameter] = readParameters(map);
  const normal = parameter?.keywords.filter(({ satisfiability }) => satisfiability === "Normal");
  assert.equal(parameter?.keyword_total, normal?.length);
});

Deno.test("a diagnostic reports values that are nested too deeply to be evaluated", () => {
  const map = newMap(
    { "application/json": { $ref: "#/components/schemas/List" } },
    { List: { type: "array", uniqueItems: true, items: { $ref: "#/components/schemas/List" } } },
  );
  const depth = 50_000;
  send(map, "[".repeat(depth) + "]".repeat(depth), "application/json");
  assert.deepEqual(map.diagnostics().map(({ code }) => code), ["nested_too_deep"]);
  assert.equal(readParameters(map)[0]?.hits, 1);
});

Deno.test("durations are averaged over the responses of each status", () => {
  const map = CoverageMap.fromDict(
    shopApi({ "/t": { get: { responses: { "2xx": {}, default: {} } } } }, { openapi: "3.0.0" }),
  );
  const request = { method: "GET", url: "/t" };
  map.record(request, { status_code: 204, elapsed: 0.25 });
  map.record(request, { status_code: 200, elapsed: 0.75 });
  map.record(request, { status_code: 500 });
  assert.deepEqual(map.report().operations[0]?.responses, [
    { status_code: "2xx", hits: 2, elapsed: { mean: 0.5, max: 0.75 } },
    { status_code: "default", hits: 1, elapsed: null },
  ]);
});

Deno.test("an invalid request is rejected with a message, and not counted", () => {
  const map = newMap({ "application/json": { type: "object" } });
  assert.throws(() => map.record({ url: "/t" } as HttpRequest), /a `method` and a `url` in text/);
  assert.throws(() => map.record(null as unknown as HttpRequest), TypeError);
  const body = { a: 1 } as unknown as string;
  assert.throws(() => map.record({ method: "POST", url: "/t", body }), /JSON\.stringify/);
  assert.equal(map.report().traffic.recorded, 0);
});

Deno.test("path parameters get the value of the template with their name, in any order", () => {
  const integer = { type: "integer" };
  const parameters = [
    { name: "y", in: "path", schema: integer },
    { name: "list", in: "path", schema: { type: "array", items: integer } },
    { name: "x", in: "path", schema: { type: "string", maxLength: 3 } },
  ];
  const map = CoverageMap.fromDict(
    shopApi({ "/{x}/b/{list}/{y}.{x}": { get: { parameters, responses: {} } } }, {
      openapi: "3.0.0",
    }),
  );
  map.record({ method: "GET", url: "/longer/b/1,2/7.a%20c" });
  const seen = map.report().operations[0]?.parameters.map(({ parameter, hits, keywords }) => [
    parameter,
    hits,
    keywords.map(({ keyword, valid, invalid }) => [keyword, valid, invalid]),
  ]);
  assert.deepEqual(seen, [
    ["y", 1, [["type", 1, 0]]],
    ["list", 1, [["type", 1, 0], ["items", 1, 0], ["type", 2, 0]]],
    ["x", 1, [["type", 1, 0], ["maxLength", 1, 0]]],
  ]);
});

Deno.test("bodies of several media types are distinguished by each request's Content-Type", () => {
  const map = newMap({
    "application/json": { type: "object" },
    "application/x-www-form-urlencoded": { type: "object", properties: { a: { type: "integer" } } },
  });
  for (let round = 0; round < 2; round++) {
    send(map, "{}", "application/json");
    send(map, "a=1", "application/x-www-form-urlencoded");
    send(map, "a=x", "text/plain");
  }
  assert.deepEqual(readParameters(map).map(({ hits }) => hits), [2, 2]);
  assert.deepEqual(keywordCounts(map, "/properties/a/type"), [2, 0]);
});

Deno.test("a component counts once for all references to it, however many components there are", () => {
  const names = Array.from({ length: 12 }, (_, index) => `C${index}`);
  const place = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const components = Object.fromEntries(names.map((name, index) => [
    name,
    {
      type: "object",
      properties: {
        text: { maxLength: index },
        next: place(names[index + 1] ?? "C0"),
        secret: { readOnly: true, ...place("C1") },
      },
    },
  ]));
  const properties = Object.fromEntries(
    names.flatMap((name) => [[name, place(name)], [`again ${name}`, place(name)]]),
  );
  const map = newMap({ "application/json": { properties } }, components);
  const value = { text: "12345", next: { text: "1", secret: { text: "123456789012" } } };
  const names24 = Object.keys(properties);
  send(map, JSON.stringify(Object.fromEntries(names24.map((name) => [name, value]))));
  // C5 is referred to under two names, and by C4.
  assert.deepEqual(keywordCounts(map, "C5/properties/text/maxLength"), [4, 0]);
  assert.deepEqual(keywordCounts(map, "C4/properties/text/maxLength"), [2, 2]);
  assert.deepEqual(keywordCounts(map, "C1/properties/text/maxLength"), [2, 2]);
  assert.deepEqual(keywordCounts(map, "C11/type"), [4, 0]);
  map.mergeHits(map.exportHits());
  assert.deepEqual(keywordCounts(map, "C4/properties/text/maxLength"), [4, 4]);
  send(map, '{"C4":{"text":"12345"}}');
  assert.deepEqual(keywordCounts(map, "C4/properties/text/maxLength"), [4, 5]);
});

Deno.test("a form field equals an example also by its text", () => {
  const field = { type: ["number", "string"], examples: ["1.0", "2.0"] };
  const form = "application/x-www-form-urlencoded";
  const map = newMap({ [form]: { properties: { a: { properties: { b: field } } } } });
  send(map, "a[b]=1.0", form);
  const [parameter] = readParameters(map);
  assert.deepEqual(parameter?.examples.map(({ hits }) => hits), [1, 0]);
});

Deno.test("an open exploded object doesn't take properties that another one declares", () => {
  const object = (name: string, property: string, schema: object = {}) => ({
    name,
    in: "query",
    schema: { type: "object", properties: { [property]: { type: "string" } }, ...schema },
  });
  const closed = object("page", "size", { additionalProperties: false });
  const parameters = [closed, object("filter", "title"), object("more", "note")];
  const map = CoverageMap.fromDict(shopApi({ "/t": { get: { parameters } } }));
  const hits = () => readParameters(map).map((parameter) => parameter.hits);
  map.record({ method: "GET", url: "/t?size=5" });
  assert.deepEqual(hits(), [1, 0, 0]);
  map.record({ method: "GET", url: "/t?size=5&title=x" });
  assert.deepEqual(hits(), [2, 1, 0]);
  map.record({ method: "GET", url: "/t?other=x" });
  assert.deepEqual(hits(), [2, 2, 1]);
});

Deno.test("an exploded object takes names that another parameter declares only within its JSON", () => {
  const schema = { type: "object", properties: { size: { type: "string" } } };
  const page = { name: "page", in: "query", content: { "application/json": { schema } } };
  const filter = { name: "filter", in: "query", schema: { type: "object" } };
  const map = CoverageMap.fromDict(shopApi({ "/t": { get: { parameters: [page, filter] } } }));
  map.record({ method: "GET", url: "/t?size=5" });
  assert.deepEqual(readParameters(map).map(({ hits }) => hits), [0, 1]);
});

Deno.test("an open exploded object takes neither API keys nor query values that the path requires", () => {
  const parameters = ["query", "cookie"].map((at) => ({
    name: "any",
    in: at,
    schema: { type: "object" },
  }));
  const key = (at: string) => ({ type: "apiKey", in: at, name: "key" });
  for (const optional of [[], [{}]]) {
    const map = CoverageMap.fromDict(shopApi({ "/t?comp=list": { get: { parameters } } }, {
      security: [...optional, { inQuery: [] }, { inCookie: [] }],
      components: { securitySchemes: { inQuery: key("query"), inCookie: key("cookie") } },
    }));
    const hits = () => readParameters(map).map((parameter) => parameter.hits);
    const url = "/t?comp=list&key=1";
    map.record({ method: "GET", url, headers: { cookie: "key=1" } });
    assert.deepEqual(hits(), [0, 0]);
    map.record({ method: "GET", url: `${url}&other=2`, headers: { cookie: "key=1; other=2" } });
    assert.deepEqual(hits(), [1, 1]);
  }
});

Deno.test("a name in a query is undocumented unless an exploded object can have it", () => {
  const undocumented = (schema: object) => {
    const get = { parameters: [{ name: "f", in: "query", schema }], responses: {} };
    const map = CoverageMap.fromDict(shopApi({ "/t": { get } }));
    map.record({ method: "GET", url: "/t?other=1" });
    return map.report().operations[0]?.undocumented_parameters;
  };
  for (const schema of [{ type: "string" }, {}]) {
    assert.deepEqual(undocumented(schema)?.map(({ parameter }) => parameter), ["other"]);
  }
  for (const schema of [{ type: "object" }, { properties: { a: {} } }]) {
    assert.equal(undocumented(schema), undefined);
  }
});

Deno.test("a header after # tells operations apart, in any case", () => {
  const parameters = [{ name: "x-kind", in: "header", schema: { type: "string" } }];
  const get = { parameters, responses: {} };
  const map = CoverageMap.fromDict(shopApi({ "/t#X-Kind=a": { get }, "/t#X-Kind=b": { get } }));
  map.record({ method: "GET", url: "/t", headers: { "X-KIND": "b" } });
  assert.deepEqual(map.report().operations.map(({ hits }) => hits), [0, 1]);
});

Deno.test("a form that is the whole query excludes the API key unless it declares it", () => {
  const get = (properties: Schema) => {
    const schema = { properties, additionalProperties: false };
    const content = { "application/x-www-form-urlencoded": { schema } };
    return { get: { parameters: [{ name: "q", in: "querystring", content }] } };
  };
  const paths = { "/t": get({ a: {} }), "/declared": get({ "k y": {} }) };
  const map = CoverageMap.fromDict(shopApi(paths, {
    openapi: "3.2.0",
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "k y" } } },
  }));
  const urls = ["/t?k+y=1", "/t?a=1&k%20y=1", "/t?a=1&b=2&k+y=1", "/declared?k+y=1"];
  for (const url of urls) map.record({ method: "GET", url });
  const parameters = map.report().operations.flatMap((operation) => operation.parameters);
  assert.deepEqual(parameters.map(({ hits }) => hits), [2, 1]);
  const closing = parameters.map(({ keywords }) =>
    keywords.filter(({ keyword }) => keyword === "additionalProperties")
  );
  assert.deepEqual(closing.map(([one]) => [one?.valid, one?.invalid]), [[1, 1], [1, 0]]);
});
