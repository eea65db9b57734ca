import {
  compileRoutes,
  type RouteCaptures,
  type RouteOptions,
  type Routes,
  withoutLoopbackPort,
} from "../../src/map/routes.ts";
import assert from "node:assert/strict";

Deno.test("withoutLoopbackPort() removes the port of every name and address of this machine", () => {
  const hosts = [
    ...["localhost", "api.localhost", "localhost.", "127.0.0.1", "127.1.2.3", "0.0.0.0"],
    ...["[::1]", "[::]", "[::ffff:7f00:1]"],
  ];
  for (const host of hosts) {
    assert.equal(withoutLoopbackPort(new URL(`http://${host}:49152/`).host), host);
    assert.equal(withoutLoopbackPort(host), host);
  }
});

Deno.test("withoutLoopbackPort() keeps the port of every other host", () => {
  const hosts = [
    ...["shop.example:81", "localhost.example:81", "mylocalhost:81", "[::2]:81", "10.0.0.1:81"],
    ...["[::ffff:a00:1]:81", "128.0.0.1:81", "", "::1:81"],
  ];
  for (const host of hosts) assert.equal(withoutLoopbackPort(host), host);
});

Deno.test("unmatched requests to this machine have no port", () => {
  const operations = [{ method: "GET", path: "/users", basePaths: [] }];
  const listed = (method: string, url: string, basePath?: string) => {
    const match = compileRoutes(operations, { basePath }).match(method, url);
    return match.kind === "unmatched" ? `${match.reason} ${match.host}` : match.kind;
  };
  assert.equal(listed("GET", "http://127.0.0.1:40001/nope"), "no_matching_path 127.0.0.1");
  assert.equal(listed("PUT", "http://[::1]:40001/users"), "method_not_documented [::1]");
  assert.equal(listed("GET", "http://localhost:40001/nope", "/v1"), "outside_base_path localhost");
  assert.equal(
    listed("GET", "http://localhost:40001/nope", "https://shop.example/v1"),
    "outside_base_path localhost",
  );
});

Deno.test("unmatched requests to this machine keep the port if the base path has one", () => {
  const basePath = "http://localhost:3000/v1";
  const operations = [{ method: "GET", path: "/users", basePaths: [] }];
  const match = compileRoutes(operations, { basePath }).match(
    "GET",
    "http://localhost:3001/v1/users",
  );
  assert.equal(match.kind === "unmatched" && match.host, "localhost:3001");
});

/** Compiles lines such as `GET /a`. */
function compile(
  lines: readonly string[],
  basePaths: readonly string[] = [],
  options: RouteOptions = {},
): Routes {
  return compileRoutes(
    lines.map((line) => {
      const [method = "", path = ""] = line.split(/ (.*)/);
      return { method, path };
    }),
    { basePaths, ...options },
  );
}

/** The index of the matching operation, or the reason why none matches. */
function leads(routes: Routes, line: string): number | string {
  const [method = "", url = ""] = line.split(" ");
  const match = routes.match(method, url);
  return match.kind === "operation" ? match.index : match.reason;
}

function captures(routes: Routes, line: string): RouteCaptures | null {
  const [method = "", url = ""] = line.split(" ");
  const match = routes.match(method, url);
  return match.kind === "operation" ? match.captures : null;
}

Deno.test("match() gives the operation, its captures and the raw query", () => {
  const routes = compile(["GET /users", "get /users/{id}/posts/{post-id}"]);
  assert.deepEqual(routes.match("get", "https://localhost:3000/users/a%2Fb/posts/7?q=%20#x"), {
    kind: "operation",
    index: 1,
    captures: ["a%2Fb", "7"],
    query: "q=%20",
    hasQueryInForm: false,
  });
  assert.deepEqual(routes.match("GET", "/users"), {
    kind: "operation",
    index: 0,
    captures: [],
    query: "",
    hasQueryInForm: false,
  });
});

