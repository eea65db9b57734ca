// Tests the test coverage level of Martin-Lopez, Segura and Ruiz-Cortés, criterion by criterion.
import fc from "fast-check";
import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import type { TclCriterion, TestCoverageLevel } from "../../src/entries/report.ts";
import { thresholdLines } from "../../src/report/wording/verdict_text.ts";
import { shopApi } from "../shop_api.ts";

type Content = Record<string, unknown>;

const JSON_BODY: Content = { "application/json": { schema: { type: "object" } } };

function response(content?: Content): Content {
  return { description: "", ...(content !== undefined && { content }) };
}

function newMap(paths: Content, more: Content = {}): CoverageMap {
  return CoverageMap.fromDict(shopApi(paths, more));
}

function answer(
  map: CoverageMap,
  method: string,
  url: string,
  status_code?: number,
  body?: string,
) {
  map.record({
    method,
    url,
    ...(body !== undefined && { body, headers: { "content-type": "application/json" } }),
  }, status_code === undefined ? undefined : { status_code });
}

function readTcl(map: CoverageMap): TestCoverageLevel {
  const { tcl } = map.report().summary;
  assert.ok(tcl !== undefined);
  return tcl;
}

function levels(map: CoverageMap): (number | undefined)[] {
  return map.report().operations.map(({ summary }) => summary.tcl?.level);
}

function criterionCount(map: CoverageMap, criterion: TclCriterion): unknown[] {
  const count = map.report().tcl_criteria?.find((one) => one.criterion === criterion);
  return [count?.covered, count?.total, count?.measured];
}

/** One operation with something to cover for every criterion. */
function search(): CoverageMap {
  return newMap({
    "/search": {
      post: {
        parameters: [
          { name: "order", in: "query", schema: { $ref: "#/components/schemas/Order" } },
          { name: "all", in: "query", schema: { type: "boolean" } },
        ],
        requestBody: { content: JSON_BODY },
        responses: { 200: response(JSON_BODY), 201: response(), 404: response(JSON_BODY) },
      },
    },
  }, { components: { schemas: { Order: { type: "string", enum: ["up", "down"] } } } });
}

Deno.test("levels are reached one after the other, and `missing` lists what the next one needs", () => {
  const map = search();
  const steps: (readonly [() => void, TestCoverageLevel])[] = [
    [() => {}, { level: 0, missing: ["paths"], not_measured: [] }],
    [() => answer(map, "POST", "/search", 500), {
      level: 2,
      missing: ["request_content_types", "response_content_types"],
      not_measured: [],
    }],
    [() => answer(map, "POST", "/search", 404, "{}"), {
      level: 3,
      missing: ["parameters", "status_code_classes"],
      not_measured: [],
    }],
    [() => answer(map, "POST", "/search?order=up&all=true", 201), {
      level: 4,
      missing: ["parameter_values", "status_codes"],
      not_measured: [],
    }],
    [() => answer(map, "POST", "/search?order=down&all=false", 200), {
      level: 5,
      missing: [],
      not_measured: ["response_properties"],
    }],
  ];
  for (const [step, expected] of steps) {
    step();
    assert.deepEqual(readTcl(map), expected);
    assert.deepEqual(map.report().operations[0]?.summary.tcl, expected);
  }
  assert.deepEqual(criterionCount(map, "parameter_values"), [4, 4, true]);
  assert.deepEqual(criterionCount(map, "operation_flows"), [null, null, false]);
});

Deno.test("a path counts once, and any of its operations covers it", () => {
  const map = newMap({
    "/a": { get: { responses: { 204: response() } }, put: { responses: { 204: response() } } },
    "/b": { get: { responses: { 204: response() } } },
  });
  answer(map, "GET", "/a", 204);
  assert.deepEqual(criterionCount(map, "paths"), [1, 2, true]);
  assert.deepEqual(criterionCount(map, "operations"), [1, 3, true]);
  assert.deepEqual(levels(map), [6, 1, 0]);
  assert.equal(readTcl(map).level, 0);
  answer(map, "GET", "/b", 204);
  assert.equal(readTcl(map).level, 1);
});

