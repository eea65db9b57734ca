import assert from "node:assert/strict";
import { CoverageMap, type Finding, type HttpRequest, type HttpResponse } from "../../mod.ts";
import { jsonContent, shopApi } from "../shop_api.ts";

const DESCRIPTION = shopApi({
  "/books/{id}": {
    get: {
      security: [],
      parameters: [
        { name: "limit", in: "query", schema: { type: "integer", maximum: 9 } },
        { name: "token", in: "query" },
      ],
      responses: {
        200: {
          description: "A book",
          content: { "application/json": { schema: { required: ["id"] } } },
        },
      },
    },
  },
  "/books": {
    post: {
      requestBody: jsonContent({
        type: "object",
        properties: {
          title: { type: "string", maxLength: 3 },
          tags: { type: "array", items: { type: "object", properties: { n: {} } } },
        },
      }),
      responses: { 201: { description: "Created" } },
    },
  },
}, {
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "shop" } } },
});

type Recorded = readonly [request: HttpRequest, response: HttpResponse, at?: number | undefined];

function get(url: string, status_code: number, at?: number, more: HttpResponse = {}): Recorded {
  return [{ method: "GET", url, headers: { accept: "*/*" } }, { status_code, ...more }, at];
}

function post(body: string, status_code: number, type = "application/json", at = 5): Recorded {
  const headers = { "content-type": type };
  return [{ method: "POST", url: "/books?shop=hunter22", headers, body }, { status_code }, at];
}

function send(recorded: readonly Recorded[]): CoverageMap {
  const map = CoverageMap.fromDict(DESCRIPTION);
  for (const [request, response, at] of recorded) map.record(request, response, at);
  return map;
}

function exampleIn(map: CoverageMap, kind: Finding["kind"]): Finding["example"] | undefined {
  return map.findings().find((finding) => finding.kind === kind)?.example;
}

const JSON_HEADERS = { "content-type": "application/json" };

Deno.test("each finding has an example request that caused it", () => {
  const map = send([
    get("http://localhost:8080/books/1?limit=99", 200, 1),
    get("http://localhost:8080/books/2?limit=3", 400, 2),
    get("http://localhost:8080/books/3", 503, 3),
    get("/books/4", 200, 4, { headers: JSON_HEADERS, body: "{}" }),
    get("/books/5", 200, 5, { headers: { "content-type": "text/html" }, body: "<p>" }),
    get("/books/6?limit=1", 404, 6),
  ]);
  const shown = map.findings().map(({ kind, example }) => `${kind} ${example?.request?.url}`);
  assert.deepEqual(shown, [
    "keyword_not_enforced /books/1?limit=99",
    "valid_request_refused /books/2?limit=3",
    "undocumented_status /books/2?limit=3",
    "undocumented_status /books/6?limit=1",
    "undocumented_status /books/3",
    "response_violates_schema /books/4",
    "undocumented_media_type /books/5",
    "server_error /books/3",
  ]);
  assert.deepEqual(exampleIn(map, "server_error"), {
    status_code: 503,
    request: { method: "GET", url: "/books/3" },
  });
});

Deno.test("an operation that never succeeded and an undocumented body have an example request too", () => {
  const map = send([post("a=1", 415, "text/plain", 3), post("{}", 422, "application/json", 4)]);
  const request = {
    method: "POST",
    url: "/books?shop=aaaaaa11",
    body: { media_type: "text/plain" },
  };
  assert.deepEqual(exampleIn(map, "never_succeeded"), { status_code: 415, request });
  assert.deepEqual(exampleIn(map, "undocumented_body"), { status_code: 415, request });
  map.record(...post("{}", 201));
  assert.ok(!new TextDecoder().decode(map.exportHits()).includes('"failed"'));
});

Deno.test("the example of a body has its shape only, without undeclared names", () => {
  const book = {
    title: "Lovelace",
    "ada@shop.example": 1,
    tags: [{ n: 1.5, m: true }, { n: null }],
  };
  const { request } = exampleIn(send([post(JSON.stringify(book), 201)]), "keyword_not_enforced") ??
    {};
  assert.deepEqual(request?.body, {
    media_type: "application/json",
    shape: { title: "string", "*": "integer", tags: [{ n: "number", "*": "boolean" }] },
  });
});

Deno.test("an example request contains no secret", () => {
  const secret = "hunter2hunter2";
  const map = send([
    [
      {
        method: "GET",
        url: `http://ada:${secret}@localhost/books/1?limit=99&token=${secret}#${secret}`,
        headers: { authorization: `Bearer ${secret}`, cookie: `sid=${secret}` },
      },
      { status_code: 200 },
      1,
    ],
    [
      {
        method: "POST",
        url: `/books?shop=${secret}`,
        headers: JSON_HEADERS,
        body: JSON.stringify({ title: secret, [secret]: secret }),
      },
      { status_code: 500 },
      2,
    ],
  ]);
  assert.equal(
    exampleIn(map, "keyword_not_enforced")?.request?.url,
    "/books/1?limit=99&token=aaaaaa1aaaaaa1",
  );
  const hits = new TextDecoder().decode(map.exportHits());
  assert.ok(!hits.includes("hunter2"), hits);
  for (const format of ["json", "html", "text", "markdown", "junit"] as const) {
    assert.ok(!map.generateReport({ format }).includes("hunter2"), format);
  }
});

