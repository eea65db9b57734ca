import assert from "node:assert/strict";
import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import type { SuggestOptions } from "../../src/suggest/suggestion.ts";
import { jsonContent, shopApi } from "../shop_api.ts";
import { mapFrom } from "./map_from.ts";

const SERVER = "http://localhost:3000";

/** A description with one operation that accepts a body. */
function describeBody(schema: unknown, more: object = {}) {
  return shopApi({
    "/books": {
      post: {
        operationId: "addBook",
        requestBody: { content: { "application/json": { schema } } },
        responses: { 201: { description: "Added" }, 400: { description: "Refused" } },
      },
    },
  }, more);
}

/** The suggested bodies, each with the end of the pointer to the rule that it violates. */
function bodies(schema: unknown, more?: object): [body: unknown, breaks: string | null][] {
  return mapFrom(describeBody(schema, more)).suggestRequests({ server: SERVER }).requests
    .map(({ request, breaks }) => [
      request.body === undefined ? undefined : JSON.parse(request.body),
      breaks?.schema_path.replace(/.*\/schema\//, "") ?? null,
    ]);
}

/** Open gaps as `state keyword`. */
function left(schema: unknown): string[] {
  const { unreachable } = mapFrom(describeBody(schema)).suggestRequests({ server: SERVER });
  return unreachable.flatMap(({ gap }) =>
    gap.kind === "keyword_uncovered"
      ? [`${gap.state} ${gap.schema_path.split("/").at(-1)}`]
      : gap.kind === "response_uncovered"
      ? []
      : [gap.kind]
  );
}

Deno.test("one request shows all valid outcomes, and each invalid outcome has its own", () => {
  const schema = {
    type: "object",
    required: ["title"],
    properties: { title: { type: "string", minLength: 2 }, pages: { type: "integer", minimum: 1 } },
  };
  assert.deepEqual(bodies(schema), [
    [{ title: "text", pages: 1 }, null],
    [{ title: 1 }, "properties/title/type"],
    ["text", "type"],
    [{}, "required"],
    [{ title: "t" }, "properties/title/minLength"],
    [{ title: "text", pages: "text" }, "properties/pages/type"],
    [{ title: "text", pages: 0 }, "properties/pages/minimum"],
  ]);
});

Deno.test("a valid number has few digits, despite the limits of int64", () => {
  const limits = { minimum: -(2 ** 63), maximum: 2 ** 63 };
  const found = bodies({ type: "integer", format: "int64", ...limits });
  assert.deepEqual(found.filter(([, breaks]) => breaks === null), [[1, null]]);
});

Deno.test("with traffic, fewer requests are suggested", () => {
  const map = mapFrom(describeBody({ type: "integer", maximum: 5 }));
  const headers = { "content-type": "application/json" };
  map.record({ method: "POST", url: `${SERVER}/books`, headers, body: "3" });
  const { requests } = map.suggestRequests({ server: SERVER });
  assert.deepEqual(requests.map(({ request }) => request.body), ['"text"', "6"]);
});

Deno.test("every keyword is shown passing and failing", () => {
  for (
    const schema of [
      { enum: ["a", "b"] },
      { const: 5 },
      { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
      { type: "integer", multipleOf: 7, minimum: 8 },
      { type: "string", pattern: "^[A-Z]{3}-\\d+$", maxLength: 8 },
      { type: "string", format: "date-time" },
      { type: "array", items: { type: "integer" }, minItems: 1, maxItems: 3, uniqueItems: true },
      { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false },
      { type: "array", contains: { type: "integer" }, maxContains: 2 },
      { type: "object", minProperties: 1, maxProperties: 2 },
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
      { type: "object", additionalProperties: { type: "integer" } },
      { type: "object", patternProperties: { "^x-": { type: "integer" } } },
      { type: "object", propertyNames: { pattern: "^[a-z]+$" } },
      { type: "object", dependentRequired: { card: ["address"] } },
      { type: "object", dependentSchemas: { card: { required: ["address"] } } },
      { type: "object", properties: { a: true }, unevaluatedProperties: false },
      { type: "array", prefixItems: [true], unevaluatedItems: { type: "string" } },
      { anyOf: [{ type: "string", maxLength: 3 }, { type: "integer", minimum: 2 }] },
      { oneOf: [{ type: "integer", multipleOf: 2 }, { type: "integer", multipleOf: 3 }] },
      { allOf: [{ type: "object", required: ["a"] }, { properties: { a: { type: "string" } } }] },
      { type: "integer", not: { multipleOf: 5 } },
      {
        type: "object",
        required: ["kind", "size"],
        properties: { kind: { enum: ["small", "large"] }, size: { type: "integer" } },
        if: { properties: { kind: { const: "small" } } },
        then: { properties: { size: { maximum: 5 } } },
        else: { properties: { size: { minimum: 5 } } },
      },
    ]
  ) {
    assert.deepEqual(left(schema), [], JSON.stringify(schema));
  }
});

Deno.test("references are followed only as deep as needed to show a keyword", () => {
  const schemas = {
    Node: {
      type: "object",
      required: ["name"],
      properties: { name: { type: "string" }, child: { $ref: "#/components/schemas/Node" } },
    },
  };
  const made = bodies({ $ref: "#/components/schemas/Node" }, { components: { schemas } });
  assert.deepEqual(made.map(([body]) => body), [{ name: "text" }, { name: 1 }, "text", {}]);
});

Deno.test("a contradictory value is listed with a reason", () => {
  const { unreachable } = mapFrom(
    describeBody({ type: "string", pattern: "^a$", format: "date", enum: ["b"] }),
  ).suggestRequests({ server: SERVER, kinds: ["keyword_uncovered"] });
  assert(unreachable.length > 0);
  for (const { reason } of unreachable) assert.match(reason, /^[A-Z].*\.$/);
});

Deno.test("credentials are placeholders that name their security scheme", () => {
  const more = {
    security: [{ shopToken: [], "api key": [] }],
    components: {
      securitySchemes: {
        shopToken: { type: "http", scheme: "bearer" },
        "api key": { type: "apiKey", in: "query", name: "key" },
      },
    },
  };
  const map = mapFrom(describeBody({ type: "string" }, more));
  const [first] = map.suggestRequests({ server: SERVER }).requests;
  assert.equal(first?.request.url, `${SERVER}/books?key=$COVTOOL_AUTH_API_KEY`);
  assert.equal(first?.request.headers["Authorization"], "Bearer $COVTOOL_AUTH_SHOP_TOKEN");
});

Deno.test("suggested credentials are the ones that recording looks for", () => {
  const more = {
    components: {
      securitySchemes: {
        one: { $ref: "#/components/securitySchemes/other" },
        other: { type: "apiKey", in: "header", name: "X-Key" },
        digest: { type: "http", scheme: "digest" },
        raw: { type: "apiKey", in: "header", name: "authorization" },
        session: { type: "apiKey", in: "cookie", name: "Session" },
        tls: { type: "mutualTLS" },
      },
      pathItems: {
        books: {
          post: {
            security: [{ tls: [] }, { unknown: [] }, { one: [], session: [] }],
            responses: {},
          },
          put: { security: [{ raw: [] }], responses: {} },
          get: { security: [{ digest: [] }, {}], responses: {} },
          patch: { security: [{ digest: [] }], responses: {} },
          delete: { responses: {} },
        },
      },
    },
    security: [{ other: [] }],
    paths: { "/books": { $ref: "#/components/pathItems/books" } },
  };
  const { requests } = mapFrom(describeBody({}, more)).suggestRequests({ server: SERVER });
  assert.deepEqual(
    Object.fromEntries(requests.map(({ request: { method, headers } }) => [method, headers])),
    {
      POST: { "X-Key": "$COVTOOL_AUTH_ONE", Cookie: "Session=$COVTOOL_AUTH_SESSION" },
      PUT: { Authorization: "$COVTOOL_AUTH_RAW" },
      GET: {},
      PATCH: { Authorization: "Digest $COVTOOL_AUTH_DIGEST" },
      DELETE: { "X-Key": "$COVTOOL_AUTH_OTHER" },
    },
  );
});

Deno.test("expected statuses depend on whether a request is valid", () => {
  const map = mapFrom(describeBody({ type: "string" }));
  const { requests } = map.suggestRequests({ server: SERVER });
  assert.deepEqual(requests.map(({ expects }) => expects), [["201"], ["400"]]);
});

Deno.test("if only default is documented, valid and invalid requests expect it", () => {
  const document = describeBody({ type: "string" });
  const responses = { default: { description: "Anything" } };
  const paths = { "/books": { post: { ...document.paths["/books"].post, responses } } };
  const { requests, unreachable } = mapFrom({ ...document, paths })
    .suggestRequests({ server: SERVER });
  assert.deepEqual(requests.map(({ expects }) => expects), [["default"], ["default"]]);
  assert.deepEqual(unreachable, []);
});

Deno.test("the server is taken from the description unless one is given", () => {
  const more = {
    servers: [{ url: "https://{at}.example/v1/", variables: { at: { default: "a" } } }],
  };
  const map = mapFrom(describeBody({ type: "string" }, more));
  const url = (options?: SuggestOptions) => map.suggestRequests(options).requests[0]?.request.url;
  assert.equal(url(), "https://a.example/v1/books");
  assert.equal(url({ server: "http://localhost:8080/v1/" }), "http://localhost:8080/v1/books");
});

Deno.test("a request without a server, or for an unknown operation or kind, is refused", () => {
  const map = mapFrom(describeBody({ type: "string" }));
  assert.throws(() => map.suggestRequests(), /names no server/);
  assert.throws(() => map.suggestRequests({ server: "localhost" }), /with its scheme/);
  assert.throws(
    () => map.suggestRequests({ server: SERVER, operations: ["addBok"] }),
    /Did you mean "addBook"\?/,
  );
  const kinds = ["keyword"] as unknown as SuggestOptions["kinds"];
  assert.throws(() => map.suggestRequests({ server: SERVER, kinds }), /Choose from/);
});

Deno.test("operations can be named by id or by method and path", () => {
  const map = mapFrom(describeBody({ type: "string" }));
  for (const name of ["addBook", "POST /books", "post /books"]) {
    assert.equal(map.suggestRequests({ server: SERVER, operations: [name] }).requests.length, 2);
  }
  const additionalOperations = { Copy: { responses: { 200: { description: "Copied" } } } };
  const copies = mapFrom(shopApi({ "/books": { additionalOperations } }, { openapi: "3.2.0" }));
  for (const name of ["Copy /books", "copy /books"]) {
    const { requests } = copies.suggestRequests({ server: SERVER, operations: [name] });
    assert.equal(requests.length, 1);
  }
});

Deno.test("operations alternate, and each begins with valid requests", () => {
  const query = (name: string, schema: object) => ({ name, in: "query", schema });
  const get = (...parameters: object[]) => ({
    get: { parameters, responses: { 200: { description: "Fine" } } },
  });
  const map = mapFrom(shopApi({
    "/books": get(query("page", { type: "integer", maximum: 9 })),
    "/orders": get(
      query("page", { type: "integer", examples: [4, 5] }),
      query("size", { anyOf: [{ type: "integer" }] }),
    ),
  }));
  const { requests } = map.suggestRequests({ server: SERVER });
  assert.deepEqual(
    requests.map(({ request, closes }) => [request.url.slice(SERVER.length), closes.length]),
    [
      ["/orders?page=4&size=1", 7],
      ["/books?page=9", 4],
      // It closes less than the request that violates a rule.
      ["/orders?page=5&size=1", 1],
      ["/books?page=text", 1],
      ["/orders?size=text", 2],
      ["/books?page=10", 1],
      ["/orders?page=text", 1],
    ],
  );
});

Deno.test("with a limit, the requests are the same, and operations with too few open gaps aren't searched", () => {
  const paths: Record<string, object> = {};
  for (let index = 0; index < 40; index++) {
    const parameters = Array.from({ length: 1 + index * 7 % 40 }, (_, number) => ({
      name: `p${number}`,
      in: "query",
      schema: { type: "integer", maximum: 9 },
    }));
    paths[`/a${index}`] = { get: { parameters, responses: { 409: { description: "Conflict" } } } };
  }
  const map = mapFrom({ ...describeBody({}), paths });
  const all = map.suggestRequests({ server: SERVER });
  for (const limit of [1, 3, 10, 25, 1000]) {
    const { requests, unreachable } = map.suggestRequests({ server: SERVER, limit });
    assert.deepEqual(requests, all.requests.slice(0, limit), `${limit}`);
    // The status of each searched operation stays open.
    const searched = unreachable.filter(({ gap }) => gap.kind === "response_uncovered").length;
    assert.ok(limit > 10 || searched < 26, `${searched} operations were searched for ${limit}`);
    if (limit === 1000) assert.deepEqual(unreachable, all.unreachable);
  }
});

Deno.test("statuses are left open if there are responses or no traffic, but not if no response was recorded", () => {
  const map = mapFrom(shopApi({ "/books": { get: { responses: { 200: {}, 500: {} } } } }));
  const statuses = () =>
    map.suggestRequests({ server: SERVER }).unreachable.map(({ gap }) =>
      "status_code" in gap ? gap.status_code : gap.kind
    );
  assert.deepEqual(statuses(), ["500"]);
  map.record({ method: "GET", url: "/books" });
  assert.deepEqual(map.gaps(), []);
  assert.deepEqual(statuses(), []);
  map.record({ method: "GET", url: "/books" }, { status_code: 200 });
  assert.deepEqual(statuses(), ["500"]);
});

Deno.test("a status is expected of a request that shows classes of values alone, too", () => {
  const parameters = [{ name: "new", in: "query", schema: { type: "boolean" } }];
  const map = CoverageMap.fromDict(
    shopApi({ "/books": { get: { parameters, responses: { 200: { description: "Books" } } } } }),
  );
  for (const value of ["true", "text"]) {
    map.record({ method: "GET", url: `/books?new=${value}` }, { status_code: 404 });
  }
  const { requests, unreachable } = map.suggestRequests({ server: SERVER });
  assert.deepEqual(requests.map(({ expects }) => expects), [["200"]]);
  assert.deepEqual(unreachable, []);
});

const ORDERS = shopApi({
  "/orders/{id}": {
    put: {
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "string" } },
        { name: "X-Key", in: "header", schema: { type: "string" } },
      ],
      requestBody: jsonContent({
        type: "object",
        required: ["customer", "lines"],
        properties: {
          customer: { type: "string" },
          lines: {
            type: "array",
            items: {
              type: "object",
              properties: {
                sku: { type: "string" },
                count: { type: "integer", minimum: 1 },
              },
            },
          },
        },
      }),
      responses: { 200: { description: "Changed" } },
    },
  },
}, {
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
});

