import assert from "node:assert/strict";
import { readLog, readLogFixture } from "./read_log.ts";

const SECRET = "/books?token=a1aaa-a1aaaa-11&limit=6";

Deno.test("nginx's JSON is read, with the header fields that it has members for", async () => {
  const { lines, interactions, warnings } = await readLogFixture("access-logs/nginx.jsonl");
  const host = /http:\/\/[^/]+/.exec(lines[0] ?? "")?.[0] ?? "";
  assert.deepEqual(lines.slice(0, 7), [
    `GET ${host}/books?limit=5&offset=10 200`,
    `GET ${host}/books/7 200`,
    `GET ${host}/missing 404`,
    `POST ${host}/books 201`,
    `DELETE ${host}/books/7 200`,
    `HEAD ${host}/books 200`,
    `GET ${host}${SECRET} 200`,
  ]);
  assert.ok(lines.includes(`GET ${host}/books?q=a"b\\c 200`));
  assert.deepEqual(interactions[3]?.request.headers, {
    "content-type": "application/json",
    accept: "*/*",
  });
  assert.equal(interactions[3]?.request.body_truncated, true);
  assert.deepEqual(interactions[3]?.visibility?.request_headers, [
    "content-type",
    "accept",
    "x-tenant",
  ]);
  assert.equal(interactions[3]?.visibility?.response_headers, "none");
  assert.equal(typeof interactions[3]?.response?.elapsed, "number");
  assert.match(
    warnings.join(),
    /empty or isn't HTTP is left out \(\d times, first at line 14\)\.$/,
  );
});

Deno.test("Caddy's log is read as that, with headers of both sides, and its start passed over", async () => {
  const { lines, interactions, warnings } = await readLogFixture("access-logs/caddy.jsonl");
  assert.match(lines[0] ?? "", /^GET http:\/\/127\.0\.0\.1:\d+\/books\?limit=5&offset=10 200$/);
  assert.ok(lines.some((line) => line.startsWith("GET http://[::1]:")));
  const { request, response, visibility } = interactions[1] ?? {};
  assert.equal((request?.headers as Record<string, string>)["X-Tenant"], "north");
  assert.equal((response?.headers as Record<string, string>)["Content-Type"], "application/json");
  assert.deepEqual(
    [visibility?.request_headers, visibility?.request_body, visibility?.response_headers],
    ["public", false, "public"],
  );
  assert.deepEqual(warnings, []);
  const start = '{"level":"info","ts":1795366641.1,"msg":"serving initial configuration"}\n';
  const entry =
    '{"ts":10,"request":{"method":"GET","host":"a","uri":"/b","tls":{},"headers":{}},"status":200,"duration":"250ms"}\n';
  const mixed = await readLog(start + entry + start);
  assert.deepEqual(mixed.lines, ["GET https://a/b 200"]);
  assert.equal(mixed.interactions[0]?.timestamp, 9.75);
  assert.deepEqual(mixed.warnings, [
    "access.log: a line of another format is left out (2 times, first at line 1).",
  ]);
});

const DOCUMENTED: Readonly<Record<string, string>> = {
  kong: "https://shop.example:8443",
  apisix: "http://shop.example:9080",
  cloudflare: "https://shop.example",
  envoy: "http://shop.example",
};

for (const [name, origin] of Object.entries(DOCUMENTED)) {
  Deno.test(`a log of ${name} is read as that, with time, status and duration`, async () => {
    const log = await readLogFixture(`access-logs/documented_${name}.jsonl`);
    assert.deepEqual(log.lines, [
      `GET ${origin}${SECRET} 200`,
      `GET ${origin}/books/7 200`,
      `GET ${origin}/missing 404`,
      `POST ${origin}/books 201`,
    ]);
    assert.deepEqual(log.warnings, []);
    for (const { timestamp, response } of log.interactions) {
      assert.equal(Math.floor((timestamp ?? 0) / 10), 179536662);
      assert.equal(Math.floor((response?.elapsed ?? 0) * 1000), 25);
    }
  });
}

Deno.test("a line of Kong without latencies is told by its time", async () => {
  const { lines, interactions } = await readLog(JSON.stringify({
    request: { method: "GET", uri: "/books", headers: { host: "shop.example" } },
    response: { status: 200, headers: {} },
    started_at: 1_795_366_628_000,
  }));
  assert.deepEqual(lines, ["GET /books 200"]);
  assert.equal(interactions[0]?.timestamp, 1_795_366_628);
  assert.equal(interactions[0]?.response?.elapsed, undefined);
});

Deno.test("Kong and APISIX show headers, and APISIX bodies where it is told to", async () => {
  const kong = await readLogFixture("access-logs/documented_kong.jsonl");
  assert.equal(
    (kong.interactions[0]?.request.headers as Record<string, string>)["x-tenant"],
    "north",
  );
  assert.equal(kong.interactions[3]?.request.body_truncated, true);
  const apisix = await readLogFixture("access-logs/documented_apisix.jsonl");
  assert.equal(apisix.interactions[3]?.request.body, '{"title":"Momo"}');
  assert.deepEqual(
    apisix.interactions.map(({ visibility }) => visibility?.request_body),
    [false, false, false, true],
  );
  assert.ok(
    apisix.interactions.every(({ visibility }) => visibility?.request_headers === "public"),
  );
});

Deno.test("API Gateway's resource paths have no values, which aren't judged", async () => {
  const { lines, interactions } = await readLogFixture("access-logs/documented_api_gateway.jsonl");
  assert.deepEqual(lines, [
    ...["GET /books 200", "GET /books/[Filtered] 200", "GET /books/[Filtered] 404"],
    "POST /books 201",
  ]);
  assert.equal(interactions[0]?.visibility?.query, false);
  assert.ok(interactions.every(({ visibility }) => visibility?.path_parameters === false));
  const http = await readLog(
    '{"requestTime":"22/Nov/2026:16:57:08 +0000","routeKey":"GET /books/{id}","path":"/prod/books/7","stage":"prod","domainName":"a.example","status":"200"}',
  );
  assert.deepEqual(http.lines, ["GET http://a.example/books/7 200"]);
  assert.equal(http.interactions[0]?.visibility?.path_parameters, true);
});

Deno.test("lists of entries are read too, and lines that are no JSON or cut are counted", async () => {
  const entry = '{"time":"2026-11-22T16:57:08Z","request":"GET /a?b=1 HTTP/1.1","status":"200"}';
  assert.deepEqual((await readLog(`[${entry},\n${entry}]`)).lines, Array(2).fill("GET /a?b=1 200"));
  const { lines, warnings } = await readLog(
    `${entry}\nstarted\n{"a":1}\n${entry}\n${entry.slice(0, 40)}`,
  );
  assert.equal(lines.length, 2);
  assert.deepEqual(warnings, [
    "access.log: an interaction that is not valid JSON is left out (at line 2).",
    "access.log: a line of another format is left out (at line 3).",
    "access.log: the recording is cut off: incomplete entries are left out (at byte 214).",
  ]);
});

Deno.test("entries with members of the wrong type are never fatal", async () => {
  const good = '{"time":1,"method":"GET","uri":"/a","status":200}';
  for (const wrong of ["null", "[]", "{}", "7", "1e999", '"\\u0000"', "true"]) {
    for (const member of ["time", "method", "uri", "status"]) {
      const bad = good.replace(new RegExp(`("${member}":)[^,}]+`), `$1${wrong}`);
      const { lines } = await readLog(`${good}\n${bad}\n`);
      assert.equal(lines[0], "GET /a 200", bad);
    }
  }
});