Deno.test("the example request is the same in any order and split of requests", () => {
  const recorded = [
    get("/books/30?limit=99", 200, 7),
    get("/books/2?limit=99", 200, 7),
    get("/books/1?limit=99", 200, 8),
    get("/books/1?limit=98", 200),
    get("/books/1?token=hunter22&limit=98", 501),
    get("/books/1?token=hunter23&limit=98", 501),
    get("/books/1?token=Hunter23&limit=98", 501),
    get("/books/1?limit=98&token=hunter23", 501),
    get("/books/10?limit=98&token=hunter23", 501),
    post("{}", 500, "application/json", 4),
    post('{"title":"a"}', 500, "application/json", 4),
    post("[]", 415, "text/csv", 4),
    post("[]", 415, "text/csv", 3),
    get("/books/7", 200, 3, { headers: { "content-type": "text/csv" }, body: "a" }),
    get("/books/8", 200, 2, { headers: { "content-type": "text/csv" }, body: "a" }),
  ];
  const whole = send(recorded);
  assert.equal(exampleIn(whole, "keyword_not_enforced")?.request?.url, "/books/2?limit=99");
  assert.equal(exampleIn(whole, "undocumented_media_type")?.request?.url, "/books/8");
  const parts = CoverageMap.fromDict(DESCRIPTION);
  for (const one of recorded.toReversed()) parts.mergeHits(send([one]).exportHits());
  assert.deepEqual(parts.findings(), whole.findings());
  assert.deepEqual(parts.exportHits(), send(recorded.toReversed()).exportHits());
  assert.deepEqual(parts.exportHits(), whole.exportHits());
});

Deno.test("a request is read again for its example only if it replaces the previous one", () => {
  let reads = 0;
  const headers = Object.assign(new Headers(), {
    *[Symbol.iterator]() {
      reads++;
      yield ["accept", "*/*"] as [string, string];
    },
  });
  const map = CoverageMap.fromDict(DESCRIPTION);
  const send = (url: string, at?: number): number => {
    reads = 0;
    map.record({ method: "GET", url, headers }, { status_code: 500 }, at);
    return reads;
  };
  assert.ok(send("/books/1?limit=1", 3) > 0);
  assert.equal(send("/books/1?limit=2", 4), 0);
  assert.equal(send("/books/1?limit=2"), 0);
  assert.equal(send("/books/12?limit=2", 3), 0);
  assert.ok(send("/books/1?limit=3", 2) > 0);
  assert.equal(exampleIn(map, "server_error")?.request?.url, "/books/1?limit=3");
});

Deno.test("changing a request after it was recorded doesn't change the example", () => {
  const body = new TextEncoder().encode('{"title":"long"}');
  const headers: Record<string, string> = { ...JSON_HEADERS, "x-token": "hunter2hunter2" };
  const map = CoverageMap.fromDict(DESCRIPTION);
  const request = { method: "POST", url: "/books?note=hunter2hunter2", headers, body };
  map.record(request, { status_code: 201 });
  body.fill(0);
  delete headers["x-token"];
  assert.deepEqual(exampleIn(map, "keyword_not_enforced")?.request, {
    method: "POST",
    url: "/books?note=aaaaaa1aaaaaa1",
    body: { media_type: "application/json", shape: { title: "string" } },
  });
});

Deno.test("the example of a request without credentials is one that had none", () => {
  const open = post("{}", 201);
  const keyless: Recorded = [{ ...open[0], url: "/books" }, { status_code: 201 }, 9];
  const map = send([open, keyless]);
  assert.equal(exampleIn(map, "credentials_not_required")?.request?.url, "/books");
  const unknown = send([keyless]);
  assert.equal(exampleIn(unknown, "credentials_not_required"), undefined);
  const again = CoverageMap.fromDict(DESCRIPTION);
  again.mergeHits(map.exportHits());
  assert.deepEqual(again.findings(), map.findings());
});

Deno.test("an example marks text that a validator may convert to the documented type", () => {
  const schema = {
    type: "object",
    properties: {
      seats: { $ref: "#/components/schemas/Seats" },
      paid: { type: ["boolean", "null"] },
      zip: { type: "string" },
    },
  };
  const description = shopApi({
    "/bookings": {
      post: {
        parameters: [{ name: "n", in: "query", schema: { type: "array", maxItems: 2 } }],
        requestBody: { content: { "application/json": { schema } } },
        responses: { 201: { description: "Created" } },
      },
    },
  }, { components: { schemas: { Seats: { type: "integer", minimum: 1 } } } });
  const findingFor = (body: unknown) => {
    const map = CoverageMap.fromDict(description);
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", url: "/bookings", headers, body: JSON.stringify(body) };
    map.record(request, { status_code: 201 });
    const again = CoverageMap.fromDict(description);
    again.mergeHits(map.exportHits());
    assert.deepEqual(again.findings(), map.findings());
    return map;
  };
  const said = /Fastify's Ajv and Spring's Jackson.+exclude keyword:type/s;
  for (const body of [{ seats: "5" }, { paid: "true", zip: "123" }]) {
    const map = findingFor(body);
    const [finding] = map.findings();
    assert.equal(finding?.kind === "keyword_not_enforced" && finding.coercible, true);
    assert.match(map.generateTextReport().replace(/\s+/g, " "), said);
    assert.match(map.generateReport(), /coercible/);
  }
  for (const body of [{ seats: "many", zip: "5" }, { paid: "1" }, { seats: "5.5" }, { zip: 5 }]) {
    const map = findingFor(body);
    const [finding] = map.findings();
    assert.equal(finding?.kind, "keyword_not_enforced");
    assert.equal(Object.hasOwn(finding, "coercible"), false);
    assert.doesNotMatch(map.generateTextReport(), said);
  }
});
