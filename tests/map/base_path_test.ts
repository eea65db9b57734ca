import {
  BasePathHints,
  MAX_PREFIXES,
  parseBasePath,
  type PrefixHint,
  prefixSegments,
} from "../../src/map/base_path.ts";
import { compileRoutes, type RouteOptions } from "../../src/map/routes.ts";
import assert from "node:assert/strict";

function counted(hints: readonly (readonly PrefixHint[])[]): BasePathHints {
  const result = new BasePathHints();
  for (const hint of hints) result.add(hint);
  return result;
}

/** Returns the base path that a map suggests after these requests. */
function suggested(paths: readonly string[], urls: readonly string[], options: RouteOptions = {}) {
  const routes = compileRoutes(paths.map((path) => ({ method: "GET", path })), options);
  const hints = new BasePathHints();
  let matched = 0;
  for (const url of urls) {
    const match = routes.match("GET", url);
    if (match.kind === "operation") matched += 1;
    else hints.add(routes.suggestPrefixes("GET", match.path));
  }
  return hints.suggestion(matched, urls.length - matched);
}

Deno.test("a base path is suggested if most requests lack it", () => {
  const paths = ["/users", "/users/{id}", "/orders/{id}", "/{page}"];
  assert.equal(suggested(paths, ["/api/users", "/api/users/1", "/api/orders/2"]), "/api");
  assert.equal(suggested(paths, ["/api/users", "/api/users/1", "/nope/1"]), "/api");
  assert.equal(suggested(paths, ["/api/users", "/nope/1", "/nope/1/2"]), null);
  assert.equal(suggested(paths, ["/api/users", "/api/users/1", "/users", "/users"]), null);
  assert.equal(suggested(paths, ["/api/x", "/api/y", "/api/z"]), null);
  assert.equal(suggested(paths, []), null);
});

Deno.test("for a wrong base path, the one that would match is suggested", () => {
  const urls = ["http://localhost:3000/v2/users", "http://localhost:3000/v2/users/1"];
  const paths = ["/users", "/users/{id}"];
  assert.equal(suggested(paths, urls, { basePath: "/v1" }), "/v2");
  assert.equal(suggested(paths, urls, { basePath: "https://example.com/v2" }), "/v2");
  assert.equal(suggested(paths, ["/users", "/users/1"], { basePath: "/v1" }), "/");
});

Deno.test("a prefix that matches literals is suggested before one that needs templates", () => {
  assert.equal(suggested(["/{tenant}/users", "/users"], ["/api/v1/users"]), "/api/v1");
  assert.equal(suggested(["/v1/users", "/users"], ["/api/v1/users"]), "/api");
  assert.equal(suggested(["/v1/users/{id}", "/users/{id}"], ["/api/v1/users/1"]), "/api");
});

Deno.test("of equally good prefixes, the shorter one is suggested, then the first in the alphabet", () => {
  const hint = (prefix: string): PrefixHint => ({ prefix, templates: 0 });
  assert.equal(counted([[hint("/b/c"), hint("/d")]]).suggestion(0, 1), "/d");
  assert.equal(counted([[hint("/b"), hint("/a"), hint("/")]]).suggestion(0, 1), "/");
  assert.equal(counted([[hint("/b"), hint("/a")]]).suggestion(0, 1), "/a");
});

Deno.test("only the shortest prefixes are kept, up to the limit", () => {
  const hints = counted(
    Array.from({ length: 3000 }, (_, index) => [
      { prefix: `/a/${index}`, templates: 1 },
      { prefix: "/z", templates: 1 },
    ]),
  );
  assert.equal(hints.export().length, MAX_PREFIXES);
  assert.deepEqual(hints.export()[0], { prefix: "/z", requests: 3000, templates: 3000 });
  assert.equal(hints.suggestion(0, 3000), "/z");
});

Deno.test("the counts of a prefix never exceed the largest safe integer", () => {
  const hints = new BasePathHints();
  hints.add([{ prefix: "/a", templates: 2 }], Number.MAX_SAFE_INTEGER);
  assert.equal(hints.export()[0]?.templates, Number.MAX_SAFE_INTEGER);
});

Deno.test("prefixSegments() decodes the segments and ignores empty ones and dots", () => {
  assert.deepEqual(prefixSegments("/api/v1"), ["api", "v1"]);
  assert.deepEqual(prefixSegments("api//v%31/"), ["api", "v1"]);
  assert.deepEqual(prefixSegments("./a/../b"), ["b"]);
  assert.deepEqual(prefixSegments(""), []);
  assert.deepEqual(prefixSegments("//"), []);
});

Deno.test("a base path that is a full URL keeps its origin, without a default port", () => {
  assert.deepEqual(parseBasePath("HTTP://Me@Example.com:80/a/"), {
    origin: "http://example.com",
    segments: ["a"],
  });
  assert.deepEqual(parseBasePath("https://example.com:8443"), {
    origin: "https://example.com:8443",
    segments: [],
  });
  assert.deepEqual(parseBasePath("v1"), { origin: null, segments: ["v1"] });
});

Deno.test("an invalid base path is refused with a message that says why", () => {
  assert.throws(() => parseBasePath("localhost:8080/v1"), {
    name: "TypeError",
    message: 'Cannot use the base path "localhost:8080/v1": a host needs its scheme. ' +
      "Give a path such as /v1, or a full URL such as https://example.com/v1.",
  });
  assert.throws(() => parseBasePath("http://a:99999/"), /it is not a valid URL/);
  assert.throws(() => parseBasePath("/v1?x=1"), /it has a query or a fragment/);
});