function recordOrder(map: CoverageMap, id: string, status_code: number, body: unknown): void {
  map.record({
    method: "PUT",
    url: `https://shop.example/api/orders/${id}`,
    headers: { "content-type": "application/json", "x-key": "Sup3rS3cret" },
    body: JSON.stringify(body),
  }, { status_code });
}

Deno.test("a successful recorded request is the basis of others, without its secrets", () => {
  const map = mapFrom(ORDERS, { keepRequests: true, basePath: "/api" });
  recordOrder(map, "1234567", 201, { customer: "ann-marie", lines: [{ sku: "A", count: 2 }] });
  recordOrder(map, "77", 200, { customer: "ann", lines: [{ sku: "A", count: 2 }] });
  recordOrder(map, "1", 404, { customer: "x", lines: [] });
  const { requests } = map.suggestRequests();
  const broken = requests.find(({ breaks }) => breaks?.schema_path.endsWith("/count/minimum"));
  assert.equal(broken?.request.url, "https://shop.example/api/orders/77");
  assert.equal(broken?.request.body, '{"customer":"ann","lines":[{"sku":"A","count":0}]}');
  assert.equal(broken?.based_on, "recorded");
  for (const { request } of requests) assert.equal(request.headers["X-Key"], "$COVTOOL_AUTH_KEY");
  assert.doesNotMatch(JSON.stringify(requests), /Sup3r/);
});

