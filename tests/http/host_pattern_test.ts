import assert from "node:assert/strict";
import { parseHostPattern } from "../../src/http/host_pattern.ts";

Deno.test("a host pattern matches a host, and a certain port only if it names one", () => {
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
