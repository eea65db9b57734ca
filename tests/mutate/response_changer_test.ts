import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import {
  type PassingResponse,
  type ReachedPart,
  ResponseChanger,
  responseFilter,
} from "../../src/mutate/response_changer.ts";
import { jsonContent, shopApi } from "../shop_api.ts";

const BOOK = {
  type: "object",
  properties: {
    id: { type: "integer" },
    title: { type: "string" },
    tags: { type: "array", items: { type: "string" } },
    author: { type: "object", properties: { name: { type: "string" } } },
    sequel: { $ref: "#/components/schemas/Book" },
    prices: {
      type: "object",
      properties: { EUR: { properties: { net: { type: "number" } } } },
      additionalProperties: { type: "object", properties: { net: { type: "number" } } },
    },
  },
};

const api = MeasuredApi.fromDict(shopApi({
  "/books": {
    get: {
      operationId: "listBooks",
      responses: {
        200: {
          description: "",
          headers: { "X-Total": { schema: { type: "integer" } } },
          ...jsonContent({ type: "array", items: { $ref: "#/components/schemas/Book" } }),
        },
        404: { description: "" },
      },
    },
    post: { responses: { 201: { description: "" }, 429: { description: "" } } },
  },
}, { components: { schemas: { Book: BOOK } } }));
const changer = new ResponseChanger(api.plan);
const REQUEST = { method: "GET", url: "http://localhost/books" };

function json(body: string, headers: PassingResponse["headers"] = []): PassingResponse {
  return {
    status: 200,
    headers: [["Content-Type", "application/json"], ...headers],
    body: new TextEncoder().encode(body),
  };
}

function names(parts: readonly ReachedPart[]): string[] {
  return parts.map(({ place: { part, path } }) => `${part} ${path}`.trim());
}

/** The response with one change, and how often it was made. */
function changed(response: PassingResponse, part: string, path: string, change: string) {
  const found = changer.listParts(REQUEST, response)
    .find(({ place }) => place.part === part && place.path === path);
  assert.ok(found, `no ${part} ${path}`);
  let made = 0;
  const result = changer.change(
    REQUEST,
    response,
    () => [{ place: found.place, change }],
    () => made++,
  );
  return { result, made, text: new TextDecoder().decode(result?.body) };
}

Deno.test("the parts of a response are its status, body, declared properties, lists and headers", () => {
  const book = { id: 1, tags: ["a"], author: { name: "E" }, sequel: { id: 2 }, more: 1 };
  const priced = { ...book, prices: { CHF: { net: 1 } }, tags: [] };
  const parts = changer.listParts(
    REQUEST,
    json(JSON.stringify([book, priced]), [["x-total", "2"]]),
  );
  assert.deepEqual(names(parts), [
    "status",
    "body",
    "property /*/id",
    "property /*/tags",
    "list /*/tags",
    "property /*/author",
    "property /*/author/name",
    "property /*/sequel",
    "property /*/sequel/id",
    "property /*/prices",
    "property /*/prices/*/net",
    "header X-Total",
  ]);
  const net = parts.find(({ place }) => place.path.endsWith("net"));
  assert.equal(
    net?.place.schema_path,
    "/components/schemas/Book/properties/prices/additionalProperties/properties/net",
  );
});

Deno.test("a part only has the changes that are possible", () => {
  const book = { id: null, tags: ["a"], author: {} };
  const listChanges = (body: unknown) => {
    const parts = changer.listParts(REQUEST, json(JSON.stringify(body), [["x-total", "2"]]));
    return new Map(parts.map(({ place: { part, path }, changes }) => [`${part} ${path}`, changes]));
  };
  const one = listChanges([book]);
  assert.deepEqual(one.get("status "), ["other_class", "neighbour"]);
  assert.deepEqual(one.get("body "), ["empty"]);
  assert.deepEqual(one.get("property /*/id"), ["removed", "other_type"]);
  assert.deepEqual(one.get("property /*/author"), ["removed", "null", "other_type"]);
  assert.deepEqual(one.get("list /*/tags"), ["emptied"]);
  assert.deepEqual(one.get("header X-Total"), ["removed", "other_value"]);
  // A change that is impossible in one item may be possible in another.
  const two = listChanges([book, { id: 7, tags: ["a", "b"] }]);
  assert.deepEqual(two.get("property /*/id"), ["removed", "other_type", "null", "other_value"]);
  assert.deepEqual(two.get("list /*/tags"), ["emptied", "item_less"]);
  assert.deepEqual(listChanges([]).get("body "), []);
});

Deno.test("a property is removed or set to null in all items, and nothing else changes", () => {
  const body = '[{"id": 12345678901234567890, "title": "a"}, {"title": "b", "id": 1.0}]';
  const { text, made } = changed(json(body), "property", "/*/title", "removed");
  assert.equal(text, '[{"id":12345678901234567890},{"id":1.0}]');
  assert.equal(made, 1);
  const none = changed(json(body), "property", "/*/id", "null");
  assert.equal(none.text, '[{"id":null,"title":"a"},{"title":"b","id":null}]');
});

Deno.test("a property of members that aren't declared isn't changed in declared ones", () => {
  const response = json('[{"prices":{"EUR":{"net":1},"CHF":{"net":2},"JPY":{"net":3}}}]');
  const { text } = changed(response, "property", "/*/prices/*/net", "removed");
  assert.equal(text, '[{"prices":{"EUR":{"net":1},"CHF":{},"JPY":{}}}]');
  const euro = changed(response, "property", "/*/prices/EUR/net", "removed");
  assert.equal(euro.text, '[{"prices":{"EUR":{},"CHF":{"net":2},"JPY":{"net":3}}}]');
});