Deno.test("a recorded request with a long list isn't a basis, because all others would repeat it", () => {
  const list = { type: "array", items: { type: "integer" } };
  const map = mapFrom(
    shopApi({
      "/a": {
        post: {
          parameters: [{ name: "X-List", in: "header", schema: list }],
          requestBody: { content: { "application/json": { schema: list } } },
          responses: { 200: { description: "OK" } },
        },
      },
    }),
    { keepRequests: true },
  );
  const record = (list: string, body: string) =>
    map.record(
      {
        method: "POST",
        url: `${SERVER}/a`,
        headers: { "content-type": "application/json", "x-list": list },
        body,
      },
      { status_code: 200 },
    );
  const bases = () =>
    new Set(map.suggestRequests({ server: SERVER }).requests.map(({ based_on }) => based_on));
  record("1,".repeat(10_000), "[1]");
  record("1", `[${"1,".repeat(10_000)}1]`);
  assert.deepEqual([...bases()], ["schema"]);
  record("1", "[1]");
  assert.ok(bases().has("recorded"));
});

Deno.test("the basis doesn't depend on the order of the traffic", () => {
  const suggested = [["9", "7"], ["7", "9"]].map((ids) => {
    const map = mapFrom(ORDERS, { keepRequests: true, basePath: "/api" });
    for (const id of ids) recordOrder(map, id, 200, { customer: "ann", lines: [] });
    return map.suggestRequests();
  });
  assert.deepEqual(suggested[0], suggested[1]);
  // Requests that differ in their header fields alone.
  const shop = { name: "X-Shop", in: "header", schema: { type: "string" } };
  const limit = { name: "limit", in: "query", schema: { type: "integer", maximum: 9 } };
  const get = { parameters: [shop, limit], responses: { 200: { description: "Books" } } };
  const shops = [["north", "south"], ["south", "north"]].map((names) => {
    const map = mapFrom(shopApi({ "/books": { get } }), { keepRequests: true });
    for (const name of names) {
      const headers = { "x-shop": name };
      map.record({ method: "GET", url: `${SERVER}/books`, headers }, { status_code: 200 });
    }
    return map.suggestRequests();
  });
  assert.match(JSON.stringify(shops[0]), /north/);
  assert.deepEqual(shops[0], shops[1]);
});

