import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { jsonContent, shopApi } from "../shop_api.ts";
import { inFolder } from "../in_folder.ts";

const SHOP = shopApi({
  "/books": {
    get: {
      parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 100 } }],
      responses: { 200: { description: "Books" }, 404: { description: "None" } },
    },
    post: {
      requestBody: jsonContent({
        type: "object",
        required: ["title"],
        properties: { title: { type: "string", minLength: 1, examples: ["Dune"] } },
      }),
      responses: { 201: { description: "Created" } },
    },
  },
}, { servers: [{ url: "https://shop.example/v1" }] });

function shop(): CoverageMap {
  return CoverageMap.fromDict(SHOP, { location: "shop.yaml" });
}

function recordAll(map: CoverageMap): void {
  map.record({ method: "get", url: "http://localhost/v1/books?limit=7" }, { status_code: 200 }, 5);
  map.record({ method: "GET", url: "/v1/books?limit=700" }, { status_code: 418, elapsed: 0.5 }, 3);
  map.record({
    method: "POST",
    url: "https://shop.example/v1/books",
    headers: { "Content-Type": "application/json" },
    body: '{"title":"Dune"}',
  });
  map.record({ method: "GET", url: "http://localhost/v1/nope" });
}

Deno.test("record() counts a request with or without a response", () => {
  const map = shop();
  recordAll(map);
  assert.deepEqual(map.statistic(), {
    operations: { seen: 2, total: 2 },
    parameters: { seen: 2, total: 2 },
    keywords: { partial: 6, full: 1, total: 7 },
    examples: { seen: 1, total: 1 },
    responses: { seen: 1, total: 3 },
  });
  assert.deepEqual(map.unmatched(), [{
    method: "GET",
    host: "localhost",
    path: "/v1/nope",
    reason: "no_matching_path",
    count: 1,
    first_at: null,
  }]);
  const report = map.report({ generatedAt: "2026-01-31T12:00:00Z" });
  assert.deepEqual(report.traffic, {
    recorded: 4,
    matched: 3,
    unmatched: 1,
    first_at: 3,
    last_at: 5,
  });
  assert.deepEqual(report.operations[0]?.undocumented_responses, [{ status_code: "418", hits: 1 }]);
});

Deno.test("header fields that can be read only once count like any others", () => {
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const link = { operationId: "getBook", parameters: { id: "$response.header.X-Id" } };
  const description = shopApi({
    "/books": { post: { responses: { 201: { description: "", links: { book: link } } } } },
    "/books/{id}": {
      get: { operationId: "getBook", parameters: [id], responses: { 200: { description: "" } } },
    },
  });
  const record = (headers: (fields: [string, string][]) => Iterable<[string, string]>) => {
    const map = CoverageMap.fromDict(description, { keepRequests: true });
    const sent: [string, string][] = [["accept", "*/*"], ["x-tenant", "blue"]];
    map.record({ method: "POST", url: "http://localhost/books", headers: headers(sent) }, {
      status_code: 201,
      headers: headers([["content-type", "application/json"], ["x-id", "7"]]),
      body: "{}",
    });
    map.record({ method: "GET", url: "http://localhost/books/7" }, { status_code: 200 });
    return map;
  };
  const [lists, iterators] = [record((fields) => fields), record((fields) => fields.values())];
  assert.equal(lists.report().operations[0]?.responses[0]?.links?.[0]?.hits, 1);
  assert.deepEqual(iterators.exportHits(), lists.exportHits());
  assert.deepEqual(iterators.suggestRequests(), lists.suggestRequests());
});

Deno.test("header fields count in every form that programs without types hand over", () => {
  const header = (name: string) => ({ name, in: "header", schema: { type: "integer" } });
  const responses = { 200: { description: "" } };
  const parameters = ["X-One", "X-Two", "X-Three"].map(header);
  const description = shopApi({ "/books": { get: { parameters, responses } } });
  const forms = [
    { "x-one": 1, "X-Two": ["2"], "x-three": null, "content-length": 0 },
    [["x-one", 1], ["X-Two", 2], ["x-three", undefined]],
    [["x-one", "1"], ["X-Two", "2"], ["x-three", undefined], []],
    [["x-one", "1"], ["X-Two", "2"], [3, "3"]],
    new Map<string, unknown>([["x-one", 1], ["x-two", 2]]),
  ] as unknown as readonly Record<string, string>[];
  for (const headers of [...forms, null as unknown as undefined]) {
    const map = CoverageMap.fromDict(description);
    // A body without a documented media type is a finding, which shows the request.
    const request = { method: "GET", url: "/books", headers, body: "{}" };
    map.record(request, { status_code: 200, headers, body: "{}" });
    const sent = map.report().operations[0]?.parameters.map(({ hits }) => hits);
    assert.deepEqual(sent, headers === null ? [0, 0, 0] : [1, 1, 0]);
  }
});

Deno.test("thresholds compare exact percentages, and the threshold of a dimension overrides the base", () => {
  const map = shop();
  map.record({ method: "GET", url: "/v1/books?limit=7" }, { status_code: 200 });
  assert.deepEqual(map.checkThresholds({ base: 50, keywords: 28 }), [
    { dimension: "examples", actual: 0, minimum: 50 },
    { dimension: "responses", actual: 100 / 3, minimum: 50 },
  ]);
  assert.deepEqual(map.checkThresholds({ responses: 100 / 3 }), []);
  assert.throws(() => map.checkThresholds({ base: 101 }), /from 0 to 100/);
});

