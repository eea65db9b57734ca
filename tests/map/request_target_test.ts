import assert from "node:assert/strict";
import fc from "fast-check";
import {
  createTargetReader,
  decodedSegment,
  rawOffsets,
  splitPath,
} from "../../src/map/request_target.ts";

function expected(text: string): { origin: string; host: string; path: string } | null {
  const pathOnly = text.startsWith("/");
  if (!URL.canParse(pathOnly ? `http://h${text}` : text)) return null;
  const url = new URL(pathOnly ? `http://h${text}` : text);
  if (!url.pathname.startsWith("/")) return null;
  return pathOnly
    ? { origin: "", host: "", path: url.pathname }
    : { origin: `${url.protocol}//${url.host}`, host: url.host, path: url.pathname };
}

function check(text: string): void {
  const target = createTargetReader()(text);
  const wanted = expected(text);
  if (target === null || wanted === null) {
    assert.deepEqual(target, wanted, text);
    return;
  }
  const { query, ...rest } = target;
  assert.deepEqual(rest, wanted, text);
  const url = new URL(`http://h/?${query}#`);
  const search = new URL(text.startsWith("/") ? `http://h${text}` : text).search;
  assert.equal(url.hash, "", text);
  assert.equal(url.search, search, text);
}

Deno.test("URLs are split as `new URL` splits them", () => {
  for (
    const text of [
      ...["https://example.com/users?limit=1#top", "https://example.com:443/users"],
      ...["https://example.com:8443/users", "http://example.com:80/users"],
      ...["http://example.com:443/users", "HTTPS://EXAMPLE.com/Users", "https://example.com"],
      ...["https://example.com?a=b", "https://example.com#top", "https://example.com/#a?b"],
      ...["https://me:secret@example.com/users", "https://me@example.com@example.org/"],
      ...["http://[::1]:8080/users", "http://[::1/users", "http://127.1/users"],
      ...["http://localhost:99999/users", "http://münchen.example/straße?q=ü"],
      ...["http://api_server:8080/a/./b/../c", "http://a/x/%2e%2E/y"],
      ...["http://a/.well-known/openapi", "http://a/...", "http://a/x/.."],
      ...["http://a/b c|d^e`f{g}\"h<i>'j", "http://a\\b\\c?d\\e", "http:/a/b", "http:///a/b"],
      ...["http:a", " http://a/b ", "http://a/b?c ", "http://a/b\tc?d\ne#f\n", "ht\ntp://a/b"],
      ...["ws://a:80/b", "file:///etc/hosts", "foo://bar/baz?x", "foo://bar\\baz/q"],
      ...["mailto:me@example.com", "localhost:8080/users", "users", "?a=b", "#top", "*", "", "/"],
      ...["//", "//users//1", "/users?a=http://b/c", "/users?u=://", "/users?a=b?c=d", "/users?"],
      ...["/a\\b", "users?u=http://a/b", "/é?é=è", "/%zz/%ff"],
    ]
  ) check(text);
});

Deno.test("arbitrary text is split as `new URL` splits it", () => {
  const piece = fc.constantFrom(
    ..."/.?#:@%\\ \t[]{}|^`'\"<>&=~é😀_-*!$();,+aZ09",
    "://",
    "http",
    "https://",
    "http://a",
    "%2e",
    "%2F",
    "..",
    "localhost",
    "127.0.0.1",
    ":80",
    ":443",
    "[::1]",
    "xn--",
    "\ud800",
  );
  const start = fc.constantFrom("", "/", "http://", "https://a", "http://localhost:8080/");
  fc.assert(
    fc.property(start, fc.array(piece, { maxLength: 8 }), (begin, pieces) => {
      check(begin + pieces.join(""));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("a path that begins with two slashes is a path without a host", () =>
  assert.deepEqual(createTargetReader()("//users/1?a=b"), {
    origin: "",
    host: "",
    path: "//users/1",
    query: "a=b",
  }));

Deno.test("the query isn't decoded or normalized", () => {
  const target = createTargetReader();
  assert.equal(target("http://a/b?q=ü&f={\"a\":'b'}|c")?.query, "q=ü&f={\"a\":'b'}|c");
  assert.equal(target("http://a/b?x=%2B+%zz#y")?.query, "x=%2B+%zz");
});

Deno.test("origins are cached correctly, however many there are", () => {
  const target = createTargetReader();
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 600; index++) {
      assert.equal(target(`http://Host-${index}:80/a`)?.host, `host-${index}`);
      assert.equal(target(`http://host-${index}:99999/a`), null);
    }
  }
});

Deno.test("a host that a recorder replaced is unknown, and the path is not", () => {
  const target = createTargetReader();
  for (
    const origin of [
      ...["https://<API_HOST>", "https://api.<AWS_REGION>.example.com:8443", "<BASE_URL>"],
      ...["http://localhost:<PORT>", "https://[REDACTED]", "FILTERED"],
    ]
  ) {
    const found = { origin: "", host: "", path: "/books/%C3%BC", query: "a=<B>" };
    assert.deepEqual(
      target(`${origin}/books/ü?a=<B>#top`),
      { ...found, query: "a=%3CB%3E" },
      origin,
    );
    assert.equal(target(`${origin}?a=1`)?.path, "/");
    assert.equal(target(origin)?.path, "/");
  }
  for (const text of ["https://<html>/a", "<b>/a", "https://[::g]/a", "https://a b/c", "books"]) {
    assert.equal(target(text), null, text);
  }
});

Deno.test("splitPath() keeps empty segments and reports a trailing slash", () => {
  const { raw, trailingSlash } = splitPath("/a//b/");
  assert.deepEqual([raw, trailingSlash], [["a", "", "b"], true]);
  assert.deepEqual(splitPath("/a").trailingSlash, false);
  assert.deepEqual(splitPath("/").raw, []);
});

Deno.test("decodedSegment() decodes escapes, keeps invalid ones, and is empty after the end", () => {
  const path = splitPath("/a%2Fb/100%/%C3%A9");
  const decoded = [0, 1, 2, 3].map((index) => decodedSegment(path, index));
  assert.deepEqual(decoded, ["a/b", "100%", "é", ""]);
});

Deno.test("rawOffsets() finds each unit of the decoded text in the raw text", () => {
  assert.deepEqual(rawOffsets("a%20b", "a b"), [0, 1, 4, 5]);
  assert.deepEqual(rawOffsets("%C3%A9!", "é!"), [0, 6, 7]);
  assert.deepEqual(rawOffsets("%F0%9F%93%9A", "📚"), [0, 0, 12]);
});
