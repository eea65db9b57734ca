import assert from "node:assert/strict";
import { parseBasePath, prefixSegments } from "../../src/map/base_path.ts";

Deno.test("a prefix is its decoded segments, however its slashes are written", () => {
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

Deno.test("a base path that cannot be one is refused with a sentence", () => {
  assert.throws(() => parseBasePath("localhost:8080/v1"), {
    name: "TypeError",
    message: 'Cannot use the base path "localhost:8080/v1": a host needs its scheme. ' +
      "Give a path such as /v1, or a full URL such as https://example.com/v1.",
  });
  assert.throws(() => parseBasePath("http://a:99999/"), /it is not a valid URL/);
  assert.throws(() => parseBasePath("/v1?x=1"), /it has a query or a fragment/);
});