Deno.test("criteria with nothing to cover are met; without bodies, flows are not measured", () => {
  const map = newMap({ "/health": { get: { responses: { 204: response() } } } });
  answer(map, "GET", "/health", 204);
  assert.deepEqual(readTcl(map), { level: 6, missing: [], not_measured: ["operation_flows"] });
  assert.equal(readTcl(newMap({})).level, 7);
});

Deno.test("without responses, levels end before the first criterion that needs them", () => {
  const map = newMap({ "/a": { get: { responses: { 200: response(JSON_BODY) } } } });
  answer(map, "GET", "/a");
  assert.deepEqual(readTcl(map), {
    level: 2,
    missing: [],
    not_measured: ["response_content_types"],
  });
  const bare = newMap({ "/a": { get: { responses: { 204: response() } } } });
  answer(bare, "GET", "/a");
  assert.deepEqual(readTcl(bare), { level: 3, missing: [], not_measured: ["status_code_classes"] });
});

Deno.test("produces and consumes of Swagger 2.0 are media types to cover", () => {
  const operation = {
    consumes: ["application/json", "application/xml"],
    parameters: [{ name: "body", in: "body", schema: { type: "object" } }],
    responses: { 200: { description: "", schema: { type: "object" } }, 204: { description: "" } },
  };
  const map = CoverageMap.fromDict({
    swagger: "2.0",
    info: { title: "T", version: "1" },
    produces: ["application/json"],
    paths: { "/a": { post: operation } },
  });
  answer(map, "POST", "/a", 200, "{}");
  assert.deepEqual(criterionCount(map, "response_content_types"), [1, 1, true]);
  assert.deepEqual(criterionCount(map, "request_content_types"), [0, 2, false]);
});

Deno.test("an operation that documents only errors needs no success", () => {
  const map = newMap({ "/gone": { get: { responses: { 410: response() } } } });
  answer(map, "GET", "/gone", 410);
  assert.deepEqual(criterionCount(map, "status_code_classes"), [1, 1, true]);
});

Deno.test("any client error covers its class, and a server error covers none", () => {
  const map = newMap({ "/a": { get: { responses: { 200: response(), 404: response() } } } });
  answer(map, "GET", "/a", 500);
  assert.deepEqual(criterionCount(map, "status_code_classes"), [0, 2, true]);
  answer(map, "GET", "/a", 422);
  assert.deepEqual(criterionCount(map, "status_code_classes"), [1, 2, true]);
  answer(map, "GET", "/a", 302);
  assert.deepEqual(criterionCount(map, "status_code_classes"), [2, 2, true]);
  assert.deepEqual(criterionCount(map, "status_codes"), [0, 2, true]);
});

Deno.test("parameter values to cover are those of enum, const and boolean outside of bodies", () => {
  const schemas = [
    { type: "integer", enum: [1, 2, 2] },
    { const: "x" },
    { type: ["boolean", "null"] },
    { allOf: [{ $ref: "#/components/schemas/Color" }] },
    { type: "string" },
    { type: "array", items: { enum: ["a"] } },
    { enum: [["list"]] },
  ];
  const parameters = schemas.map((schema, index) => ({ name: `p${index}`, in: "query", schema }));
  const map = newMap({
    "/v/{flag}": {
      get: {
        parameters: [...parameters, {
          name: "flag",
          in: "path",
          required: true,
          schema: { type: "boolean" },
        }],
        responses: {},
      },
    },
  }, { components: { schemas: { Color: { type: "string", enum: ["red", "green", "blue"] } } } });
  assert.deepEqual(criterionCount(map, "parameter_values"), [0, 2 + 1 + 2 + 3 + 2, true]);
  answer(map, "GET", "/v/true?p0=2&p1=x&p2=false&p3=green", 200);
  assert.deepEqual(criterionCount(map, "parameter_values"), [5, 10, true]);
  answer(map, "GET", "/v/true?p0=3&p1=y&p2=maybe&p3=pink", 200);
  assert.deepEqual(criterionCount(map, "parameter_values"), [5, 10, true]);
});

