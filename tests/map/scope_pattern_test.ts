import assert from "node:assert/strict";
import type { ParameterLocation } from "../../src/values/position.ts";
import { parseScopePattern } from "../../src/map/scope_pattern.ts";

const NOTHING = { tags: [], operationId: null, deprecated: false };

function matchesPath(pattern: string, method: string, path: string): boolean {
  return parseScopePattern(pattern).test({
    kind: "operation",
    model: { ...NOTHING, method, path },
  });
}

function matchesParameter(pattern: string, location: ParameterLocation, name: string): boolean {
  const model = { location, name, deprecated: false };
  return parseScopePattern(pattern).test({ kind: "parameter", model });
}

Deno.test("a star in a path stays within a segment", () => {
  assert.ok(matchesPath("GET /books/*", "GET", "/books/{id}"));
  assert.ok(!matchesPath("GET /books/*", "GET", "/books/{id}/reviews"));
  assert.ok(!matchesPath("GET /books/*", "GET", "/books"));
  assert.ok(matchesPath("/*/reviews", "PUT", "/books/reviews"));
});

Deno.test("two stars match any number of segments, also none at the end", () => {
  assert.ok(matchesPath("/books/**", "GET", "/books"));
  assert.ok(matchesPath("/books/**", "DELETE", "/books/{id}/reviews"));
  assert.ok(!matchesPath("/books/**", "GET", "/bookshelves"));
  assert.ok(matchesPath("/**/reviews", "GET", "/books/{id}/reviews"));
  assert.ok(matchesPath("/**", "GET", "/"));
});

Deno.test("a method matches in lowercase, and a star matches every method", () => {
  assert.ok(matchesPath("get /books", "GET", "/books"));
  assert.ok(!matchesPath("get /books", "POST", "/books"));
  assert.ok(matchesPath("* /books", "POST", "/books"));
});

Deno.test("the path in a tag or operationId is not a path pattern", () => {
  const model = { ...NOTHING, method: "GET", path: "/a", tags: ["Team /a"], operationId: "get /a" };
  for (const pattern of ["tag:Team /a", "operation:get /a"]) {
    assert.ok(parseScopePattern(pattern).test({ kind: "operation", model }), pattern);
  }
});

Deno.test("braces and dots in a path are literal", () => {
  assert.ok(matchesPath("/books/{id}.json", "GET", "/books/{id}.json"));
  assert.ok(!matchesPath("/books/{id}.json", "GET", "/books/{id}-json"));
});

Deno.test("a range of statuses includes every status in it", () => {
  const names = ["500", "503", "5XX", "404", "default"];
  const pattern = parseScopePattern("response:5XX");
  const matched = names.filter((name) => pattern.test({ kind: "response", name }));
  assert.deepEqual(matched, ["500", "503", "5XX"]);
});

Deno.test("a parameter pattern with a location matches only there", () => {
  assert.ok(matchesParameter("parameter:header:X-*", "header", "x-request-id"));
  assert.ok(!matchesParameter("parameter:header:X-*", "query", "X-id"));
  assert.ok(matchesParameter("parameter:filter:name", "query", "filter:name"));
});

Deno.test("only names of headers match case-insensitively", () => {
  assert.ok(matchesParameter("parameter:Limit", "header", "limit"));
  assert.ok(matchesParameter("parameter:Limit", "query", "Limit"));
  assert.ok(!matchesParameter("parameter:Limit", "query", "limit"));
  const isTagged = (tag: string) =>
    parseScopePattern("tag:Internal").test({
      kind: "operation",
      model: { ...NOTHING, method: "GET", path: "/", tags: [tag] },
    });
  assert.ok(isTagged("Internal") && !isTagged("internal"));
});

for (
  const [text, meant] of [
    ["reponse:5XX", "response:5XX"],
    ["tags:internal", "tag:internal"],
    ["GET books/*", "GET /books/*"],
    ["books/*", "/books/*"],
    ["depracated", "deprecated"],
    ["5xx", "response:5XX"],
  ] as const
) {
  Deno.test(`the message about ${text} suggests ${meant}`, () =>
    assert.throws(
      () => parseScopePattern(text),
      (error: Error) => {
        assert.ok(error.message.startsWith(`"${text}" is not a pattern. `), error.message);
        assert.ok(error.message.includes(`Did you mean ${meant}?`), error.message);
        return error instanceof TypeError;
      },
    ));
}

Deno.test("a pattern without a name or with an invalid status is an error", () => {
  assert.throws(() => parseScopePattern("tag:"), /nothing after the colon/);
  assert.throws(() => parseScopePattern("response:bad"), /names no response\. Use a status/);
  assert.throws(() => parseScopePattern(""), /"" is not a pattern\./);
});
