import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "../../../src/report/usage/usage_report.schema.json" with { type: "json" };
import { undocumentedText, usageItemText } from "../../../src/report/usage/usage_wording.ts";
import type { UsageItem, UsageReport } from "../../../src/report/usage/usage_report.ts";
import { CoverageMap } from "../../../src/coverage_map/coverage_map.ts";
import { compare, PRODUCTION, send, SHOP, TESTS } from "../usage_sample.ts";
import { FULL_VISIBILITY } from "../../../src/http/visibility.ts";
import { shopApi } from "../../shop_api.ts";

function named(items: readonly UsageItem[]): (readonly [string, number, number])[] {
  return items.map((item) => {
    const text = `${item.method} ${item.path} ${usageItemText(item)}`.trimEnd();
    return [text, item.production, item.tests] as const;
  });
}

Deno.test("undocumented requests of production have the count of tests, and those of tests only aren't listed", () => {
  const { undocumented } = compare(
    [[2, "GET /internal/users/9/export", 200], [4, "GET /books", 503], [1, "GET /nope", 200]],
    PRODUCTION,
  );
  assert.deepEqual(undocumented.map(({ path, tests }) => [path, tests]), [
    ["/books", 4],
    ["/internal/users/{}/export", 2],
    ["/books", 0],
  ]);
});

Deno.test("undocumented statuses that came equally often are in the order of their numbers", () => {
  const { undocumented } = compare(TESTS, [[1, "GET /books", 503], [1, "GET /books", 418]]);
  assert.deepEqual(undocumented.map(undocumentedText), ["status 418", "status 503"]);
});

Deno.test("a body in an undocumented media type is listed with the media type", () => {
  const xml = { body: "<a/>", headers: { "content-type": "text/xml" } };
  const { undocumented } = compare(TESTS, [[2, "POST /books", 201, xml]]);
  assert.deepEqual(undocumented, [
    {
      kind: "media_type",
      method: "POST",
      path: "/books",
      media_type: "text/xml",
      production: 2,
      tests: 0,
    },
  ]);
});

Deno.test("a response in an undocumented media type is listed with its status", () => {
  const content = { "application/json": {} };
  const description = {
    ...SHOP,
    paths: { "/books": { get: { responses: { 200: { description: "Books", content } } } } },
  };
  const production = CoverageMap.fromDict(description);
  for (const type of ["application/json", "text/html; charset=utf-8"]) {
    const headers = { "content-type": type };
    production.record({ method: "GET", url: "/books" }, { status_code: 200, headers, body: "[]" });
  }
  const { undocumented } = send([], description).compareUsage(production);
  const of = { method: "GET", path: "/books", production: 1, tests: 0 } as const;
  assert.deepEqual(undocumented, [
    { kind: "media_type", ...of, status_code: "200", media_type: "text/html" },
  ]);
  assert.deepEqual(undocumented.map(undocumentedText), ["response 200: body text/html"]);
});

Deno.test("a part that one side can't show is neither used nor unused", () => {
  const tests = send([
    [2, "GET /books?limit=1", 200, { headers: { "x-tenant": "a" } }],
    [1, "POST /books", 201, { body: "{}", headers: { "content-type": "application/json" } }],
  ]);
  const production = CoverageMap.fromDict(SHOP);
  const visibility = {
    path_parameters: true,
    query: true,
    request_headers: "none",
    request_body: false,
    response_headers: "none",
    response_body: false,
    status: true,
    time: true,
  } as const;
  for (const method of ["GET", "POST"]) {
    production.record({ method, url: "/books" }, { status_code: 200 }, undefined, undefined, {
      visibility,
    });
  }
  const report = tests.compareUsage(production);
  assert.deepEqual(named(report.unused), [["GET /books query limit", 0, 2], [
    "POST /books response 201",
    0,
    1,
  ]]);
  assert.equal(report.summary.parameters.total, 4);
  assert.equal(report.summary.parameters.not_measured, 2);
  assert.deepEqual(report.not_measured, [
    { side: "production", part: "request_headers" },
    { side: "production", part: "request_body" },
  ]);
});

Deno.test("path parameters are not compared if the log of production has only routes", () => {
  const description = shopApi({
    "/books/{kind}": {
      parameters: [
        { name: "kind", in: "path", required: true, schema: { enum: ["new", "old"] } },
      ],
      get: { responses: { 200: { description: "Books" } } },
    },
  });
  const load = () => CoverageMap.fromDict(description, { values: true });
  const headers = { host: "localhost" };
  const tests = load();
  tests.record({ method: "GET", url: "/books/new", headers }, { status_code: 200 });
  const production = load();
  const visibility = { ...FULL_VISIBILITY, path_parameters: false };
  production.record(
    { method: "GET", url: "/books/[Filtered]", headers },
    { status_code: 200 },
    undefined,
    undefined,
    { visibility },
  );
  const report = tests.compareUsage(production);
  assert.deepEqual(report.not_measured, [{ side: "production", part: "path_parameters" }]);
  assert.deepEqual(report.unused, []);
  assert.equal(report.summary.values.not_measured, 2);
  assert.deepEqual([report.summary.classes?.total, report.summary.classes?.not_measured], [0, 2]);
});