Deno.test("null is a value to cover only where no text means null", () => {
  const schema = { enum: ["a", null] };
  const map = newMap({
    "/v": {
      get: {
        parameters: [
          { name: "text", in: "query", schema },
          { name: "json", in: "query", content: { "application/json": { schema } } },
        ],
        responses: {},
      },
    },
  });
  answer(map, "GET", "/v?text=null&json=null", 200);
  assert.deepEqual(criterionCount(map, "parameter_values"), [1, 1 + 2, true]);
});

Deno.test("--min-tcl fails below its level, and fail-under doesn't affect it", () => {
  const map = search();
  answer(map, "POST", "/search", 404, "{}");
  assert.deepEqual(thresholdLines(map.checkThresholds({ tcl: 4 })), [
    "test coverage level: 3 is below 4",
  ]);
  assert.deepEqual(map.checkThresholds({ tcl: 3 }), []);
  assert.ok(map.checkThresholds({ base: 100 }).every(({ dimension }) => dimension !== "tcl"));
  assert.throws(() => map.checkThresholds({ tcl: 8 }), /whole number from 0 to 7/);
});

Deno.test("levels never fall with more traffic", () => {
  const request = fc.tuple(
    fc.constantFrom(
      ...["/search", "/search?order=up", "/search?order=down&all=true", "/search?all=false"],
    ),
    fc.constantFrom(200, 201, 404, 500, undefined),
    fc.constantFrom("{}", undefined),
  );
  fc.assert(fc.property(fc.array(request, { maxLength: 8 }), (requests) => {
    const map = search();
    let before = readTcl(map).level;
    for (const [url, status, body] of requests) {
      answer(map, "POST", url, status, body);
      const { level } = readTcl(map);
      assert.ok(level >= before);
      before = level;
    }
  }));
});

Deno.test("text and Markdown show levels when asked to, JSON always", () => {
  const map = search();
  answer(map, "POST", "/search", 404, "{}");
  const text = map.generateTextReport({ colored: false, tcl: true });
  assert.match(
    text,
    /^TCL {9}3 of 7; level 4 needs parameters \(1 of 3\), status code classes \(1 of\n {12}2\)$/m,
  );
  assert.match(text, /^Operation .* TCL$/m);
  assert.match(text, /^POST \/search .* 3$/m);
  assert.ok(!map.generateTextReport({ colored: false }).includes("TCL"));
  const markdown = map.generateReport({ format: "markdown", tcl: true });
  assert.match(markdown, /^Test coverage level: 3 of 7; level 4 needs parameters/m);
  assert.ok(!map.generateReport({ format: "markdown" }).includes("Test coverage level"));
  const { summary, tcl_criteria } = JSON.parse(map.generateReport({ format: "json" }));
  assert.equal(summary.tcl.level, 3);
  assert.equal(tcl_criteria.length, 10);
});

Deno.test("excluded parts need no coverage, and an excluded operation has no level", () => {
  const paths = {
    "/a": {
      get: {
        parameters: [{ name: "debug", in: "query", schema: { type: "boolean" } }],
        responses: { 204: response(), 503: response() },
      },
    },
    "/internal": { get: { responses: { 200: response(JSON_BODY) } } },
  };
  const map = CoverageMap.fromDict({ openapi: "3.1.0", info: {}, paths }, {
    exclude: ["GET /internal", "parameter:debug", "response:5XX"],
  });
  answer(map, "GET", "/a", 204);
  assert.deepEqual(levels(map), [6, undefined]);
  assert.equal(readTcl(map).level, 6);
  answer(map, "GET", "/internal", 200);
  assert.equal(map.report().summary.operations.succeeded, 1);
  assert.deepEqual(map.checkThresholds({ succeeded: 100, tcl: 6 }), []);
});