Deno.test("percentages are equal in the model, in JSON and in thresholds, to the last digit", () => {
  for (let total = 1; total <= 60; total++) {
    const paths = Object.fromEntries(
      Array.from({ length: total }, (_, index) => [`/p${index}`, {
        get: {
          parameters: [{ name: "q", in: "query", schema: { type: "integer" } }],
          responses: { 200: {}, 404: {} },
        },
      }]),
    );
    const map = CoverageMap.fromDict(shopApi(paths));
    const seen = Math.ceil(total / 3);
    for (let index = 0; index < seen; index++) {
      map.record({ method: "GET", url: `/p${index}?q=1` }, { status_code: 200 });
    }
    const report = map.report();
    const printed = JSON.parse(map.generateReport({ format: "json" }));
    assert.deepEqual(printed.summary, report.summary);
    for (const dimension of ["operations", "parameters", "keywords", "responses"] as const) {
      const exact = report.summary[dimension].percent;
      assert.equal(exact, 100 * seen / (dimension === "responses" ? 2 * total : total));
      assert.deepEqual(map.checkThresholds({ [dimension]: exact }), []);
      const above = Math.min(100, exact + 1e-9);
      const shortfalls = map.checkThresholds({ [dimension]: above });
      assert.deepEqual(
        shortfalls,
        above > exact ? [{ dimension, actual: exact, minimum: above }] : [],
      );
    }
  }
});

Deno.test("responses that were never measured fail only their own threshold", () => {
  const map = shop();
  map.record({ method: "GET", url: "/v1/books" });
  assert.equal(map.report().summary.responses.percent, null);
  const dimensions = (thresholds: Parameters<CoverageMap["checkThresholds"]>[0]) =>
    map.checkThresholds(thresholds).map(({ dimension }) => dimension);
  assert.ok(!dimensions({ base: 1 }).includes("responses"));
  assert.deepEqual(map.checkThresholds({ responses: 10 }), [
    { dimension: "responses", actual: null, minimum: 10 },
  ]);
});

Deno.test("a dimension with nothing to measure fails no threshold", () => {
  const map = CoverageMap.fromDict({ openapi: "3.0.0", info: {}, paths: {} });
  assert.deepEqual(map.checkThresholds({ base: 100 }), []);
  assert.equal(map.report().summary.operations.percent, 100);
  assert.equal(map.report().summary.keywords.percent, null);
});

Deno.test("a description in YAML with a second file is loaded, reported and saved", () => {
  const files = {
    "openapi.yaml": `openapi: 3.0.3
info: { title: Dates, version: 2020-01-01 }
paths:
  /a:
    get:
      parameters: [{ $ref: 'shared.yaml#/q' }]
      responses: { 200: { description: ok } }
`,
    "shared.yaml":
      "q: { name: on, in: query, schema: { type: string, enum: [yes, no], minLength: '1' } }\n",
  };
  return inFolder(files, async (folder) => {
    const map = await CoverageMap.fromPath(`${folder}/openapi.yaml`);
    map.record({ method: "GET", url: "/a?on=yes" });
    const [parameter] = map.report().operations[0]?.parameters ?? [];
    assert.equal(parameter?.schema_path, "shared.yaml#/q");
    assert.deepEqual(
      parameter?.keywords.map(({ schema_path, valid, invalid }) => [schema_path, valid, invalid]),
      [["shared.yaml#/q/schema/type", 1, 0], ["shared.yaml#/q/schema/enum", 1, 0]],
    );
    const [diagnostic] = map.diagnostics();
    assert.equal(diagnostic?.schema_path, "shared.yaml#/q/schema/minLength");
    assert.deepEqual([diagnostic?.line, diagnostic?.column], [1, 68]);
    await map.saveReport({ format: "json", outputFile: `${folder}/out.json` });
    assert.equal(JSON.parse(await Deno.readTextFile(`${folder}/out.json`)).title, "Dates");
  });
});

Deno.test("schemas may refer to each other in chains of any length", () => {
  const length = 5000;
  const schemas: Record<string, unknown> = { [`A${length}`]: { type: "string" } };
  for (let index = 0; index < length; index++) {
    schemas[`A${index}`] = { properties: { x: { $ref: `#/components/schemas/A${index + 1}` } } };
  }
  const schema = { $ref: "#/components/schemas/A0" };
  const map = CoverageMap.fromDict(
    shopApi({ "/a": { post: { requestBody: { content: { "application/json": { schema } } } } } }, {
      openapi: "3.0.0",
      components: { schemas },
    }),
  );
  map.record({ method: "POST", url: "/a", headers: { "Content-Type": "a/b+json" }, body: "{}" });
  map.record({
    method: "POST",
    url: "/a",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  assert.equal(map.statistic().keywords.total, length + 1);
  assert.equal(map.report().operations[0]?.parameters[0]?.keywords.length, length + 1);
  assert.deepEqual(map.diagnostics(), []);
});
