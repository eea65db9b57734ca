import assert from "node:assert/strict";
import { CoverageMap, type HttpResponse } from "../../mod.ts";
import type { Raw } from "../corpus/raw_description.ts";
import { shopApi } from "../shop_api.ts";

const OK = { 200: { description: "OK" } };

function operation(parameters: readonly string[] = [], responses: Raw = OK): Raw {
  return {
    parameters: parameters.map((name) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
    responses,
  };
}

const LIBRARY: Raw = shopApi({
  "/books": {
    get: operation(),
    post: {
      responses: {
        201: {
          description: "Created",
          links: {
            shelf: {
              operationId: "getShelf",
              parameters: { shelfId: "$response.body#/shelf/id" },
            },
            room: { $ref: "#/components/links/room" },
            author: {
              operationRef: "#/paths/~1users~1{username}/get",
              parameters: { username: "$request.body#/author" },
            },
          },
        },
      },
    },
  },
  "/books/{bookId}": {
    get: operation(["bookId"]),
    delete: operation(["bookId"], { 204: { description: "Gone" } }),
  },
  "/books/{bookId}/reviews": { get: operation(["bookId"]) },
  "/books/{bookId}/reviews/{review}": { get: operation(["bookId", "review"]) },
  "/shelves/{shelfId}": { get: { operationId: "getShelf", ...operation(["shelfId"]) } },
  "/rooms/{room}": { get: operation(["room"]) },
  "/users/{username}": { get: operation(["username"]) },
  "/users": { get: operation() },
}, {
  servers: [{ url: "http://localhost/v1" }],
  components: {
    links: {
      room: {
        operationRef: "#/paths/~1rooms~1{room}/get",
        parameters: { "path.room": "$response.header.X-Room" },
      },
    },
  },
});

function newMap(keepRequests: true | "newest" = "newest"): CoverageMap {
  return CoverageMap.fromDict(LIBRARY, { keepRequests });
}

function send(map: CoverageMap, line: string, response: HttpResponse): void {
  const [method = "", path = ""] = line.split(" ");
  map.record({ method, url: `http://localhost/v1${path}` }, response);
}

function json(value: unknown, status_code = 200): HttpResponse {
  return {
    status_code,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(value),
  };
}

/** The URL of the first suggested request for an operation. */
function suggested(map: CoverageMap, name: string): string {
  const { requests } = map.suggestRequests({ operations: [name], repeat: true });
  return new URL(requests[0]?.request.url ?? "").pathname;
}

Deno.test("the next requests use ids from a list", () => {
  const map = newMap();
  send(map, "GET /books", json([{ title: "A", bookId: 17 }, { bookId: 18 }]));
  assert.equal(suggested(map, "GET /books/{bookId}"), "/v1/books/17");
  assert.equal(suggested(map, "GET /books/{bookId}/reviews"), "/v1/books/17/reviews");
});

Deno.test("ids are found in a list inside an envelope, also if they are called id", () => {
  const map = newMap();
  send(map, "GET /books", json({ total: 2, items: [{ id: "b 1" }] }));
  assert.equal(suggested(map, "GET /books/{bookId}"), "/v1/books/b%201");
  send(map, "GET /users", json({ data: [{ id: 5, username: "ada" }] }));
  assert.equal(suggested(map, "GET /users/{username}"), "/v1/users/ada");
});

Deno.test("a created resource is found by its Location or its body", () => {
  const map = newMap();
  send(map, "POST /books", { status_code: 201, headers: { Location: "/v1/books/42" } });
  assert.equal(suggested(map, "GET /books/{bookId}"), "/v1/books/42");
  send(map, "POST /books", json({ id: 43 }, 201));
  assert.equal(suggested(map, "GET /books/{bookId}"), "/v1/books/43");
  send(map, "POST /books", { ...json({}, 201), body: '{"id": 9007199254740993}' });
  assert.equal(suggested(map, "GET /books/{bookId}"), "/v1/books/9007199254740993");
});

Deno.test("the id of a nested resource is used together with its parent's", () => {
  const map = newMap();
  send(map, "GET /books/7/reviews", json([{ id: "r3" }]));
  assert.equal(suggested(map, "GET /books/{bookId}/reviews/{review}"), "/v1/books/7/reviews/r3");
  assert.equal(suggested(map, "GET /books/{bookId}"), "/v1/books/7");
});

Deno.test("documented links are followed to other resources", () => {
  const map = newMap();
  const created = json({ id: 1, shelf: { id: "s/9" } }, 201);
  const headers = { "Content-Type": "application/json", "X-Room": "blue" };
  const request = { method: "POST", url: "http://localhost/v1/books", ...json({ author: "jane" }) };
  map.record(request, { ...created, headers });
  assert.equal(suggested(map, "GET /shelves/{shelfId}"), "/v1/shelves/s%2F9");
  assert.equal(suggested(map, "GET /rooms/{room}"), "/v1/rooms/blue");
  assert.equal(suggested(map, "GET /users/{username}"), "/v1/users/jane");
});

Deno.test("links of a response are used whichever operation documents them", () => {
  const links = {
    book: { operationId: "getBook", parameters: { bookId: "$response.body#/copy" } },
  };
  const linked = { responses: { 200: { description: "OK", links } } };
  const map = CoverageMap.fromDict({
    ...LIBRARY,
    openapi: "3.2.0",
    paths: {
      "/books/{bookId}": { get: { operationId: "getBook", ...operation(["bookId"]) } },
      "/copies": { additionalOperations: { COPY: linked } },
      "/loans": { $ref: "#/components/pathItems/loans" },
    },
    components: { pathItems: { loans: { post: linked } } },
  }, { keepRequests: "newest" });
  send(map, "COPY /copies", json({ copy: "c1" }));
  assert.equal(suggested(map, "GET /books/{bookId}"), "/v1/books/c1");
  send(map, "POST /loans", json({ copy: "c2" }));
  assert.equal(suggested(map, "GET /books/{bookId}"), "/v1/books/c2");
});

Deno.test("deleted resources are not requested again", () => {
  const map = newMap();
  send(map, "GET /books", json([{ bookId: 1 }, { bookId: 2 }]));
  send(map, "DELETE /books/1", { status_code: 204 });
  assert.equal(suggested(map, "GET /books/{bookId}"), "/v1/books/2");
  send(map, "GET /books/2", { status_code: 404 });
  assert.notEqual(suggested(map, "GET /books/{bookId}"), "/v1/books/2");
});

Deno.test("ids from a recording don't depend on its order", () => {
  const lists = [json([{ bookId: 30 }, { bookId: 4 }]), json([{ bookId: 5 }])];
  for (const order of [lists, lists.toReversed()]) {
    const map = newMap(true);
    for (const list of order) send(map, "GET /books", list);
    assert.equal(suggested(map, "GET /books/{bookId}"), "/v1/books/4");
  }
});

Deno.test("a value that looks like a secret isn't used as an id", () => {
  const map = newMap();
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2VjcmV0LXNpZ25hdHVyZQ";
  send(map, "GET /books", json([{ bookId: token }]));
  assert.doesNotMatch(suggested(map, "GET /books/{bookId}"), /eyJ/);
});

Deno.test("an id stays within its path segment, and is never a placeholder", () => {
  const leading = ["..", ".", "../admin", "a/../../b", "..\\x", "%2e%2e", "..%252Fx", "..;/x"];
  for (const id of [...leading, "a\r\nX: y"]) {
    const map = newMap();
    send(map, "GET /books", json([{ bookId: id }]));
    const location = { Location: `/v1/books/${encodeURIComponent(id)}` };
    send(map, "POST /books", { status_code: 201, headers: location });
    const path = decodeURIComponent(suggested(map, "GET /books/{bookId}"));
    assert.doesNotMatch(path, /\.\.|admin|X:/, id);
    assert.match(path, /^\/v1\/books\/[^/]+$/, id);
  }
  const map = newMap();
  send(map, "POST /books", { status_code: 201, headers: { Location: "/v1/books/$KEY" } });
  assert.equal(suggested(map, "GET /books/{bookId}"), "/v1/books/%24KEY");
  // Names with slashes and dots are ids too.
  send(map, "GET /books", json([{ bookId: "shop/emma.v2" }]));
  assert.equal(suggested(map, "GET /books/{bookId}"), "/v1/books/shop%2Femma.v2");
});

Deno.test("responses without ids change nothing", () => {
  const map = newMap();
  for (const body of ["", "{", "null", "[]", '"x"', "[null]", '{"a":[1]}', '[{"id":{}}]']) {
    const headers = { "Content-Type": "application/json" };
    send(map, "GET /books", { status_code: 200, headers, body });
  }
  send(map, "GET /books", { ...json([{ id: 9 }]), body_truncated: true });
  send(map, "GET /books", { ...json([{ id: 9 }]), status_code: 500 });
  send(map, "POST /books", { status_code: 201, headers: { Location: "http://[" } });
  assert.doesNotMatch(suggested(map, "GET /books/{bookId}"), /9|null/);
});
