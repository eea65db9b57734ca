import assert from "node:assert/strict";
import { compileRoutes } from "../../src/map/routes.ts";
import { withoutLoopbackPort } from "../../src/map/loopback_host.ts";

Deno.test("withoutLoopbackPort() takes the port off every name and address of this machine", () => {
  const hosts = [
    ...["localhost", "api.localhost", "localhost.", "127.0.0.1", "127.1.2.3", "0.0.0.0"],
    ...["[::1]", "[::]", "[::ffff:7f00:1]"],
  ];
  for (const host of hosts) {
    assert.equal(withoutLoopbackPort(new URL(`http://${host}:49152/`).host), host);
    assert.equal(withoutLoopbackPort(host), host);
  }
});

Deno.test("withoutLoopbackPort() leaves the port of every other host", () => {
  const hosts = [
    ...["shop.example:81", "localhost.example:81", "mylocalhost:81", "[::2]:81", "10.0.0.1:81"],
    ...["[::ffff:a00:1]:81", "128.0.0.1:81", "", "::1:81"],
  ];
  for (const host of hosts) assert.equal(withoutLoopbackPort(host), host);
});

Deno.test("unmatched requests to this machine are one for all ports", () => {
  const operations = [{ method: "GET", path: "/users", basePaths: [] }];
  const hostOf = (method: string, url: string, basePath?: string) => {
    const match = compileRoutes(operations, { basePath }).match(method, url);
    return match.kind === "unmatched" ? `${match.reason} ${match.host}` : match.kind;
  };
  assert.equal(hostOf("GET", "http://127.0.0.1:40001/nope"), "no_matching_path 127.0.0.1");
  assert.equal(hostOf("PUT", "http://[::1]:40001/users"), "method_not_documented [::1]");
  assert.equal(hostOf("GET", "http://localhost:40001/nope", "/v1"), "outside_base_path localhost");
  assert.equal(
    hostOf("GET", "http://localhost:40001/nope", "https://shop.example/v1"),
    "outside_base_path localhost",
  );
});

Deno.test("the port of this machine stays where the base path names one: it is the reason", () => {
  const basePath = "http://localhost:3000/v1";
  const operations = [{ method: "GET", path: "/users", basePaths: [] }];
  const match = compileRoutes(operations, { basePath }).match(
    "GET",
    "http://localhost:3001/v1/users",
  );
  assert.equal(match.kind === "unmatched" && match.host, "localhost:3001");
});