Deno.test("responses are not compared if one side has no statuses", () => {
  const tests = CoverageMap.fromDict(SHOP);
  tests.record({ method: "GET", url: "/books", headers: { accept: "*/*" } });
  const report = tests.compareUsage(send(PRODUCTION));
  assert.equal(report.summary.responses.total, 0);
  assert.equal(report.summary.responses.not_measured, 5);
  assert.deepEqual(report.not_measured, [{ side: "tests", part: "responses" }]);
  assert.ok(report.untested.every(({ kind }) => kind !== "response"));
});

Deno.test("excluded operations, parameters and responses are left out", () => {
  const tests = CoverageMap.fromDict(SHOP, {
    exclude: ["/books/**", "parameter:limit", "response:404"],
  });
  tests.record({ method: "GET", url: "/books?limit=1", headers: { a: "b" } }, { status_code: 404 });
  const report = tests.compareUsage(send(PRODUCTION));
  assert.deepEqual(named(report.unused), []);
  assert.ok(report.untested.every(({ path }) => path === "/books"));
});

Deno.test("classes of an excluded schema are left out of totals and lists", () => {
  const price = { type: "integer", minimum: 1, maximum: 5, "x-covtool-ignore": "not ours" };
  const properties = { price, pages: { type: "boolean" } };
  const content = { "application/json": { schema: { type: "object", properties } } };
  const description = shopApi({ "/books": { post: { requestBody: { content }, responses: {} } } });
  const [tests, production] = [[1, true], [3, false]].map(([price, pages]) => {
    const map = CoverageMap.fromDict(structuredClone(description), { values: true });
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ price, pages });
    map.record({ method: "POST", url: "/books", headers, body }, { status_code: 200 });
    return map;
  }) as [CoverageMap, CoverageMap];
  const { untested, summary: { classes } } = tests.compareUsage(production);
  assert.deepEqual(named(untested), [["POST /books body pages: false", 1, 0]]);
  assert.equal(classes?.total, tests.report().summary.values?.total);
  const visibility = { ...FULL_VISIBILITY, request_body: false };
  const log = CoverageMap.fromDict(structuredClone(description), { values: true });
  const request = { method: "POST", url: "/books", headers: { accept: "*/*" } };
  log.record(request, { status_code: 200 }, undefined, undefined, { visibility });
  assert.equal(tests.compareUsage(log).summary.classes?.not_measured, classes?.total);
});

Deno.test("values of an excluded schema are left out of totals and lists", () => {
  const sort = { enum: ["title", "price"], "x-covtool-ignore": "not ours" };
  const parameters = [
    { name: "sort", in: "query", schema: { $ref: "#/components/schemas/Sort" } },
    { name: "new", in: "query", schema: { type: "boolean" } },
  ];
  const description = shopApi({ "/books": { get: { parameters, responses: {} } } }, {
    components: { schemas: { Sort: sort } },
  });
  const [tests, production] = ["sort=title&new=true", "sort=price&new=false"].map((query) =>
    send([[1, `GET /books?${query}`, 200]], structuredClone(description))
  ) as [CoverageMap, CoverageMap];
  const { untested, summary: { values } } = tests.compareUsage(production);
  assert.deepEqual(named(untested), [["GET /books query new = false", 1, 0]]);
  assert.equal(values.total, 2);
});

Deno.test("counts are the same for merged and recorded hits", () => {
  const merged = CoverageMap.fromDict(SHOP);
  for (const sent of PRODUCTION) merged.mergeHits(send([sent]).exportHits());
  const generatedAt = "2026-01-31T12:00:00Z";
  assert.deepEqual(send(TESTS).compareUsage(merged, { generatedAt }), compare(TESTS, PRODUCTION));
});

Deno.test("maps of different descriptions are not compared", () => {
  const other = CoverageMap.fromDict({ ...SHOP, paths: {} });
  assert.throws(() => send(TESTS).compareUsage(other), /different descriptions/);
});

Deno.test("every comparison is valid against its JSON Schema", () => {
  const validate = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
  })
    .compile(schema);
  const reports: UsageReport[] = [
    compare(TESTS, PRODUCTION),
    compare([], []),
    compare(PRODUCTION, TESTS),
  ];
  for (const report of reports) {
    assert.ok(validate(JSON.parse(JSON.stringify(report))), JSON.stringify(validate.errors));
  }
});
