// Tests descriptions whose operations share a path and differ in the query, a header or a form field, and real traffic.
import assert from "node:assert/strict";
import { ApiMaps } from "../../src/coverage_map/api_maps.ts";
import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { FULL_VISIBILITY, type Visibility } from "../../src/http/visibility.ts";
import type { HttpRequest } from "../../mod.ts";
import { jsonContent, shopApi } from "../shop_api.ts";

type Json = Record<string, unknown>;

const OK = { responses: { 200: { description: "OK" } } };

function described(paths: Json): Json {
  return { openapi: "3.0.3", info: { title: "T", version: "1" }, paths };
}

function load(paths: Json): CoverageMap {
  return CoverageMap.fromDict(described(paths));
}

/** Maps the operations that were hit to their number of hits. */
function hits(map: Pick<CoverageMap, "report">): Record<string, number> {
  return Object.fromEntries(
    map.report().operations.filter(({ hits }) => hits > 0)
      .map(({ method, path, hits }) => [`${method} ${path}`, hits]),
  );
}

function one(
  location: "query" | "header",
  name: string,
  value: string,
  schema: Json = { type: "string", enum: [value] },
): Json {
  return { name, in: location, required: true, schema };
}

function target(name: string): Json {
  const path = { parameters: [one("header", "X-Amz-Target", name)] };
  const body = jsonContent({ type: "object", properties: { Limit: { type: "integer" } } });
  return { post: { ...path, requestBody: body, ...OK } };
}

const TARGETS = {
  "/#X-Amz-Target=DynamoDB_20120810.GetItem": target("DynamoDB_20120810.GetItem"),
  "/#X-Amz-Target=DynamoDB_20120810.ListTables": target("DynamoDB_20120810.ListTables"),
};

function sendTarget(name: string): HttpRequest {
  return {
    method: "POST",
    url: "https://dynamodb.eu-west-1.amazonaws.com/",
    headers: { "x-amz-target": name, "content-type": "application/x-amz-json-1.0" },
    body: '{"Limit":1}',
  };
}

Deno.test("AWS JSON requests count for the operation that X-Amz-Target names", () => {
  const map = load(TARGETS);
  map.record(sendTarget("DynamoDB_20120810.ListTables"));
  map.record(sendTarget("DynamoDB_20120810.ListTables"));
  map.record(sendTarget("DynamoDB_20120810.Unknown"));
  map.record({ method: "POST", url: "/" });
  map.record({ method: "GET", url: "/" });
  assert.deepEqual(hits(map), { "POST /#X-Amz-Target=DynamoDB_20120810.ListTables": 2 });
  const [, body] = map.report().operations.find(({ hits }) => hits > 0)?.parameters ?? [];
  assert.deepEqual([body?.parameter, body?.hits], ["application/json", 2]);
  assert.ok(body?.keywords.every(({ valid }) => valid === 2));
  assert.deepEqual(map.findings(), []);
  assert.deepEqual(
    map.report().unmatched.map(({ method, path, reason, count }) => [method, path, reason, count]),
    [
      ["GET", "/", "method_not_documented", 1],
      ["POST", "/", "condition_not_met", 1],
      ["POST", "/", "condition_not_met", 1],
    ],
  );
});

Deno.test("a parameter whose value the path gives has no keyword that can fail, and no rule", () => {
  const map = load(TARGETS);
  map.record(sendTarget("DynamoDB_20120810.GetItem"), { status_code: 200 });
  const { keywords } = map.statistic();
  // `type` and `properties` of the body, and `type` of `Limit`, of two operations.
  assert.equal(keywords.total, 6);
  assert.equal(map.report().summary.enforcement?.total, 6 - 2);
  const fixed = map.report().operations[0]?.parameters[0];
  assert.equal(fixed?.parameter, "X-Amz-Target");
  assert.equal(fixed?.keyword_total, 0);
  assert.equal(
    map.gaps().some((gap) => "schema_path" in gap && gap.parameter === "X-Amz-Target"),
    false,
  );
  assert.ok(
    map.uncoveredKeywords().every(({ parameter, satisfiability }) =>
      parameter !== "X-Amz-Target" || satisfiability === "Positive"
    ),
  );
});

