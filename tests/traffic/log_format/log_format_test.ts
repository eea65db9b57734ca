import { Place } from "../../../src/traffic/formats/recording.ts";
import assert from "node:assert/strict";
import { logFormat } from "../../../src/traffic/log_format/log_format.ts";
import { processorTime } from "../../processor_time.ts";
import { NGINX_FORMAT, readLog, readLogFixture } from "../logs/read_log.ts";

Deno.test("default formats of programs can also be given as custom formats", async () => {
  const formats = {
    "nginx_combined.log":
      '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
    "apache_vhost_combined.log":
      '%v:%p %h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"',
    "apache_common.log": '%h %l %u %t "%r" %>s %b',
  };
  for (const [name, format] of Object.entries(formats)) {
    const own = await readLogFixture(`access-logs/${name}`, { logFormat: format });
    const detected = await readLogFixture(`access-logs/${name}`);
    const paths = (lines: readonly string[]) =>
      lines.map((line) => line.replace(/http:..[^/]+/, ""));
    assert.deepEqual(paths(own.lines), paths(detected.lines), name);
    assert.deepEqual(
      own.interactions.map(({ timestamp }) => timestamp),
      detected.interactions.map(({ timestamp }) => timestamp),
    );
  }
});

Deno.test("the visibility of a custom format follows from its variables", () => {
  const of = (format: string) => {
    const read = logFormat(format).begin({});
    const line = format.replace("$request_method", "GET").replace(/\$(?:uri|request_uri)/, "/a")
      .replace("$status", "200").replace("$http_x_tenant", "n").replace("$http_cookie", "c");
    const content = read(line, new Place("", { add: assert.fail } as never));
    return content !== undefined && "request" in content ? content.visibility : undefined;
  };
  assert.equal(of("$request_method $uri")?.query, false);
  assert.equal(of("$request_method $uri")?.status, false);
  assert.equal(of("$request_method $uri")?.time, false);
  assert.equal(of("$request_method $request_uri $status")?.query, true);
  assert.equal(of("$request_method $request_uri $status")?.status, true);
  assert.deepEqual(of("$request_method $request_uri $http_x_tenant")?.request_headers, [
    "x-tenant",
  ]);
  assert.equal(of("$request_method $request_uri $http_cookie")?.request_headers, "none");
});

Deno.test("JSON that a log format writes is read with its escapes", async () => {
  const logFormat = '{"what":"$request","status":$status,"agent":"$http_user_agent"}';
  const { lines } = await readLog(
    '{"what":"GET /a?q=\\"b\\" HTTP/1.1","status":200,"agent":"x"}\n{"what":"","status":400,"agent":""}\n',
    { logFormat },
  );
  assert.deepEqual(lines, ['GET /a?q="b" 200']);
});

Deno.test("adjacent variables are told apart", async () => {
  const { lines } = await readLog("https://shop.example/a?b=1 POST\n", {
    logFormat: "$scheme://$host$request_uri $request_method",
  });
  assert.deepEqual(lines, ["POST https://shop.example/a?b=1 -"]);
});

Deno.test("lines that don't fit are counted with the number of the first, even if none fits", async () => {
  const { lines, warnings } = await readLog("a b c\nd e f\n", { logFormat: NGINX_FORMAT });
  assert.deepEqual(lines, []);
  assert.deepEqual(warnings, [
    "access.log: a line that doesn't fit --log-format at ` - ` after $remote_addr is left out (2 times, first at line 1).",
  ]);
});

Deno.test("the warning about a line that doesn't fit names the first part that is missing", async () => {
  const line = '192.0.2.1 - alice 2026-11-22T10:00:00Z "GET /a HTTP/1.1" 200 12\n';
  const formats = [
    ['$remote_addr - $remote_user $time_iso8601 "$request" $status $bytes_sent', undefined],
    [
      '$remote_addr - $remote_user $time_iso8601 "$request" $status',
      "goes on after the end of --log-format",
    ],
    [
      '$remote_addr - $remote_user [$time_iso8601] "$request" $status',
      "doesn't fit --log-format at ` [` after $remote_user",
    ],
    ['%h %l %u %t "%r" %>s', "doesn't fit --log-format at %t"],
    ['<"$request"', "doesn't fit --log-format at `<\"` is left out"],
  ] as const;
  for (const [format, said] of formats) {
    const { lines, warnings } = await readLog(line, { logFormat: format });
    assert.equal(lines.length, said === undefined ? 1 : 0, format);
    assert.doesNotMatch(warnings.join(), /192|alice/);
    assert.ok(said === undefined || warnings.join().includes(said), `${format}: ${warnings}`);
  }
});