Deno.test("null is never sent as text, and leaves no gap open", () => {
  const integerOrNull = { anyOf: [{ type: "null" }, { type: "integer" }] };
  const map = mapFrom(shopApi({
    "/books": {
      get: {
        parameters: [
          { name: "pages", in: "query", schema: integerOrNull },
          { name: "year", in: "query", schema: { type: ["null", "integer"] } },
          { name: "genre", in: "query", schema: { enum: [null, "novel"] } },
          { name: "X-Count", in: "header", schema: integerOrNull },
          { name: "shelf", in: "cookie", schema: { type: "array", items: integerOrNull } },
        ],
        responses: { 200: { description: "Books" } },
      },
    },
  }));
  const { requests, unreachable } = map.suggestRequests({ server: SERVER });
  const valid = requests.filter(({ breaks }) => breaks === null).map(({ request }) => request);
  assert.deepEqual(valid[0], {
    method: "GET",
    url: `${SERVER}/books?pages=1&year=1&genre=novel`,
    headers: { "X-Count": "1", Cookie: "shelf=1; shelf=1" },
  });
  assert.doesNotMatch(JSON.stringify(requests.map(({ request }) => request)), /null/);
  assert.deepEqual(unreachable, []);
});

Deno.test("requests use the server of a path item behind a reference, and of additional operations", () => {
  const servers = (name: string) => [{ url: `https://${name}.example/v1` }];
  const get = { operationId: "get", responses: { 200: { description: "" } } };
  const map = mapFrom(shopApi({
    "/a": { $ref: "#/components/pathItems/a" },
    "/b": { $ref: "#/components/pathItems/a", servers: servers("near") },
    "/c": { additionalOperations: { COPY: { ...get, servers: servers("copies") } } },
    "/d": { get: { ...get, servers: [{ description: "No URL" }, ...servers("second")] } },
    "/e": { get: { ...get, servers: [] } },
  }, {
    openapi: "3.2.0",
    servers: servers("api"),
    components: { pathItems: { a: { servers: servers("far"), get } } },
  }));
  assert.deepEqual(map.suggestRequests().requests.map(({ request: { url } }) => url), [
    "https://far.example/v1/a",
    "https://near.example/v1/b",
    "https://copies.example/v1/c",
    "https://second.example/v1/d",
    "https://api.example/v1/e",
  ]);
});

