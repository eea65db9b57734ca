import assert from "node:assert/strict";
import { compileRoutes, type RouteOptions, type Routes } from "../../src/map/routes.ts";
import { routeRequest } from "../../src/record/route_request.ts";

/** The routes of an API with GET operations at these paths. */
function api(options: RouteOptions, ...paths: readonly string[]): Routes {
  return compileRoutes(paths.map((path) => ({ method: "GET", path })), options);
}

function get(apis: readonly Routes[], url: string): readonly number[] {
  return routeRequest(apis, "GET", url);
}

Deno.test("routeRequest() decides by host first, then by base path", () => {
  const books = api({ hosts: ["books.example"] }, "/items");
  const shop = api({ basePath: "/items" }, "/");
  assert.deepEqual(get([shop, books], "https://books.example/items"), [1]);
  assert.deepEqual(get([shop, books], "https://shop.example/items/"), [0]);
});

Deno.test("routeRequest() prefers a host with a port to a host, and a host to a pattern", () => {
  const pattern = api({ hosts: ["*.example"] }, "/a");
  const host = api({ hosts: ["api.example"] }, "/a");
  const port = api({ hosts: ["api.example:8080"] }, "/a");
  const apis = [pattern, host, port];
  assert.deepEqual(get(apis, "http://api.example:8080/a"), [2]);
  assert.deepEqual(get(apis, "http://api.example:9090/a"), [1]);
  assert.deepEqual(get(apis, "http://www.example/a"), [0]);
});

Deno.test("routeRequest() prefers the pattern with more literal text", () => {
  const wide = api({ hosts: ["*.example"] }, "/a");
  const narrow = api({ hosts: ["*.api.example"] }, "/a");
  for (const apis of [[wide, narrow], [narrow, wide]]) {
    assert.deepEqual(get(apis, "http://eu.api.example/a"), [apis.indexOf(narrow)]);
    assert.deepEqual(get(apis, "http://eu.example/a"), [apis.indexOf(wide)]);
  }
});

Deno.test("routeRequest() ignores default ports", () => {
  const secure = api({ hosts: ["api.example:443"] }, "/a");
  const plain = api({ hosts: ["api.example:80"] }, "/a");
  assert.deepEqual(get([secure, plain], "https://api.example/a"), [0]);
  assert.deepEqual(get([secure, plain], "http://api.example/a"), [1]);
});

Deno.test("routeRequest() picks the API with the longest base path on one host", () => {
  const main = api({ basePath: "https://api.example/v1" }, "/{kind}/{id}");
  const admin = api({ basePath: "https://api.example/v1/admin" }, "/{id}");
  for (const apis of [[main, admin], [admin, main]]) {
    assert.deepEqual(get(apis, "https://api.example/v1/books/7"), [apis.indexOf(main)]);
    assert.deepEqual(get(apis, "https://api.example/v1/admin/7"), [apis.indexOf(admin)]);
  }
});

Deno.test("routeRequest() sends an undocumented request to the API with the longest base path", () => {
  const main = api({ basePath: "/v1" }, "/{kind}/{id}/{part}");
  const admin = api({ basePath: "/v1/admin" }, "/{id}");
  assert.deepEqual(get([main, admin], "http://localhost/v1/admin/7/rights"), [1]);
});

Deno.test("routeRequest() picks an API without servers if its paths include another API's base path", () => {
  const books = api({ basePaths: ["/v1"] }, "/books");
  const users = api({}, "/v1/users/{id}");
  assert.deepEqual(get([books, users], "http://localhost/v1/users/7"), [1]);
  assert.deepEqual(get([books, users], "http://localhost/v1/books"), [0]);
  assert.deepEqual(get([books, users], "http://localhost/v1/carts"), [0]);
});

Deno.test("routeRequest() prefers the API with the server's host, unless only another documents the request", () => {
  const books = api({ serverHosts: ["api.example"] }, "/items", "/books");
  const users = api({}, "/items", "/users");
  assert.deepEqual(get([users, books], "https://api.example/items"), [1]);
  assert.deepEqual(get([users, books], "https://api.example/users"), [0]);
  assert.deepEqual(get([users, books], "https://other.example/books"), [1]);
});

Deno.test("routeRequest() sends all requests to a host to the API that has this host", () => {
  const books = api({ hosts: ["books.example"] }, "/books");
  const users = api({}, "/users");
  assert.deepEqual(get([books, users], "https://books.example/users"), [0]);
  assert.deepEqual(get([books, users], "https://users.example/users"), [1]);
});

Deno.test("routeRequest() picks the API with fewer templates, or the first, if two document a request", () => {
  const pages = api({}, "/{page}", "/health");
  const books = api({}, "/books", "/health");
  assert.deepEqual(get([pages, books], "http://localhost/books"), [1]);
  assert.deepEqual(get([pages, books], "http://localhost/health"), [0]);
  assert.deepEqual(get([books, pages], "http://localhost/health"), [0]);
});

Deno.test("routeRequest() picks the API that documents the path with other methods", () => {
  const books = api({}, "/books");
  const users = api({}, "/users");
  assert.deepEqual(routeRequest([books, users], "DELETE", "http://localhost/users"), [1]);
});

Deno.test("routeRequest() returns all candidates for a request that belongs to no API", () => {
  const books = api({ basePath: "/books" }, "/{id}");
  const users = api({ basePath: "/users" }, "/{id}");
  const open = api({}, "/carts");
  assert.deepEqual(get([books, users], "http://localhost/carts"), [0, 1]);
  assert.deepEqual(get([books, users, open], "http://localhost/orders"), [2]);
  assert.deepEqual(get([books, users], "not a url"), [0, 1]);
});

Deno.test("routeRequest() excludes APIs that need a host if the request has none", () => {
  const books = api({ hosts: ["books.example"] }, "/items");
  const other = api({ basePath: "https://books.example" }, "/items");
  const open = api({}, "/items");
  assert.deepEqual(get([books, other, open], "/items"), [2]);
});
