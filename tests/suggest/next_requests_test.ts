// Tests the requests in a report: those of suggestRequests() within a time limit, with what they close.
import assert from "node:assert/strict";
import type { CoverageMap } from "../../mod.ts";
import type { NextRequests } from "../../src/suggest/suggestion.ts";
import { jsonContent, shopApi } from "../shop_api.ts";
import { mapFrom } from "./map_from.ts";

const SHOP = shopApi({
  "/books": {
    get: {
      parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 100 } }],
      responses: { 200: { description: "Books" } },
    },
    post: {
      requestBody: jsonContent({
        type: "object",
        required: ["title"],
        properties: { title: { type: "string", minLength: 1 } },
      }),
      responses: { 201: { description: "Book" }, 400: { description: "Bad request" } },
    },
  },
});

function next(map: CoverageMap): NextRequests {
  return map.nextRequests(map.report());
}

Deno.test("a report has the requests of suggestRequests(), in the same order", () => {
  const server = "http://localhost:3000";
  const map = mapFrom({ ...SHOP, servers: [{ url: server }] });
  const { requests, complete } = next(map);
  assert.equal(complete, true);
  // The description's server is often production, so the requests must not go there unasked.
  const all = map.suggestRequests().requests.map(({ request, placeholders, ...suggestion }) => ({
    request: { ...request, url: request.url.replace(server, "$SERVER") },
    ...suggestion,
    server: "$SERVER",
    placeholders: ["$SERVER", ...placeholders],
  }));
  const texts = (list: readonly { request: { method: string; url: string } }[]) =>
    list.map(({ request, ...suggestion }) =>
      JSON.stringify([request, Object.entries(suggestion).sort()])
    );
  assert.deepEqual(texts(requests), texts(all));
});

Deno.test("the requests in a report close the gaps that they name", () => {
  const map = mapFrom({ ...SHOP, servers: [{ url: "http://localhost:3000" }] });
  const { requests } = next(map);
  assert.ok(requests.length > 3);
  for (const { request } of requests) {
    map.record({ ...request, url: request.url.replace("$SERVER", "http://localhost:3000") });
  }
  assert.deepEqual(map.gaps().filter(({ kind }) => kind !== "response_uncovered"), []);
  assert.deepEqual(next(map).requests, []);
});

Deno.test("without a server, the requests in a report have a placeholder for it", () => {
  for (const extra of [{}, { servers: [{ url: "https://shop.test/v1/" }] }]) {
    const map = mapFrom({ ...SHOP, ...extra });
    const { requests } = next(map);
    const urls = requests.map(({ request }) => request.url);
    const base = `$SERVER${"servers" in extra ? "/v1" : ""}`;
    assert.ok(urls.includes(`${base}/books?limit=100`), urls.join("\n"));
    for (const { placeholders } of requests) assert.deepEqual(placeholders, ["$SERVER"]);
  }
});

Deno.test("the requests in a report use the most frequent server if requests are kept", () => {
  const map = mapFrom({ ...SHOP, servers: [{ url: "https://shop.test" }] }, {
    keepRequests: true,
  });
  map.record(
    { method: "GET", url: "http://localhost:8080/books?limit=7" },
    { status_code: 200 },
  );
  const urls = next(map).requests.map(({ request }) => request.url);
  assert.ok(urls.every((url) => url.startsWith("http://localhost:8080/books")), urls.join("\n"));
});

Deno.test("the requests in a report have placeholders for credentials", () => {
  const map = mapFrom({
    ...SHOP,
    servers: [{ url: "http://localhost:3000" }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  }, { keepRequests: true });
  const headers = { host: "localhost", authorization: "Bearer very-secret" };
  map.record({ method: "GET", url: "http://localhost:3000/books?limit=7", headers }, {
    status_code: 200,
  });
  for (const format of ["html", "text", "markdown"] as const) {
    const text = map.generateReport({ format });
    assert.ok(!text.includes("very-secret"), format);
    if (format !== "html") assert.match(text, /-H 'Authorization: Bearer '"\$COVTOOL_AUTH_TOKEN"/);
  }
});

function largeApi(operations: number): CoverageMap {
  const properties = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`p${index}`, { type: "string", maxLength: 5 }]),
  );
  const parameters = [{ name: "tenant", in: "query", required: true, schema: { enum: ["one"] } }];
  const post = {
    parameters,
    requestBody: { content: { "application/json": { schema: { type: "object", properties } } } },
    responses: {},
  };
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, index) => [`/p${index}`, { post }]),
  );
  return mapFrom({ ...SHOP, paths });
}

Deno.test("in a large API, every operation that was never called gets a valid request", () => {
  const map = largeApi(200);
  for (let index = 0; index < 20; index++) map.record({ method: "POST", url: `/p${index}` });
  const { requests, complete } = next(map);
  assert.equal(complete, false);
  const called = requests.filter(({ closes }) =>
    closes.some(({ kind }) => kind === "operation_uncovered")
  );
  assert.equal(new Set(called.map(({ path }) => path)).size, 180);
  for (const { request, breaks } of called) {
    assert.equal(breaks, null);
    map.record({ ...request, url: request.url.replace("$SERVER", "") });
  }
  assert.equal(map.statistic().operations.seen, 200);
  // The first ones contain everything.
  assert.ok((requests[0]?.closes.length ?? 0) > 40, `${requests[0]?.closes.length}`);
});

Deno.test("the number of requests for a very large API is limited", () => {
  const { requests, complete } = next(largeApi(1000));
  assert.equal(complete, false);
  const paths = new Set(requests.map(({ path }) => path)).size;
  assert.ok(paths >= 400 && paths < 500, `${paths} operations`);
});
