import { parseHostAndPort, parseHostPattern } from "../../src/http/host_and_port.ts";
import assert from "node:assert/strict";

Deno.test("a host pattern matches a host, and matches the port only if it has one", () => {
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

Deno.test("parseHostAndPort() reads authorities with and without ports, brackets and credentials", () => {
  assert.deepEqual(parseHostAndPort("u:p@[::1]:1", 80), { host: "::1", port: 1 });
  assert.deepEqual(parseHostAndPort("[fe80::1%25eth0]", 80), { host: "fe80::1", port: 80 });
  assert.deepEqual(parseHostAndPort("h:", 80), { host: "h", port: 80 });
  for (const wrong of ["", "h:0", "h:70000", "a b", "h:x", "[::1"]) {
    assert.equal(parseHostAndPort(wrong, 80), undefined, wrong);
  }
});