Deno.test("the values of an excluded schema need no coverage", () => {
  const schemas = {
    Sort: { enum: ["title", "price"], "x-covtool-ignore": "not ours" },
    Kind: { enum: ["new", "old"] },
  };
  const parameters = Object.keys(schemas).map((name) => ({
    name,
    in: "query",
    schema: { $ref: `#/components/schemas/${name}` },
  }));
  const paths = { "/a": { get: { parameters, responses: { 204: response() } } } };
  const map = CoverageMap.fromDict({ openapi: "3.1.0", info: {}, paths, components: { schemas } });
  answer(map, "GET", "/a?Sort=title&Kind=new", 204);
  assert.deepEqual(criterionCount(map, "parameter_values"), [1, 2, true]);
});

Deno.test("values count whichever keywords are included", () => {
  const schema = { enum: ["title", "price"] };
  const paths = {
    "/a": {
      get: { parameters: [{ name: "sort", in: "query", schema }], responses: { 204: response() } },
    },
  };
  for (const include of [[], ["keyword:enum"], ["keyword:type"]]) {
    const options = { include, values: true };
    const map = CoverageMap.fromDict({ openapi: "3.1.0", info: {}, paths }, options);
    answer(map, "GET", "/a?sort=title", 204);
    assert.deepEqual(criterionCount(map, "parameter_values"), [1, 2, true], `${include}`);
    assert.equal(map.report().summary.values?.total, 2, `${include}`);
  }
});

