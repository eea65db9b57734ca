import assert from "node:assert/strict";
import { parseBasePath } from "../../src/map/base_path.ts";
import { PathPrefixes } from "../../src/map/path_prefixes.ts";
import { splitPath } from "../../src/map/split_path.ts";

Deno.test("the longest prefix comes first, and the empty one last", () => {
  const prefixes = new PathPrefixes(null, { basePaths: ["/api", "/api/v1/", "/other"] });
  assert.deepEqual(prefixes.depthsOf(splitPath("/api/v1/books")), [2, 1, 0]);
  assert.deepEqual(prefixes.depthsOf(splitPath("/api/v2")), [1, 0]);
  assert.deepEqual(prefixes.depthsOf(splitPath("/")), [0]);
});

Deno.test("the empty prefix comes first if it is asked for", () => {
  const prefixes = new PathPrefixes(null, { basePaths: ["/v1"], emptyPrefixFirst: true });
  assert.deepEqual(prefixes.depthsOf(splitPath("/v1/books")), [0, 1]);
});

Deno.test("a given base path is the only prefix", () => {
  const prefixes = new PathPrefixes(parseBasePath("/v2"), { basePaths: ["/v1"] });
  assert.deepEqual(prefixes.depthsOf(splitPath("/v2/books")), [1]);
  assert.deepEqual(prefixes.depthsOf(splitPath("/v1/books")), []);
});

Deno.test("prefixes are compared with decoded segments", () => {
  const prefixes = new PathPrefixes(null, { basePaths: ["/v%31"] });
  assert.deepEqual(prefixes.depthsOf(splitPath("/%761/books")), [1, 0]);
});