Deno.test("a value in a path that violates the parameter's schema gets a diagnostic and is Negative", () => {
  const map = load({
    "/#Action=Go": { get: { parameters: [one("query", "Action", "Go", { maxLength: 1 })], ...OK } },
  });
  assert.deepEqual(map.diagnostics().map(({ code, schema_path }) => [code, schema_path]), [[
    "condition_breaks_schema",
    "/paths/~1#Action=Go/get/parameters/0/schema/maxLength",
  ]]);
  map.record({ method: "GET", url: "/?Action=Go" });
  assert.deepEqual(map.uncoveredKeywords(), []);
  assert.equal(map.statistic().keywords.total, 0);
});

/** An operation of the AWS query protocol: GET has all parameters in the query, POST only the common ones. */
function action(name: string): Json {
  const shared = [one("query", "Action", name), one("query", "Version", "2012-11-05")];
  const queue = { name: "QueueName", in: "query", required: true, schema: { minLength: 3 } };
  const get = { parameters: [...shared, queue], ...OK };
  const content = { "text/xml": { schema: { type: "object" } } };
  const post = { parameters: [...shared, queue], requestBody: { content, required: true }, ...OK };
  return { get, post };
}

const ACTIONS = {
  "/#Action=CreateQueue": action("CreateQueue"),
  "/#Action=DeleteQueue": action("DeleteQueue"),
};

function form(body: string, query = ""): HttpRequest {
  return {
    method: "POST",
    url: `https://sqs.eu-west-1.amazonaws.com/${query}`,
    headers: { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" },
    body,
  };
}

Deno.test("AWS query requests count by the action in the query or form, and form fields are parameters", () => {
  const map = load(ACTIONS);
  map.record({ method: "GET", url: "/?Action=DeleteQueue&Version=2012-11-05&QueueName=a+b" });
  map.record(form("Action=CreateQueue&Version=2012-11-05&QueueName=ab"), { status_code: 400 });
  map.record(form("Action=CreateQueue&QueueName=x", "?QueueName=long"));
  map.record(form("Action=Nothing"));
  assert.deepEqual(hits(map), { "POST /#Action=CreateQueue": 2, "GET /#Action=DeleteQueue": 1 });
  const [, post] = map.report().operations;
  assert.equal(post?.method, "POST");
  assert.deepEqual(
    post?.parameters.map(({ parameter, hits }) => [parameter, hits]),
    [["Action", 2], ["Version", 1], ["QueueName", 2], ["text/xml", 0]],
  );
  // "ab" is in the form, and "long" is in the query, which has precedence.
  assert.deepEqual(
    post?.parameters[2]?.keywords.map(({ keyword, valid, invalid }) => [keyword, valid, invalid]),
    [["minLength", 1, 1]],
  );
  // The form is documented by the query, and the refused request violated only one rule.
  assert.deepEqual(map.findings().map(({ kind }) => kind), [
    "undocumented_status",
    "never_succeeded",
  ]);
  assert.equal(post?.summary.enforcement?.enforced, 1);
});

Deno.test("a form that no condition needs is an undocumented body", () => {
  const map = load(ACTIONS);
  map.record(form("QueueName=ab", "?Action=CreateQueue&Version=2012-11-05"), { status_code: 200 });
  assert.ok(map.findings().some(({ kind }) => kind === "undocumented_body"));
});

Deno.test("S3's sub-resources count separately from the bucket, by most conditions first", () => {
  const flag = (name: string) => ({
    name,
    in: "query",
    required: true,
    allowEmptyValue: true,
    schema: { type: "boolean", enum: [true] },
  });
  const id = { name: "id", in: "query", required: true, schema: { type: "string" } };
  const bucket = { name: "Bucket", in: "path", required: true, schema: { type: "string" } };
  const map = load({
    "/{Bucket}": { parameters: [bucket], get: OK, put: OK },
    "/{Bucket}#uploads": { parameters: [bucket], get: { parameters: [flag("uploads")], ...OK } },
    "/{Bucket}#analytics": { get: { parameters: [bucket, flag("analytics")], ...OK } },
    "/{Bucket}#analytics&id": { get: { parameters: [bucket, id, flag("analytics")], ...OK } },
  });
  for (
    const url of ["/a?prefix=x", "/a?uploads", "/a?uploads=", "/a?analytics", "/a?id=1&analytics="]
  ) map.record({ method: "GET", url });
  assert.deepEqual(hits(map), {
    "GET /{Bucket}": 1,
    "GET /{Bucket}#uploads": 2,
    "GET /{Bucket}#analytics": 1,
    "GET /{Bucket}#analytics&id": 1,
  });
});

Deno.test("a path parameter after ? is decoded from the query", () => {
  const number = (name: string) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "number", maximum: 90 },
  });
  const map = load({
    "/alerts?lat={lat}&lon={lon}": { get: { parameters: [number("lat"), number("lon")], ...OK } },
    "/alerts?city={city}": {
      get: { parameters: [{ ...number("city"), schema: { enum: ["New York"] } }], ...OK },
    },
  });
  map.record({ method: "GET", url: "/alerts?lon=100&lat=1.5" });
  map.record({ method: "GET", url: "/alerts?city=New+York" });
  const [first, second] = map.report().operations;
  const counts = [...first?.parameters ?? [], ...second?.parameters ?? []].map((
    { parameter, keywords },
  ) => [parameter, ...keywords.map(({ valid, invalid }) => `${valid}/${invalid}`)]);
  assert.deepEqual(counts, [["lat", "1/0", "1/0"], ["lon", "1/0", "0/1"], ["city", "1/0"]]);
});