Deno.test("templates inside a segment are captured greedily, and raw", () => {
  const routes = compile(["GET /f/{name}.{ext}", "POST /f/{id}:cancel"]);
  assert.deepEqual(captures(routes, "GET /f/a.tar.gz"), ["a.tar", "gz"]);
  assert.deepEqual(captures(routes, "GET /f/%F0%9F%98%80a%2Eb%C3%A9"), [
    "%F0%9F%98%80a",
    "b%C3%A9",
  ]);
  assert.deepEqual(captures(routes, "GET /f/%E2%82%AC.%24"), ["%E2%82%AC", "%24"]);
  assert.deepEqual(captures(routes, "GET /f/%zz.x"), ["%zz", "x"]);
  assert.deepEqual(captures(routes, "POST /f/a%20b%3Acancel"), ["a%20b"]);
  assert.equal(leads(routes, "POST /f/:cancel"), "no_matching_path");
});

Deno.test("segments are split first, then compared percent-decoded", () => {
  const routes = compile(["GET /caf%C3%A9/a b", "GET /x%2Fy", "GET /me", "GET /d//e"]);
  assert.equal(leads(routes, "GET /café/a%20b"), 0);
  assert.equal(leads(routes, "GET /x%2fy"), 1);
  assert.equal(leads(routes, "GET /x/y"), "no_matching_path");
  assert.equal(leads(routes, "GET /%6De"), 2);
  assert.equal(leads(routes, "GET /Me"), "no_matching_path");
  assert.equal(leads(routes, "GET /d//e"), 3, "an empty segment is one too");
});

Deno.test("a query in a path is a condition", () => {
  const routes = compile(["GET /a?b=c", "GET /a?b=d", "GET /a?e", "GET /f?g={h}", "GET /x?y=1"]);
  assert.equal(leads(routes, "GET /a?b=c"), 0);
  assert.equal(leads(routes, "GET /a?z=1&b=%64&b=c"), 1);
  assert.equal(leads(routes, "GET /a?e"), 2);
  assert.equal(leads(routes, "GET /a"), "condition_not_met");
  assert.equal(leads(routes, "GET /a?b=x"), "condition_not_met");
  assert.equal(leads(routes, "GET /a%3Fb=c"), "no_matching_path");
  // A name without a value is required only if other operations share the path; a value always is.
  assert.equal(leads(routes, "GET /f"), 3);
  assert.equal(leads(routes, "GET /x"), "condition_not_met");
  assert.deepEqual(routes.match("POST", "/a?b=c"), {
    kind: "unmatched",
    reason: "method_not_documented",
    host: "",
    path: "/a",
  });
});

Deno.test("the operation with the most met conditions wins, then that with the most values, then the first", () => {
  const routes = compile(["GET /a", "GET /a?b", "GET /a?b=1&c", "GET /a?d", "GET /a?b=2"]);
  assert.equal(leads(routes, "GET /a?x"), 0);
  assert.equal(leads(routes, "GET /a?b=9"), 1);
  assert.equal(leads(routes, "GET /a?b=2"), 4);
  assert.equal(leads(routes, "GET /a?c=&b=1"), 2);
  assert.equal(leads(routes, "GET /a?d&b"), 1);
});

Deno.test("an operation whose conditions aren't met leaves the request to a less exact one", () => {
  const routes = compile(["GET /users/me?full=1", "GET /users/{id}"]);
  assert.equal(leads(routes, "GET /users/me?full=1"), 0);
  assert.equal(leads(routes, "GET /users/me"), 1);
});

Deno.test("templates in a query are captured percent-encoded as in paths", () => {
  const routes = compile(["GET /{a}?lat={lat}&on=x&lon={lon}"]);
  assert.deepEqual(captures(routes, "GET /v?on=x&lon=a+b%2B&lat=1"), ["v", "1", "a%20b%2B"]);
  assert.deepEqual(captures(routes, "GET /v?on=x&lon="), ["v", undefined, ""]);
});

Deno.test("a base path matches whole segments, decoded, with or without a trailing slash", () => {
  const routes = compile(["GET /users", "GET /"], ["/api/v%31/", "//b//c"]);
  assert.equal(leads(routes, "GET /api/v1/users"), 0);
  assert.equal(leads(routes, "GET /%61pi/v1/users"), 0);
  assert.equal(leads(routes, "GET /api/v1"), 1);
  assert.equal(leads(routes, "GET /api/v1/"), 1);
  assert.equal(leads(routes, "GET /b/c/users"), 0);
  assert.equal(leads(routes, "GET /api/v1x/users"), "no_matching_path");
  assert.equal(leads(routes, "GET /api/users"), "no_matching_path");
});