Deno.test("level 6 counts each property of response bodies at the place that declares it", () => {
  const address = { type: "object", properties: { city: {}, zip: { type: "string" } } };
  const paths = {
    "/a": {
      get: {
        responses: {
          200: response({
            "application/json": {
              schema: {
                allOf: [{ $ref: "#/components/schemas/Base" }],
                type: "object",
                properties: {
                  home: { $ref: "#/components/schemas/Address" },
                  work: { $ref: "#/components/schemas/Address" },
                  first: address,
                  second: address,
                  secret: { type: "string", writeOnly: true },
                  children: { type: "array", items: { $ref: "#/components/schemas/Base" } },
                },
              },
            },
          }),
        },
      },
    },
  };
  const components = {
    schemas: { Base: { type: "object", properties: { id: {} } }, Address: address },
  };
  const map = newMap(paths, { components });
  const answerWith = (target: CoverageMap, body: unknown) =>
    target.record({ method: "GET", url: "/a" }, {
      status_code: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  // Five properties of the schema itself, one of Base, two of Address, and two for each of its two inline copies.
  answerWith(map, {});
  assert.deepEqual(criterionCount(map, "response_properties"), [0, 12, true]);
  answerWith(map, { home: { city: "Y" }, second: { zip: "1" }, other: { id: 1 }, secret: "s" });
  assert.deepEqual(criterionCount(map, "response_properties"), [4, 12, true]);
  assert.deepEqual(readTcl(map).missing, ["response_properties"]);
  const merged = newMap(paths, { components });
  answerWith(merged, { work: { zip: 1 }, children: [{ id: 1 }] });
  const carried = newMap({ "/new": {}, ...paths }, { components });
  carried.mergeHits(map.exportHits(), { carry: true });
  assert.deepEqual(criterionCount(carried, "response_properties"), [4, 12, true]);
  merged.mergeHits(map.exportHits());
  assert.deepEqual(criterionCount(merged, "response_properties"), [8, 12, true]);
  answerWith(merged, { first: { city: 1, zip: "" }, second: { city: 1 } });
  assert.deepEqual(criterionCount(merged, "response_properties"), [12, 12, true]);
  assert.deepEqual(readTcl(merged), { level: 6, missing: [], not_measured: ["operation_flows"] });
});

Deno.test("responses that never have a body add no media types and properties", () => {
  const content = { ...JSON_BODY, "text/csv": {} };
  const map = newMap({
    "/a": { head: { responses: { 200: response(content) } } },
    "/b": { delete: { responses: { 204: response(content) } } },
  });
  answer(map, "HEAD", "/a", 200);
  answer(map, "DELETE", "/b", 204);
  assert.deepEqual(criterionCount(map, "response_content_types"), [0, 0, true]);
  assert.deepEqual(criterionCount(map, "response_properties"), [0, 0, true]);
  assert.deepEqual(levels(map), [6, 6]);
});

Deno.test("response bodies cover the media types of a response one by one", () => {
  const map = newMap({
    "/a": { get: { responses: { 200: response({ "application/json": {}, "text/csv": {} }) } } },
  });
  answer(map, "GET", "/a", 200);
  assert.deepEqual(criterionCount(map, "response_content_types"), [0, 2, false]);
  const answerAs = (type: string) =>
    map.record({ method: "GET", url: "/a" }, {
      status_code: 200,
      headers: { "content-type": type },
      body: "1",
    });
  answerAs("text/csv");
  assert.deepEqual(criterionCount(map, "response_content_types"), [1, 2, true]);
  answerAs("application/json");
  assert.deepEqual(criterionCount(map, "response_content_types"), [2, 2, true]);
  map.record({ method: "GET", url: "/a" }, {
    status_code: 503,
    headers: { "content-type": "application/problem+json" },
    body: "{}",
  });
  const report = map.report().operations[0];
  assert.deepEqual(report?.undocumented_responses[0]?.media_types, [
    { media_type: "application/problem+json", hits: 1 },
  ]);
});

/** A shop whose responses link to other operations. */
function linked(): CoverageMap {
  return newMap({
    "/books": {
      post: {
        responses: {
          201: {
            description: "",
            links: {
              self: { operationId: "getBook", parameters: { id: "$response.body#/id" } },
              reviews: { $ref: "#/components/links/Reviews" },
              nowhere: { operationId: "unknown" },
            },
          },
        },
      },
    },
    "/books/{id}": {
      get: {
        operationId: "getBook",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { 200: response() },
      },
    },
    "/reviews": {
      get: {
        parameters: [{ name: "book", in: "query", schema: {} }],
        responses: { 200: response() },
      },
    },
  }, {
    components: {
      links: {
        Reviews: {
          operationRef: "#/paths/~1reviews/get",
          parameters: { "query.book": "$response.header.Location", page: "1" },
        },
      },
    },
  });
}

Deno.test("level 7 counts links whose values a later request of the same recording sends", () => {
  const map = linked();
  const create = (id: unknown) =>
    map.record({ method: "POST", url: "/books" }, {
      status_code: 201,
      headers: { "content-type": "application/json", Location: `/books/${id} é` },
      body: JSON.stringify({ id }),
    });
  const flows = () => criterionCount(map, "operation_flows");
  assert.deepEqual(flows(), [null, null, false]);
  answer(map, "GET", "/books/7", 200); // sent before the book exists
  create(7);
  assert.deepEqual(flows(), [0, 2, true]);
  answer(map, "GET", "/books/8", 200);
  assert.deepEqual(flows(), [0, 2, true]);
  answer(map, "GET", "/books/7", 404);
  assert.deepEqual(flows(), [1, 2, true]);
  answer(map, "GET", "/reviews?page=2&book=%2Fbooks%2F7+%C3%A9", 200);
  assert.deepEqual(flows(), [2, 2, true]);
  const links = map.report().operations.flatMap(({ responses }) =>
    responses.flatMap(({ status_code, links = [] }) =>
      links.map(({ link, method, path, hits }) => [status_code, link, method, path, hits])
    )
  );
  assert.deepEqual(links, [
    ["201", "self", "GET", "/books/{id}", 1],
    ["201", "reviews", "GET", "/reviews", 1],
  ]);
  const merged = linked();
  merged.mergeHits(map.exportHits());
  assert.deepEqual(criterionCount(merged, "operation_flows"), [2, 2, true]);
  assert(!new TextDecoder().decode(map.exportHits()).includes("é"));
});

Deno.test("a link may lead to one of additionalOperations", () => {
  const links = {
    copy: {
      operationRef: "#/paths/~1books~1{id}/additionalOperations/Copy",
      parameters: { id: "$response.body#/id" },
    },
  };
  const map = CoverageMap.fromDict(shopApi({
    "/books": { post: { responses: { 201: { description: "", links } } } },
    "/books/{id}": { additionalOperations: { Copy: { responses: { 200: { description: "" } } } } },
  }, { openapi: "3.2.0" }));
  map.record({ method: "POST", url: "/books" }, { status_code: 201, body: '{"id":7}' });
  map.record({ method: "Copy", url: "/books/7" }, { status_code: 200 });
  const { links: counted } = map.report().operations[0]?.responses[0] ?? {};
  assert.deepEqual(counted, [{ link: "copy", method: "Copy", path: "/books/{id}", hits: 1 }]);
});

Deno.test("of each link, the last 10,000 answers are remembered, also if one comes twice", () => {
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const links = { book: { operationId: "getBook", parameters: { id: "$response.body#/id" } } };
  const map = CoverageMap.fromDict(shopApi({
    "/books": { post: { responses: { 201: { description: "", links } } } },
    "/books/{id}": {
      get: { operationId: "getBook", parameters: [id], responses: { 200: { description: "" } } },
    },
  }));
  const ask = (id: number | bigint): number | undefined => {
    map.record({ method: "GET", url: `/books/${id}` }, { status_code: 200 });
    return map.report().operations[0]?.responses[0]?.links?.[0]?.hits;
  };
  const answers = Array.from({ length: 10_000 }, (_, id) => id);
  for (const id of [...answers, 0, 10_000]) {
    map.record({ method: "POST", url: "/books" }, { status_code: 201, body: `{"id":${id}}` });
  }
  assert.equal(ask(0), 1);
  assert.equal(ask(1), 1); // forgotten
  assert.equal(ask(2), 2);
  const long = 9_007_199_254_740_993n; // between two numbers of JavaScript
  map.record({ method: "POST", url: "/books" }, { status_code: 201, body: `{"id":${long}}` });
  assert.equal(ask(long), 3);
});

Deno.test("links take values from all parts of the response and of its request", () => {
  const q = { name: "q", in: "query", schema: {} };
  const leadsTo = (expression: string, sent: string, body: string | Uint8Array = "") => {
    const links = { next: { operationId: "find", parameters: { q: expression } } };
    const map = newMap({
      "/books": { post: { responses: { 201: { description: "", links } } } },
      "/found": { get: { operationId: "find", parameters: [q], responses: { 200: response() } } },
    });
    const headers = { "content-type": "application/json" };
    map.record({ method: "post", url: "http://localhost/books?a=1", headers, body }, {
      status_code: 201,
      headers,
      body: '{"id":7}',
    });
    answer(map, "GET", `/found?q=${encodeURIComponent(sent)}`, 200);
    return criterionCount(map, "operation_flows")[0] === 1;
  };
  assert(leadsTo("$method", "POST"));
  assert(leadsTo("$statusCode", "201"));
  assert(leadsTo("$url", "http://localhost/books?a=1"));
  assert(leadsTo("$request.body#/a", "x", '{"a":"x"}'));
  assert(leadsTo("$request.body#/a", "x", new TextEncoder().encode('{"a":"x"}')));
  assert(leadsTo("{$method}-{$response.body#/id}", "POST-7"));
  assert(!leadsTo("{$method}-{$response.body#/id}", "POST-8"));
  assert(!leadsTo("{$method}-{$response.body#/name}", "POST-"));
  assert(leadsTo("{$method", "anything")); // a constant proves nothing
});

Deno.test("a link is not covered by a request in another recording", () => {
  const map = linked();
  const entry = (method: string, url: string, content: string) => ({
    request: { method, url: `http://localhost${url}`, headers: [], queryString: [] },
    response: {
      status: method === "POST" ? 201 : 200,
      headers: [{ name: "Content-Type", value: "application/json" }],
      content: { mimeType: "application/json", text: content },
    },
  });
  const created = entry("POST", "/books", '{"id":"b"}');
  const fetched = entry("GET", "/books/b", "{}");
  const har = (...entries: unknown[]) => ({ log: { version: "1.2", entries } });
  map.archive.recordFromDict(har(created));
  map.archive.recordFromDict(har(fetched));
  assert.deepEqual(criterionCount(map, "operation_flows"), [0, 2, true]);
  map.archive.recordFromDict(har(created, fetched));
  assert.deepEqual(criterionCount(map, "operation_flows"), [1, 2, true]);
});