Deno.test("requests include the form field that tells their operation from others", () => {
  const properties = { Action: { type: "string" }, Name: { type: "string", maxLength: 5 } };
  const post = (mediaType: string) => ({
    requestBody: { content: { [mediaType]: { schema: { type: "object", properties } } } },
    responses: { 200: { description: "" } },
  });
  for (const mediaType of ["application/x-www-form-urlencoded", "multipart/form-data"]) {
    const map = mapFrom(shopApi({
      "/#Action=CreateUser": { post: post(mediaType) },
      "/#Action=DeleteUser": { post: post(mediaType) },
    }, { servers: [{ url: "http://localhost" }] }));
    const { requests } = map.suggestRequests();
    for (const { request } of requests) map.record(request, { status_code: 200 });
    assert.equal(map.statistic().operations.seen, 2, mediaType);
    const open = map.gaps().filter(({ kind }) => kind === "keyword_uncovered");
    // Requests with another action or without one don't belong to the operation.
    const others = open.filter((gap) => !JSON.stringify(gap).includes("properties/Action"));
    assert.deepEqual(others.map((gap) => "schema_path" in gap && gap.schema_path), [], mediaType);
  }
});

Deno.test("a string that could also be a number is sent as a number", () => {
  const schema = { anyOf: [{ type: "number" }, { type: "string" }] };
  for (const price of [schema, { type: ["number", "string"] }]) {
    const sent = bodies({ type: "object", properties: { price } });
    const texts = sent.map(([body]) => (body as { price?: unknown }).price)
      .filter((price) => typeof price === "string");
    assert.deepEqual(new Set(texts), new Set(["1"]));
  }
  const query = shopApi({
    "/books": { get: { parameters: [{ name: "min", in: "query", schema }] } },
  });
  const { requests } = mapFrom(query).suggestRequests({ server: SERVER });
  assert.deepEqual(requests.map(({ request: { url } }) => url), [
    `${SERVER}/books?min=1`,
    `${SERVER}/books?min=01`,
  ]);
});

