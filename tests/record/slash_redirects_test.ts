import assert from "node:assert/strict";
import { CoverageMap, type HttpRequest, type HttpResponse } from "../../mod.ts";
import { shopApi } from "../shop_api.ts";

function newMap(path: string, responses: object = { 200: { description: "Books" } }): CoverageMap {
  const since = { name: "since", in: "query", schema: { type: "string", format: "date" } };
  return CoverageMap.fromDict(shopApi({ [path]: { get: { parameters: [since], responses } } }));
}

function request(url: string): HttpRequest {
  return { method: "GET", url, headers: { Accept: "*/*" } };
}

/** Kinds of the findings after one response. */
function found(path: string, url: string, response: HttpResponse): string[] {
  const map = newMap(path);
  map.record(request(url), response);
  return map.findings().map(({ kind }) => kind);
}

function redirect(Location: string, status_code = 307): HttpResponse {
  return { status_code, headers: { Location } };
}

Deno.test("a redirect is evidence for no rule, but 304 counts as accepted", () => {
  const accepted = (response: HttpResponse) => {
    const map = newMap("/books");
    map.record(request("/books?since=yesterday"), response);
    return map.findings().some(({ kind }) => kind === "keyword_not_enforced");
  };
  assert.ok(accepted({ status_code: 200 }) && accepted({ status_code: 304 }));
  for (const status of [300, 301, 302, 303, 307, 308]) {
    assert.ok(!accepted(redirect("/login", status)), String(status));
  }
});

Deno.test("a redirect that adds or removes a trailing slash is not an undocumented status", () => {
  const asked = "http://localhost:8000/books/?since=yesterday";
  for (
    const location of [
      "http://localhost:8000/books?since=yesterday",
      "/books?since=yesterday",
      "../books?since=yesterday",
      "https://shop.example/books?since=yesterday",
    ]
  ) {
    for (const status of [301, 302, 307, 308]) {
      assert.deepEqual(found("/books", asked, redirect(location, status)), [], location);
    }
  }
  assert.deepEqual(found("/books", "/books?since=a+b", redirect("/books/?since=a%20b")), []);
  assert.deepEqual(found("/books", "/b%6Foks", redirect("/books/")), []);
});

Deno.test("other redirects are undocumented statuses", () => {
  const asked = "http://localhost/books/?since=yesterday";
  for (const location of ["/login", "/books", "/books/?since=yesterday", "/books/1/", "http://["]) {
    assert.deepEqual(found("/books", asked, redirect(location)), ["undocumented_status"], location);
  }
  assert.deepEqual(found("/books", "/books/", redirect("/books", 304)), ["undocumented_status"]);
});

Deno.test("without a Location, a redirect is a slash redirect if the path differs by a slash", () => {
  const bare = { status_code: 307 };
  assert.deepEqual(found("/books", "/books/", bare), []);
  assert.deepEqual(found("/books/", "/books", { status_code: 301, headers: {} }), []);
  assert.deepEqual(found("/books", "/books", bare), ["undocumented_status"]);
  assert.deepEqual(found("/books/", "/books/?since=a/", bare), ["undocumented_status"]);
  const elsewhere = { status_code: 302, headers: { "Content-Length": "0" } };
  assert.deepEqual(found("/books", "/books/", elsewhere), ["undocumented_status"]);
});

Deno.test("one diagnostic counts all slash redirects, in any order and split", () => {
  const map = newMap("/books");
  const other = newMap("/books");
  map.record(request("/books/"), redirect("/books", 307));
  other.record(request("/books/"), redirect("/books", 301));
  other.record(request("/books"), { status_code: 200 });
  map.mergeHits(other.exportHits());
  const said = map.diagnostics().filter(({ code }) => code === "slash_redirect");
  assert.equal(said.length, 1);
  assert.match(said[0]?.message ?? "", /^2 requests .*\/books.* slash/);
  assert.deepEqual(other.diagnostics().map(({ code }) => code), ["slash_redirect"]);
  assert.deepEqual(newMap("/books").diagnostics(), []);
});

Deno.test("a slash redirect with a documented status is judged like any other response", () => {
  const json = { "application/json": { schema: { type: "object" } } };
  const html = {
    status_code: 301,
    headers: { Location: "/books", "Content-Type": "text/html" },
    body: "<a href=/books>Moved</a>",
  };
  const kinds = (responses: object) => {
    const map = newMap("/books", responses);
    map.record(request("/books/"), html);
    return map.findings().map(({ kind }) => kind);
  };
  assert.deepEqual(kinds({ default: { description: "An error", content: json } }), []);
  assert.deepEqual(kinds({ 301: { description: "Moved", content: json } }), [
    "undocumented_media_type",
  ]);
});
