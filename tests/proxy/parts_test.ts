import assert from "node:assert/strict";
import { dataFolder } from "../../src/proxy/data_folder.ts";
import { failureSentence } from "../../src/proxy/failure_sentence.ts";
import { endToEnd, fieldRecord, joinCookies, withField } from "../../src/proxy/header_fields.ts";
import { parseHostAndPort } from "../../src/proxy/host_and_port.ts";
import { parseHostPattern } from "../../src/proxy/host_pattern.ts";
import { parseReverseUpstream, targetOf } from "../../src/proxy/target.ts";

Deno.test("host patterns mean hosts, with a port only where they name one", () => {
  const matching: readonly [string, string, number][] = [
    ["api.example", "API.example", 443],
    ["*.example", "a.b.example", 80],
    ["*", "anything", 1],
    ["localhost:8080", "localhost", 8080],
    ["localhost:1", "localhost", 1],
    ["localhost:2", "localhost", 2],
    ["[::1]:8080", "::1", 8080],
    ["::1", "::1", 5],
    ["10.0.*", "10.0.0.7", 80],
  ];
  for (const [pattern, host, port] of matching) {
    assert.ok(parseHostPattern(pattern)(host, port), `${pattern} ${host}:${port}`);
  }
  const other: readonly [string, string, number][] = [
    ["*.example", "example", 443],
    ["api.example", "apixexample", 443],
    ["localhost:1", "localhost", 2],
    ["[::1]:8080", "::1", 8081],
  ];
  for (const [pattern, host, port] of other) {
    assert.ok(!parseHostPattern(pattern)(host, port), `${pattern} ${host}:${port}`);
  }
  for (const wrong of ["", "http://api.example", "api.example/v1", "a@b", "api.example:99999"]) {
    assert.throws(() => parseHostPattern(wrong), /is not a valid host/, wrong);
  }
});

Deno.test("request targets lead where they say, and keep their bytes", () => {
  const any = { kind: "any" } as const;
  assert.equal(targetOf(any, "http://H:81?x=1#f")?.path, "/?x=1");
  assert.equal(targetOf(any, "HTTP://[::1]/a")?.url, "http://[::1]/a");
  assert.equal(targetOf(any, "https://h/a")?.port, 443);
  assert.equal(targetOf(any, "http://u:p@h/a")?.url, "http://h/a");
  assert.equal(targetOf(any, "/a"), undefined);
  assert.equal(targetOf(any, "http:///a"), undefined);
  const tunnel = {
    kind: "tunnel",
    isSecure: true,
    server: { host: "::1", port: 8443 },
  } as const;
  assert.equal(targetOf(tunnel, "/a//b/../%2e")?.url, "https://[::1]:8443/a//b/../%2e");
  assert.equal(targetOf(tunnel, "*")?.path, "*");
  const reverse = {
    kind: "reverse",
    upstream: parseReverseUpstream("https://h/v1/"),
  } as const;
  assert.equal(targetOf(reverse, "/a?b")?.url, "https://h/v1/a?b");
  assert.equal(targetOf(reverse, "http://localhost:1/a")?.url, "https://h/v1/a");
  assert.equal(targetOf(reverse, "/a")?.hostField, "h");
  for (const wrong of ["localhost:3000", "ftp://h", "http://h/?a", "nonsense"]) {
    assert.throws(() => parseReverseUpstream(wrong), /Use a URL/, wrong);
  }
});

Deno.test("authorities are read with and without ports, brackets and credentials", () => {
  assert.deepEqual(parseHostAndPort("u:p@[::1]:1", 80), { host: "::1", port: 1 });
  assert.deepEqual(parseHostAndPort("[fe80::1%25eth0]", 80), { host: "fe80::1", port: 80 });
  assert.deepEqual(parseHostAndPort("h:", 80), { host: "h", port: 80 });
  for (const wrong of ["", "h:0", "h:70000", "a b", "h:x", "[::1"]) {
    assert.equal(parseHostAndPort(wrong, 80), undefined, wrong);
  }
});

Deno.test("only what is about the connection is left out of a message", () => {
  const { fields, isChunked, isExpecting, length } = endToEnd([
    ":path",
    "/",
    "TE",
    "gzip, trailers",
    "Transfer-Encoding",
    "chunked",
    "Expect",
    "100-continue",
    "Proxy-Authorization",
    "Basic x",
    "Trailer",
    "X-Sum",
  ]);
  assert.deepEqual(fields, ["Expect", "100-continue", "Trailer", "X-Sum", "TE", "trailers"]);
  assert.deepEqual([isChunked, isExpecting, length], [true, true, undefined]);
  assert.deepEqual(withField(["A", "1", "host", "x", "Host", "y"], "Host", "z"), [
    "A",
    "1",
    "host",
    "z",
  ]);
  assert.deepEqual(withField(["A", "1"], "Host", "z"), ["Host", "z", "A", "1"]);
  assert.deepEqual(joinCookies(["cookie", "a", "b", "1", "cookie", "c"]), [
    "cookie",
    "a; c",
    "b",
    "1",
  ]);
  const record = fieldRecord(["__proto__", "1", "A", "1", "A", "2", "A", "3"], "lower_case");
  assert.deepEqual(Object.entries(record), [["__proto__", "1"], ["a", ["1", "2", "3"]]]);
});

Deno.test("errors of Deno and Node.js become sentences that say what to do", () => {
  const say = (code: string, message: string): string =>
    failureSentence({ host: "h", port: 1 }, Object.assign(new Error(message), { code })).sentence;
  assert.match(say("ENOTFOUND", "getaddrinfo ENOTFOUND h"), /unknown host/);
  assert.match(say("", "Connection refused (os error 111)"), /nothing is listening there/);
  assert.match(say("CERT_HAS_EXPIRED", "certificate has expired"), /has expired.*--insecure/);
  assert.match(say("", "invalid peer certificate: UnknownIssuer"), /not trusted.*DENO_CERT/);
  assert.match(say("", "invalid peer certificate: NotValidForName"), /another host/);
  assert.match(say("EPROTO", "wrong version number"), /Does it speak HTTPS\?/);
  assert.match(say("HPE_INVALID_CHUNK_SIZE", "Parse Error"), /invalid HTTP/);
  assert.match(say("ECONNRESET", "socket hang up"), /closed the connection/);
  assert.match(say("EPROXY", "the upstream proxy p:1 closed the connection"), /upstream proxy p:1/);
});

Deno.test("data is kept where the platform keeps it", () => {
  const home = "/home/ada";
  const folder = (platform: string, variables: Record<string, string>): string =>
    dataFolder({ platform, variables, home }) ?? "";
  assert.equal(folder("linux", { XDG_DATA_HOME: "/data" }), "/data/covtool");
  assert.equal(folder("linux", { XDG_DATA_HOME: "" }), "/home/ada/.local/share/covtool");
  assert.equal(folder("darwin", {}), "/home/ada/Library/Application Support/covtool");
  assert.match(folder("win32", { LOCALAPPDATA: "C:/Local" }), /Local.covtool$/);
  for (const home of [undefined, "", "/"]) {
    for (const platform of ["linux", "darwin", "win32"]) {
      assert.equal(dataFolder({ platform, variables: {}, home }), undefined, `${platform} ${home}`);
    }
    const variables = { XDG_DATA_HOME: "/data" };
    assert.equal(dataFolder({ platform: "linux", variables, home }), "/data/covtool");
  }
});
