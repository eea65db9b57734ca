import assert from "node:assert/strict";
import { decodedSegment, rawOffsets, splitPath } from "../../src/map/split_path.ts";

Deno.test("splitPath() keeps empty segments, and tells a slash at the end", () => {
  const { raw, trailingSlash } = splitPath("/a//b/");
  assert.deepEqual([raw, trailingSlash], [["a", "", "b"], true]);
  assert.deepEqual(splitPath("/a").trailingSlash, false);
  assert.deepEqual(splitPath("/").raw, []);
});

Deno.test("decodedSegment() decodes escapes, keeps those that are wrong, and is empty after the end", () => {
  const path = splitPath("/a%2Fb/100%/%C3%A9");
  const decoded = [0, 1, 2, 3].map((index) => decodedSegment(path, index));
  assert.deepEqual(decoded, ["a/b", "100%", "é", ""]);
});

Deno.test("rawOffsets() finds each unit of the decoded text in the raw text", () => {
  assert.deepEqual(rawOffsets("a%20b", "a b"), [0, 1, 4, 5]);
  assert.deepEqual(rawOffsets("%C3%A9!", "é!"), [0, 6, 7]);
  assert.deepEqual(rawOffsets("%F0%9F%93%9A", "📚"), [0, 0, 12]);
});
