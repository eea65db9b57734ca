import assert from "node:assert/strict";
import { headerLookup } from "../../../src/http/headers.ts";
import { fixtureBytes } from "../read_all.ts";
import { readLog } from "./read_log.ts";

const USUAL = [
  "GET ORIGIN/books?token=a1aaa-a1aaaa-11&limit=6 200",
  "GET ORIGIN/books/7 200",
  "GET ORIGIN/missing 404",
  "POST ORIGIN/books 201",
];

Deno.test("HAProxy's startup line is skipped, and a syslog prefix and httpslog are accepted", async () => {
  const line =
    'Nov 22 16:57:29 lb haproxy[9]: 203.0.113.77:1 [22/Nov/2026:16:57:29.625] shop~ books/one 0/0/0/1/12 200 144 - - ---- 1/1/0/0/0 0/0 {a #22b|c} "GET /a HTTP/1.1" 0/0/0/0/0 shop.example/TLSv1.3/X';
  const { lines, interactions } = await readLog(
    `Nov 22 16:57:28 lb haproxy[9]: Proxy shop started.\n${line}\n`,
  );
  assert.deepEqual(lines, ["GET /a 200"]);
  assert.equal(interactions[0]?.response?.elapsed, 0.012);
});

Deno.test("an IIS log may change its fields in the middle, and restart", async () => {
  const text = [
    "#Fields: time cs-method cs-uri-stem sc-status",
    "#Date: 2026-11-22 10:00:00",
    "10:00:01 GET /a 200",
    "#Software: Microsoft Internet Information Services 10.0",
    "#Fields: date time cs-method cs-uri-stem cs-uri-query sc-status time-taken",
    "2026-11-22 10:00:02 GET /b x=1 404 1500",
    "2026-11-22 10:00:02 GET /b",
    "2026-11-22 10:00:02 - - - 400 1",
    "",
  ].join("\r\n");
  const { lines, interactions, warnings } = await readLog(text);
  assert.deepEqual(lines, ["GET /a 200", "GET /b?x=1 404"]);
  assert.equal(interactions[0]?.timestamp, Date.UTC(2026, 10, 22, 10, 0, 1) / 1000);
  assert.equal(interactions[1]?.timestamp, Date.UTC(2026, 10, 22, 10, 0, 0, 500) / 1000);
  assert.deepEqual(warnings, [
    "access.log: a line of another format is left out (at line 7).",
    "access.log: a line whose request is empty or isn't HTTP is left out (at line 8).",
  ]);
});

Deno.test("fields of W3C logs may be quoted with spaces inside, or contain quotes", async () => {
  const { lines, interactions, warnings } = await readLog([
    "#Fields: date time cs-method cs-uri-stem cs-uri-query cs(User-Agent) cs(X-Tenant) sc-status",
    '2026-11-22 10:00:01 GET /a - "Mozilla/5.0 (X11; Linux)" - 200',
    '"2026-11-22" "10:00:02" "GET" "/b" "x=1" "" "north ""east""" "404"',
    '2026-11-22 10:00:03 GET /c - Mozilla/5.0+("X11") "a"b 200',
  ].join("\n"));
  assert.deepEqual(lines, ["GET /a 200", "GET /b?x=1 404", "GET /c 200"]);
  const tenants = interactions.map(({ request }) => headerLookup(request.headers).get("x-tenant"));
  assert.deepEqual(tenants, [undefined, 'north "east"', '"a"b']);
  assert.deepEqual(warnings, []);
});

Deno.test("a CloudFront log without its first lines is read, as query engines split it", async () => {
  const bytes = fixtureBytes("access-logs/documented_cloudfront.log");
  const text = new TextDecoder().decode(bytes);
  const { lines } = await readLog(text.split("\n").slice(3).join("\n"));
  assert.equal(lines.length, 3);
});