Deno.test("a time whose own format has spaces fits without quotes", async () => {
  const format = "%a %{%b %e, %Y %T}t %{%Y-%m-%d %H:%M:%S}t.%{msec_frac}t %m %U%q %>s";
  const line = "203.0.113.7 Nov  2, 2026 10:00:00 2026-11-02 10:00:00.250 GET /books?limit=5 200";
  assert.deepEqual((await readLog(line, { logFormat: format })).lines, ["GET /books?limit=5 200"]);
  const padded = "203.0.113.7  2 Nov 2026 Mon Nov  2 10:00:00 2026 GET /books 200";
  const own = await readLog(padded, { logFormat: "%a %{%e %b %Y}t %{%c}t %m %U%q %>s" });
  assert.deepEqual(own.lines, ["GET /books 200"]);
  const [, ...rest] = format.split("}t ");
  const { interactions } = await readLog("2026-11-02 10:00:00.250 GET /books 200", {
    logFormat: rest.join("}t "),
  });
  assert.equal(interactions[0]?.timestamp, Date.UTC(2026, 10, 2, 10, 0, 0, 250) / 1000);
});

Deno.test("user names with spaces and values of several servers fit", async () => {
  const { lines } = await readLog(
    '192.0.2.1 - alice b c [22/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 502, 200 0.001, 0.002 : 0.1 203.0.113.1, 192.0.2.9 200\n',
    {
      logFormat:
        '$remote_addr - $remote_user [$time_local] "$request" $upstream_status $upstream_response_time $http_x_forwarded_for $status',
    },
  );
  assert.deepEqual(lines, ["GET /a 200"]);
});

Deno.test("the message about a misspelt variable suggests the right one", () =>
  assert.throws(
    () => logFormat('$remote_addr "$reqest" $status'),
    /Did you mean \$request instead of \$reqest\?$/,
  ));

Deno.test("other logs and recordings are read even if a log format is given", async () => {
  const { lines } = await readLogFixture("access-logs/nginx.jsonl", { logFormat: NGINX_FORMAT });
  assert.match(lines[0] ?? "", /limit=5/);
  const har = '{"log":{"entries":[{"request":{"method":"GET","url":"http://a/b","headers":[]}}]}}';
  assert.deepEqual((await readLog(har, { logFormat: NGINX_FORMAT })).lines, ["GET http://a/b -"]);
});

Deno.test("a log format without a method or URL is refused, and the message says what to add", () => {
  for (const format of ["", "$status", "%h %l", "$request_method", "%U", "GET /"]) {
    assert.throws(() => logFormat(format), /needs the method and the URL of requests: \$request,/);
  }
});

Deno.test("long lines that don't fit are rejected quickly", () => {
  const { recognize } = logFormat(NGINX_FORMAT.replace('"$request"', "$request"));
  for (const text of ['" - [', "a ", "- [", '"\\']) {
    const line = text.repeat(30_000);
    assert.ok(processorTime(() => recognize(line), 500) < 500, text);
  }
});

Deno.test("a log format that is too long is refused, and the longest one reads lines", () => {
  const variables = (count: number) => "%r" + " %a".repeat(count - 1);
  const said =
    /may have 10,000 characters and 1,000 variables; this one has ([\d,]+) and ([\d,]+)\.$/;
  assert.throws(() => logFormat(variables(1_001)), said);
  assert.throws(() => logFormat(`%r ${"a".repeat(10_000)}`), said);
  const line = "GET /books HTTP/1.1" + " x".repeat(999);
  assert.equal(logFormat(variables(1_000)).recognize(line), true);
  assert.equal(logFormat(variables(1_000)).recognize("GET /books HTTP/1.1 x"), false);
  const text = "a".repeat(9_997);
  assert.equal(logFormat(`%r ${text}`).recognize(`GET /books HTTP/1.1 ${text}`), true);
});
