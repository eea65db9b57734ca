import assert from "node:assert/strict";
import { parseScopePattern } from "../../src/map/scope_pattern.ts";

function matchesPath(pattern: string, method: string, path: string): boolean {
  const parsed = parseScopePattern(pattern);
  assert.ok(parsed.kind === "path");
  return parsed.method(method) && parsed.path(path);
}

Deno.test("a star in a path stays within a segment", () => {
  assert.ok(matchesPath("GET /books/*", "GET", "/books/{id}"));
  assert.ok(!matchesPath("GET /books/*", "GET", "/books/{id}/reviews"));
  assert.ok(!matchesPath("GET /books/*", "GET", "/books"));
  assert.ok(matchesPath("/*/reviews", "PUT", "/books/reviews"));
});

Deno.test("two stars go through segments, and a path that ends in them is also its own beginning", () => {
  assert.ok(matchesPath("/books/**", "GET", "/books"));
  assert.ok(matchesPath("/books/**", "DELETE", "/books/{id}/reviews"));
  assert.ok(!matchesPath("/books/**", "GET", "/bookshelves"));
  assert.ok(matchesPath("/**/reviews", "GET", "/books/{id}/reviews"));
  assert.ok(matchesPath("/**", "GET", "/"));
});

Deno.test("a method is the same in small letters, and a star is any", () => {
  assert.ok(matchesPath("get /books", "GET", "/books"));
  assert.ok(!matchesPath("get /books", "POST", "/books"));
  assert.ok(matchesPath("* /books", "POST", "/books"));
});

Deno.test("braces and dots of a path are themselves", () => {
  assert.ok(matchesPath("/books/{id}.json", "GET", "/books/{id}.json"));
  assert.ok(!matchesPath("/books/{id}.json", "GET", "/books/{id}-json"));
});

Deno.test("a range of statuses is also every status in it", () => {
  const parsed = parseScopePattern("response:5XX");
  assert.ok(parsed.kind === "response");
  assert.deepEqual(["500", "503", "5XX", "404", "default"].filter(parsed.status), [
    "500",
    "503",
    "5XX",
  ]);
});

Deno.test("a parameter is meant in one location or in all", () => {
  const located = parseScopePattern("parameter:header:X-*");
  assert.ok(located.kind === "parameter");
  assert.equal(located.location, "header");
  assert.ok(located.header("x-request-id"));
  const everywhere = parseScopePattern("parameter:filter:name");
  assert.ok(everywhere.kind === "parameter");
  assert.equal(everywhere.location, undefined);
  assert.ok(everywhere.name("filter:name"));
});

Deno.test("only names of headers are the same in small letters", () => {
  const parameter = parseScopePattern("parameter:Limit");
  assert.ok(parameter.kind === "parameter");
  assert.ok(parameter.header("limit") && parameter.name("Limit"));
  assert.ok(!parameter.name("limit"));
  const tag = parseScopePattern("tag:Internal");
  assert.ok(tag.kind === "tag");
  assert.ok(tag.name("Internal") && !tag.name("internal"));
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
  Deno.test(`${text} is no pattern, and ${meant} may be meant`, () =>
    assert.throws(
      () => parseScopePattern(text),
      (error: Error) => {
        assert.ok(error.message.startsWith(`"${text}" is not a pattern. `), error.message);
        assert.ok(error.message.includes(`Did you mean ${meant}?`), error.message);
        return error instanceof TypeError;
      },
    ));
}

Deno.test("a pattern without a name and a response with an invalid status are errors", () => {
  assert.throws(() => parseScopePattern("tag:"), /nothing after the colon/);
  assert.throws(() => parseScopePattern("response:bad"), /names no response\. Use a status/);
  assert.throws(() => parseScopePattern(""), /"" is not a pattern\./);
});