Deno.test("single values of required parameters tell operations apart if nothing else does", () => {
  const operation = (kind?: string) => ({
    get: { parameters: kind === undefined ? [] : [one("query", "kind", kind)], ...OK },
  });
  const token = (grant: string) => ({
    post: {
      requestBody: {
        required: true,
        content: {
          "application/x-www-form-urlencoded": {
            schema: {
              type: "object",
              required: ["grant_type"],
              properties: { grant_type: { type: "string", enum: grant.split(" ") } },
            },
          },
        },
      },
      ...OK,
    },
  });
  const map = load({
    "/items/{a}": operation(),
    "/items/{b}": operation("book"),
    "/items/{c}#overload=film": operation("film"),
    "/items/{d}": operation("film"),
    "/token": token("password code"),
    "/token#refresh": token("refresh_token"),
  });
  for (const url of ["/items/1", "/items/1?kind=x", "/items/1?kind=book", "/items/1?kind=film"]) {
    map.record({ method: "GET", url });
  }
  map.record({ ...form("grant_type=refresh_token"), url: "/token" });
  map.record({ ...form("grant_type=code"), url: "/token" });
  assert.deepEqual(hits(map), {
    "GET /items/{a}": 2,
    "GET /items/{b}": 1,
    "GET /items/{c}#overload=film": 1,
    "POST /token": 1,
    "POST /token#refresh": 1,
  });
  // The fourth operation takes the requests of the third.
  assert.deepEqual(map.statistic().operations, { seen: 5, total: 5 });
  assert.deepEqual(
    map.diagnostics().filter(({ code }) => code === "indistinguishable")
      .map(({ schema_path }) => schema_path),
    ["/paths/~1items~1{d}/get"],
  );
  const { exclusions, operations } = map.report();
  assert.deepEqual(exclusions?.map(({ pattern, stale }) => [pattern, stale]), [[
    "indistinguishable",
    null,
  ]]);
  assert.equal(exclusions?.[0]?.excluded.operations.total, 1);
  assert.equal(operations[3]?.excluded, 0);
});