Deno.test("a request that violates a path parameter has a body, even an optional one", () => {
  const operation = {
    parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
    requestBody: {
      content: {
        "multipart/form-data": {
          schema: { type: "object", properties: { caption: { type: "string" } } },
        },
      },
    },
    responses: { 200: { description: "Put" } },
  };
  const map = mapFrom(shopApi({ "/books/{id}/cover": { put: operation } }));
  const { requests } = map.suggestRequests({ server: SERVER });
  const [broken] = requests.filter(({ breaks }) => breaks?.location === "path");
  assert.equal(broken?.request.url, `${SERVER}/books/text/cover`);
  assert.match(broken?.request.headers["Content-Type"] ?? "", /^multipart\/form-data;/);
  assert.match(broken?.request.body ?? "", /name="caption"/);
});

Deno.test("an operation whose path has no valid value is reached by one that breaks a single rule", () => {
  const schema = { enum: ["abc"], const: "b" };
  const parameters = [{ name: "id", in: "path", required: true, schema }];
  const map = mapFrom(shopApi({
    "/books/{id}": { get: { parameters, responses: { 200: { description: "A book" } } } },
  }));
  const [gap] = map.gaps();
  const { requests } = map.suggestRequests({ server: SERVER, gaps: [gap?.id ?? ""] });
  assert.deepEqual(requests.map(({ closes }) => closes), [[gap]]);
  assert.deepEqual(requests.map(({ breaks }) => breaks?.instance), [""]);
});

Deno.test("a seed varies unique values, and gives the same values each time", () => {
  const schema = {
    type: "object",
    required: ["email", "isbn", "kind", "name"],
    properties: {
      email: { type: "string", format: "email" },
      isbn: { type: "string", pattern: "^97[89]\\d{10}$" },
      kind: { enum: ["text"] },
      name: { type: "string", maxLength: 8 },
      tags: { type: "array", uniqueItems: true, items: { type: "string" } },
      day: { type: "string", format: "date" },
      id: { type: "string", format: "uuid" },
    },
  };
  const suggestions = (seed?: string) =>
    mapFrom(describeBody(schema)).suggestRequests({ server: SERVER, seed }).requests;
  type Body = Readonly<Record<string, string>>;
  const valid = (seed?: string) =>
    suggestions(seed).filter(({ breaks }) => breaks === null)
      .map(({ request: { body = "" } }) => JSON.parse(body) as Body);
  const [plain] = valid();
  const [one] = valid("1");
  const [other] = valid("2");
  assert(plain !== undefined && one !== undefined && other !== undefined);
  assert.deepEqual(valid("1")[0], one);
  for (const name of ["email", "isbn", "name", "id", "tags"]) {
    assert.notDeepEqual(one[name], plain[name], name);
    assert.notDeepEqual(one[name], other[name], name);
  }
  for (const name of ["kind", "day"]) assert.equal(one[name], plain[name]);
  const closed = (seed?: string) => suggestions(seed).flatMap(({ closes }) => closes);
  assert.deepEqual(closed("1"), closed());
  assert.match(one["email"] ?? "", /^user\.\w+@example\.com$/);
});
