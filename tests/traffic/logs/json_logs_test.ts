import assert from "node:assert/strict";
import { readLog } from "./read_log.ts";

Deno.test("Caddy's startup lines are skipped", async () => {
  const start = '{"level":"info","ts":1795366641.1,"msg":"serving initial configuration"}\n';
  const entry =
    '{"ts":10,"request":{"method":"GET","host":"a","uri":"/b","tls":{},"headers":{}},"status":200,"duration":"250ms"}\n';
  const mixed = await readLog(start + entry + start);
  assert.deepEqual(mixed.lines, ["GET https://a/b 200"]);
  assert.equal(mixed.interactions[0]?.timestamp, 9.75);
  const long = await readLog(entry.replace("250ms", "1m0.5s"));
  assert.equal(long.interactions[0]?.response?.elapsed, 60.5);
  assert.deepEqual(mixed.warnings, [
    "access.log: a line of another format is left out (2 times, first at line 1).",
  ]);
});

Deno.test("what else Caddy logs of a request doesn't count again", async () => {
  const request = { method: "GET", host: "a", uri: "/b", headers: {} };
  const entry = (logger: string, msg: string) =>
    JSON.stringify({ logger, ts: 10, msg, request, duration: 0.25, status: 502 });
  const { lines, warnings } = await readLog([
    entry("http.handlers.reverse_proxy", "upstream roundtrip"),
    entry("http.log.error.log0", "dial tcp: connection refused"),
    entry("http.log.access.log0", "handled request"),
    entry("http.log.access", "handled request"),
  ].join("\n"));
  assert.deepEqual(lines, ["GET http://a/b 502", "GET http://a/b 502"]);
  assert.deepEqual(warnings, [
    "access.log: a line of another format is left out (2 times, first at line 1).",
  ]);
});

Deno.test("Docker keeps the lines of a container as JSON, access logs among others", async () => {
  const clf =
    '203.0.113.7 - ada [22/Nov/2026:16:57:08 +0000] "GET /a?b=1 HTTP/1.1" 200 13 "-" "curl"';
  const caddy = {
    ...{ ts: 10, status: 201, duration: 0.25 },
    request: { method: "POST", host: "a", uri: "/b", headers: { "X-Tenant": ["t"] } },
  };
  const text = ["Started.", clf, JSON.stringify(caddy), "10 lines"].map((log) =>
    JSON.stringify({ log: `${log}\n`, stream: "stdout", time: "2026-11-22T16:57:08.5Z" })
  ).join("\n");
  const { lines, interactions, warnings } = await readLog(text);
  assert.deepEqual(lines, ["GET /a?b=1 200", "POST http://a/b 201"]);
  assert.deepEqual(interactions.map(({ visibility }) => visibility?.request_body), [false, false]);
  assert.deepEqual(interactions[1]?.request.headers, { "X-Tenant": "t" });
  assert.deepEqual(warnings, [
    "access.log: a line of another format is left out (2 times, first at line 1).",
  ]);
});

Deno.test("a line of Kong without latencies is recognized by its time", async () => {
  const { lines, interactions } = await readLog(JSON.stringify({
    request: { method: "GET", uri: "/books", headers: { host: "shop.example" } },
    response: { status: 200, headers: {} },
    started_at: 1_795_366_628_000,
  }));
  assert.deepEqual(lines, ["GET /books 200"]);
  assert.equal(interactions[0]?.timestamp, 1_795_366_628);
  assert.equal(interactions[0]?.response?.elapsed, undefined);
});

Deno.test("Traefik's JSON is read, with nanoseconds and the header fields that it keeps", async () => {
  const entry = {
    ...{ ClientHost: "203.0.113.7", ClientUsername: "ada", Duration: 2_500_000_000 },
    ...{ DownstreamStatus: 201, OriginStatus: 0, RequestMethod: "POST" },
    ...{ RequestAddr: "shop.example:8443", RequestHost: "shop.example", RequestScheme: "https" },
    ...{ RequestPath: "/books?limit=5", StartUTC: "2026-11-22T16:57:08.5Z", msg: "" },
    ...{
      "request_X-Tenant": "a",
      "request_Cookie": "s=1",
      "downstream_Content-Type": "text/plain",
    },
  };
  const { lines, interactions: [interaction] } = await readLog(JSON.stringify(entry));
  assert.deepEqual(lines, ["POST https://shop.example:8443/books?limit=5 201"]);
  assert.equal(interaction?.timestamp, Date.parse("2026-11-22T16:57:08.5Z") / 1000);
  assert.equal(interaction?.response?.elapsed, 2.5);
  assert.deepEqual(interaction?.request.headers, { "X-Tenant": "a" });
  assert.deepEqual(interaction?.visibility?.request_headers, ["x-tenant"]);
  assert.deepEqual(interaction?.response?.headers, { "Content-Type": "text/plain" });
  assert.doesNotMatch(JSON.stringify(interaction), /203|ada|s=1/);
});

Deno.test("paths of API Gateway have the values for the parameters of its resource paths", async () => {
  const http = await readLog(
    '{"requestTime":"22/Nov/2026:16:57:08 +0000","routeKey":"GET /books/{id}","path":"/prod/books/7","stage":"prod","domainName":"a.example","status":"200"}',
  );
  assert.deepEqual(http.lines, ["GET http://a.example/books/7 200"]);
  assert.equal(http.interactions[0]?.visibility?.path_parameters, true);
});

Deno.test("lists of entries are read too, and lines that aren't JSON or are cut are counted", async () => {
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

Deno.test("entries with members of the wrong type don't fail", async () => {
  const good = '{"time":1,"method":"GET","uri":"/a","status":200}';
  for (const wrong of ["null", "[]", "{}", "7", "1e999", '"\\u0000"', "true"]) {
    for (const member of ["time", "method", "uri", "status"]) {
      const bad = good.replace(new RegExp(`("${member}":)[^,}]+`), `$1${wrong}`);
      const { lines } = await readLog(`${good}\n${bad}\n`);
      assert.equal(lines[0], "GET /a 200", bad);
    }
  }
});