Deno.test("suggestions meet the conditions of their operations", () => {
  const map = load({
    ...TARGETS,
    ...ACTIONS,
    "/{c}?restype=container": { put: OK },
    "/{c}?restype=blob": { put: OK },
    "/tags/{arn}#keys": {
      delete: { parameters: [{ name: "keys", in: "query", schema: { type: "string" } }], ...OK },
    },
    "/tags/{arn}": { delete: OK },
    "/alerts?lat={lat}": {
      get: {
        parameters: [{ name: "lat", in: "path", required: true, schema: { type: "integer" } }],
        ...OK,
      },
    },
  });
  const { requests } = map.suggestRequests({ server: "http://localhost" });
  for (const { request } of requests) map.record(request, { status_code: 200 });
  const { operations, parameters } = map.statistic();
  assert.equal(operations.seen, operations.total);
  assert.equal(parameters.seen, parameters.total);
  assert.deepEqual(map.report().unmatched, []);
  assert.ok(requests.some(({ path }) => path === "/{c}?restype=blob"));
});

Deno.test("of several APIs with the same host and path, the one whose condition is met gets the request", () => {
  const apis = new ApiMaps([
    { name: "sqs", map: MeasuredApi.fromDict(described(ACTIONS)) },
    { name: "dynamodb", map: MeasuredApi.fromDict(described(TARGETS)) },
  ]);
  const { headers, ...request } = sendTarget("DynamoDB_20120810.GetItem");
  apis.record({
    ...request,
    headers: new Map(Object.entries(headers as Record<string, string>)).entries(),
  });
  apis.record(form("Action=CreateQueue"));
  assert.deepEqual(apis.apis.map(({ map }) => hits(map)), [
    { "POST /#Action=CreateQueue": 1 },
    { "POST /#X-Amz-Target=DynamoDB_20120810.GetItem": 1 },
  ]);
  assert.equal(apis.traffic().matched, 2);
});

Deno.test("hits of operations with conditions are merged, and carried over to a changed description", () => {
  const map = load(TARGETS);
  map.record(sendTarget("DynamoDB_20120810.GetItem"));
  map.record({ method: "PUT", url: "/" });
  const bytes = map.exportHits();
  const same = load(TARGETS);
  same.mergeHits(bytes);
  assert.deepEqual(same.statistic(), map.statistic());
  const later = load({ ...TARGETS, "/#X-Amz-Target=New": target("New") });
  assert.deepEqual(later.mergeHits(bytes, { carry: true }), []);
  assert.deepEqual(hits(later), hits(map));
  assert.equal(later.report().unmatched.length, 1);
});

Deno.test("scope patterns match operations with conditions as the description writes them", () => {
  const paths = { ...TARGETS, "/rest?method=a": { get: OK }, "/rest?method=b": { get: OK } };
  const map = CoverageMap.fromDict(shopApi(paths, { openapi: "3.0.3" }), {
    exclude: ["/#X-Amz-Target=*", "GET /rest?method=b"],
  });
  assert.deepEqual(map.statistic().operations.total, 1);
  assert.deepEqual(map.report().exclusions?.map(({ stale }) => stale), [null, null]);
});

Deno.test("a diagnostic says that traffic doesn't show the part that tells operations apart", () => {
  const message = (paths: Json, request: Partial<HttpRequest>, visibility: Partial<Visibility>) => {
    const map = load(paths);
    const details = { visibility: { ...FULL_VISIBILITY, ...visibility } };
    const sent = { method: "POST", url: "/", ...request };
    map.record(sent, { status_code: 200 }, undefined, undefined, details);
    const again = load(paths);
    again.mergeHits(map.exportHits());
    assert.deepEqual(again.diagnostics(), map.diagnostics());
    return map.diagnostics().find(({ code }) => code === "condition_not_shown")?.message ?? "";
  };
  const log = { request_headers: "none", request_body: false } as const;
  assert.equal(
    message(TARGETS, {}, log),
    "Only the header field `X-Amz-Target` tells requests for `POST /#X-Amz-Target=DynamoDB_20120810.GetItem` and 1 more from others, and this traffic doesn't show it, so none counts. Record with covtool's proxy or one of its plugins, which do.",
  );
  assert.match(message(ACTIONS, {}, log), /^Only the query parameter `Action` tells/);
  assert.equal(message(TARGETS, { headers: { accept: "*/*" } }, {}), "");
  assert.equal(message(ACTIONS, form("Action=Other"), {}), "");
  assert.equal(message(ACTIONS, {}, { request_headers: "none" }), "");
});