Deno.test("a header field called __proto__ leaves the others as they are, in Node.js too", async () => {
  // Deno has removed this property.
  Object.defineProperty(Object.prototype, "__proto__", {
    configurable: true,
    set(value) {
      Object.setPrototypeOf(this, value);
    },
  });
  try {
    const { interactions } = await readLog(
      '{"request":{"method":"GET","uri":"/a","headers":{"__proto__":["x","y"],"X-Tenant":["north"]}},"status":200,"duration":1}',
    );
    assert.equal(headerLookup(interactions[0]?.request.headers).get("x-tenant"), "north");
  } finally {
    Reflect.deleteProperty(Object.prototype, "__proto__");
  }
});

Deno.test("logs that have only the path of requests don't show their queries", async () => {
  const cloudflare = { ClientRequestMethod: "GET", EdgeResponseStatus: 200 };
  const cases = [
    ["#Fields: cs-method cs-uri-stem sc-status\nGET /a 200\n", false],
    ["#Fields: cs-method cs-uri-stem cs-uri-query sc-status\nGET /a - 200\n", true],
    ["#Fields: cs-method cs-uri sc-status\nGET /a 200\n", true],
    [JSON.stringify({ ...cloudflare, ClientRequestPath: "/a" }), false],
    [JSON.stringify({ ...cloudflare, ClientRequestURI: "/a" }), true],
  ] as const;
  for (const [text, shown] of cases) {
    const { lines, interactions } = await readLog(text);
    assert.deepEqual(lines, ["GET /a 200"]);
    assert.equal(interactions[0]?.visibility?.query, shown, text);
  }
});

Deno.test("header fields in W3C logs are visible unless they identify the sender", async () => {
  const { interactions } = await readLog(
    "#Fields: cs-method cs-uri-stem cs(X-Tenant) cs(Cookie) cs(Referer) sc-status\nGET /a north sid=1 http://r 200\n",
  );
  assert.deepEqual(interactions[0]?.request.headers, { "X-Tenant": "north" });
  assert.deepEqual(interactions[0]?.visibility?.request_headers, ["x-tenant"]);
});

Deno.test("Envoy's lines about connections without HTTP are not requests", async () => {
  const line = (request: string, status: number): string =>
    `[2026-11-22T16:57:08.069Z] "${request}" ${status} UF 0 0 2 - "-" "-" "-" "-" "-"\n`;
  const { lines, warnings } = await readLog(
    line("- - -", 0) + line("- - HTTP/1.1", 400) + line("GET /a HTTP/1.1", 200),
  );
  assert.deepEqual(lines, ["GET /a 200"]);
  assert.match(warnings.join(), /whose request is empty or isn't HTTP is left out \(2 times/);
});

Deno.test("a load balancer's line has no response if the client closed or the status is missing", async () => {
  const classic =
    '2026-11-22T16:57:08.9Z lb 203.0.113.77:1 10.0.0.1:80 0.1 0.2 0.3 460 200 0 29 "GET http://a.example:80/b HTTP/1.1" "x" - -\n';
  const unanswered = classic.replace("460 200", "- -");
  const { lines } = await readLog(classic + unanswered);
  assert.deepEqual(lines, ["GET http://a.example:80/b -", "GET http://a.example:80/b -"]);
});

Deno.test("logs that are cut anywhere are read up to there", async () => {
  for (const file of ["iis.log", "cloudfront.log", "aws_alb.log", "envoy.log"]) {
    const bytes = fixtureBytes(`access-logs/documented_${file}`);
    const end = bytes.lastIndexOf(10, bytes.lastIndexOf(10, bytes.length - 2) - 1);
    for (let length = end + 2; length < bytes.length; length += 7) {
      const { lines } = await readLog(bytes.subarray(0, length));
      assert.ok(lines.length >= 2, `${file}: ${length}`);
      const known = USUAL.map((line) => line.replace(/ORIGIN/, "")).join("\n");
      for (const line of lines) {
        assert.ok(known.includes(line.replace(/https?:\/\/[^/]*/, "")), `${file}: ${line}`);
      }
    }
  }
});