Deno.test("emptyPrefixFirst tries the path as it is before the base paths", () => {
  const lines = ["GET /{tenant}/users", "GET /users"];
  const url = "GET http://localhost/v1/users";
  assert.equal(leads(compile(lines, ["/v1"]), url), 1);
  assert.equal(leads(compile(lines, ["/v1"], { emptyPrefixFirst: true }), url), 0);
  const nested = compile(["GET /x", "GET /b/x"], ["/a", "/a/b"], { emptyPrefixFirst: true });
  assert.equal(leads(nested, "GET /a/b/x"), 0);
});

Deno.test("the basePath option replaces all other base paths", () => {
  const routes = compile(["GET /users", "POST /me"], ["/v1"], { basePath: "/api/" });
  assert.equal(leads(routes, "GET https://anywhere:1/api/users"), 0);
  assert.equal(leads(routes, "GET /users"), "outside_base_path");
  assert.equal(leads(routes, "GET /v1/users"), "outside_base_path");
  assert.equal(leads(routes, "GET /apix/users"), "outside_base_path");
  assert.equal(leads(routes, "GET /api/nope"), "no_matching_path");
  assert.deepEqual(routes.match("GET", "http://h:8/api/me"), {
    kind: "unmatched",
    reason: "method_not_documented",
    host: "h:8",
    path: "/me",
  });
  assert.equal(leads(compile(["GET /users"], ["/v1"], { basePath: "/" }), "GET /users"), 0);
});

Deno.test("a basePath that is a full URL matches only its scheme, host and port", () => {
  const basePath = "https://api.example.com/v1";
  const routes = compile(["GET /users"], [], { basePath });
  assert.equal(leads(routes, "GET https://API.example.com:443/v1/users"), 0);
  for (
    const url of [
      "http://api.example.com/v1/users",
      "https://api.example.com:8443/v1/users",
      "https://example.com/v1/users",
      "https://api.example.com/users",
      "/v1/users",
    ]
  ) assert.equal(leads(routes, `GET ${url}`), "outside_base_path", url);
});

Deno.test("an unmatched request has its host, its path and the reason", () => {
  const routes = compile(["GET /a/{x}", "POST /a/{y}/"]);
  assert.deepEqual(routes.match("GET", "http://[::1]:8080/no%20pe?x=1#y"), {
    kind: "unmatched",
    reason: "no_matching_path",
    host: "[::1]",
    path: "/no%20pe",
  });
  assert.deepEqual(routes.match("PUT", "https://example.com:443/a/1/"), {
    kind: "unmatched",
    reason: "method_not_documented",
    host: "example.com",
    path: "/a/{y}/",
  });
  assert.deepEqual(routes.match("GET", "localhost:8080/a/1?b=c"), {
    kind: "unmatched",
    reason: "invalid_url",
    host: "",
    path: "localhost:8080/a/1",
  });
});

Deno.test("suggestPrefixes() names the base paths that would lead to an operation", () => {
  const lines = ["GET /users/{id}", "GET /{id}", "GET /v1/users/{id}", "GET /health"];
  const routes = compile(lines);
  assert.deepEqual(routes.suggestPrefixes("get", "/api/v1/users/7"), [
    { prefix: "/api", templates: 1 },
    { prefix: "/api/v1", templates: 1 },
  ]);
  assert.deepEqual(routes.suggestPrefixes("POST", "/api/users/7"), []);
  assert.deepEqual(routes.suggestPrefixes("GET", "/some/page"), []);
  assert.deepEqual(routes.suggestPrefixes("GET", "//health"), []);
  assert.deepEqual(routes.suggestPrefixes("GET", "/a/b/c/d/e/f/g/h/i/health"), []);
});

Deno.test("suggestPrefixes() also tries paths without the basePath option", () => {
  const routes = compile(["GET /users"], [], { basePath: "https://example.com/v1" });
  assert.deepEqual(routes.suggestPrefixes("GET", "/users"), [{ prefix: "/", templates: 0 }]);
  assert.deepEqual(routes.suggestPrefixes("GET", "/v1/users"), [{ prefix: "/v1", templates: 0 }]);
});