Deno.test("a property gets another valid value or one of another type", () => {
  const value = (schema: object, now: unknown, change = "other_value"): unknown => {
    const content = { "application/json": { schema: { properties: { a: schema } } } };
    const { plan } = MeasuredApi.fromDict(
      shopApi({ "/a": { get: { responses: { 200: { description: "", content } } } } }),
    );
    const own = new ResponseChanger(plan);
    const request = { method: "GET", url: "http://localhost/a" };
    const response = json(JSON.stringify({ a: now }));
    const part = own.listParts(request, response).find(({ place }) => place.path === "/a");
    assert.ok(part);
    const one = { place: part.place, change };
    const changed = own.change(request, response, () => [one], () => {});
    return changed && JSON.parse(new TextDecoder().decode(changed.body)).a;
  };
  assert.equal(value({ type: "integer", maximum: 5 }, 5), 4);
  assert.equal(value({ type: "boolean" }, true), false);
  assert.equal(value({ enum: ["a", "b"] }, "a"), "b");
  assert.equal(value({ type: "string", format: "date" }, "2026-01-31"), "3026-01-31");
  assert.equal(value({ const: "only" }, "only"), undefined);
  assert.equal(value({ type: "string" }, "x", "other_type"), 1);
});

Deno.test("a number that JavaScript would write differently gets another value, too", () => {
  const response = json('[{"id": 9007199254740993, "prices": {"CHF": {"net": 1.50}}}]');
  const { text } = changed(response, "property", "/*/prices/*/net", "other_value");
  assert.equal(text, '[{"id":9007199254740993,"prices":{"CHF":{"net":2.5}}}]');
  const other = changed(response, "property", "/*/id", "other_value");
  assert.equal(other.text, '[{"id":9007199254740991,"prices":{"CHF":{"net":1.50}}}]');
});

Deno.test("a list is emptied, or loses an item if it has several", () => {
  const body = '[{"tags":["a","b"]},{"tags":["c"]}]';
  assert.equal(
    changed(json(body), "list", "/*/tags", "emptied").text,
    '[{"tags":[]},{"tags":[]}]',
  );
  assert.equal(
    changed(json(body), "list", "/*/tags", "item_less").text,
    '[{"tags":["a"]},{"tags":["c"]}]',
  );
  assert.equal(changed(json('[{"tags":["c"]}]'), "list", "/*/tags", "item_less").made, 0);
});

Deno.test("a body becomes the empty value of its type, and an empty one isn't changed", () => {
  assert.equal(changed(json('[{"id":1}]'), "body", "", "empty").text, "[]");
  assert.equal(changed(json('{"id":1}'), "body", "", "empty").text, "{}");
  const empty = changed(json("[]"), "body", "", "empty");
  assert.equal(empty.result, undefined);
  assert.equal(empty.made, 0);
});

Deno.test("a compressed body is changed, and headers about its bytes are removed", () => {
  const plain = json('[{"id":1,"title":"a"}]', [["content-encoding", "gzip"], ["ETag", '"1"']]);
  const zipped = { ...plain, body: new Uint8Array(gzipSync(plain.body)) };
  const { text, result } = changed(zipped, "property", "/*/title", "removed");
  assert.equal(text, '[{"id":1}]');
  assert.deepEqual(result?.headers, [["Content-Type", "application/json"]]);
});

Deno.test("a status becomes a documented one of the other class, or a neighbour", () => {
  const status = (change: string) => changed(json("[]"), "status", "", change).result?.status;
  assert.equal(status("other_class"), 404);
  assert.equal(status("neighbour"), 201);
  const created = { status: 201, headers: [], body: new Uint8Array() };
  const [part] = changer.listParts({ ...REQUEST, method: "POST" }, created);
  assert.ok(part);
  // Clients wait and retry after a documented 429.
  const result = changer.change(
    { ...REQUEST, method: "POST" },
    created,
    () => [{ place: part.place, change: "other_class" }],
    () => {},
  );
  assert.equal(result?.status, 500);
});

Deno.test("a header is removed or gets another value", () => {
  const response = json("[]", [["x-total", "2"], ["other", "1"]]);
  const value = (change: string) => {
    const { result } = changed(response, "header", "X-Total", change);
    return result?.headers.find(([name]) => name === "x-total")?.[1];
  };
  assert.equal(value("removed"), undefined);
  assert.equal(value("other_value"), "3");
});

Deno.test("parts that are undocumented, excluded or of another operation are not changed", () => {
  assert.deepEqual(
    changer.listParts({ ...REQUEST, url: "http://localhost/other" }, json("[]")),
    [],
  );
  assert.deepEqual(changer.listParts(REQUEST, { ...json("[]"), status: 500 }), []);
  assert.deepEqual(names(changer.listParts(REQUEST, { ...json('{"a":1}'), status: 404 })), [
    "status",
  ]);
  const wanted = responseFilter(api.plan, undefined, ["listBooks"]);
  const own = new ResponseChanger(api.plan, wanted);
  const created = { status: 201, headers: [], body: new Uint8Array() };
  assert.deepEqual(own.listParts({ ...REQUEST, method: "POST" }, created), []);
  assert.ok(own.listParts(REQUEST, json("[]")).length > 0);
  assert.throws(() => responseFilter(api.plan, undefined, ["listBook"]), /Did you mean/);
});
