import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { Tallies } from "../../src/map/tallies.ts";
import { MEDIA_TYPE_RULES } from "../../src/map/operation_hits.ts";
import { shopApi } from "../shop_api.ts";

function shop(): CoverageMap {
  const schema = { type: "object" };
  return CoverageMap.fromDict(shopApi({
    "/books": {
      get: { responses: {} },
      post: { requestBody: { content: { "application/json": { schema } } }, responses: {} },
    },
  }));
}

function post(map: CoverageMap, type: string | undefined, body: string, method = "POST"): void {
  const headers = type === undefined ? {} : { "content-type": type };
  map.record({ method, url: "/books", headers, body });
}

Deno.test("a body in an undocumented media type is counted, and the media type is named", () => {
  const map = shop();
  post(map, "application/json", "{}");
  post(map, "Application/XML; charset=utf-8", "<a/>");
  post(map, "application/xml", "<b/>");
  post(map, "text/plain", "hello", "GET");
  post(map, undefined, "{}", "GET");
  const other = shop();
  post(other, "application/xml", "<c/>");
  map.mergeHits(other.exportHits());
  const [get, set] = map.report().operations;
  assert.deepEqual(get?.undocumented_bodies, [
    { media_type: "", hits: 1 },
    { media_type: "text/plain", hits: 1 },
  ]);
  assert.deepEqual(set?.undocumented_bodies, [{ media_type: "application/xml", hits: 3 }]);
  assert.equal(set?.parameters[0]?.hits, 1);
  const text = map.generateTextReport({ width: 80, colored: false });
  assert.match(text, /Undocumented bodies: 3\n {4}POST \/books: 3 bodies of application\/xml/);
  assert.match(text, /GET \/books: 1 body without a media type was sent/);
  const markdown = map.generateReport({ format: "markdown" });
  assert.match(markdown, /Findings: 3 undocumented bodies/);
  assert.match(markdown, /- `POST \/books`: 3 bodies of application\/xml were sent/);
});

Deno.test("an operation whose bodies are all documented has no diagnostics about them", () => {
  const map = shop();
  post(map, "application/json", "{}");
  post(map, "application/json", "");
  assert.equal(map.report().operations[1]?.undocumented_bodies, undefined);
  assert.doesNotMatch(map.generateTextReport({ colored: false }), /undocumented media/);
});

Deno.test("of many undocumented media types, the same 50 are kept in any order", () => {
  const types = Array.from({ length: 300 }, (_, index) => `x/t${String(index).padStart(3, "0")}`);
  const collect = (list: readonly string[]): unknown => {
    const bodies = new Tallies(MEDIA_TYPE_RULES);
    const counted = { status: "", pointer: "", hits: 1, firstAt: Infinity, example: undefined };
    for (const mediaType of list) bodies.add({ ...counted, mediaType });
    return bodies.list();
  };
  assert.deepEqual(collect(types), collect(types.toReversed()));
  assert.equal((collect(types) as unknown[]).length, 50);
});

Deno.test("a secret in the media type of a request is masked in reports and hits", () => {
  const secret = `sk_live_${"a1B2".repeat(6)}`;
  const map = shop();
  post(map, `application/${secret}`, "x");
  map.record({ method: "GET", url: "/books" }, {
    status_code: 200,
    headers: { "Content-Type": `application/${secret}` },
    body: "x",
  });
  const shown = JSON.stringify([map.report(), map.findings(), map.exportHits()]).toLowerCase();
  assert.doesNotMatch(shown, /sk_live|a1b2/);
  assert.match(shown, /application\/aa_aaaa_a1a1/);
});

Deno.test("a form that Swagger 2.0 documents by its fields is documented", () => {
  const field = { name: "title", in: "formData", type: "string" };
  const map = CoverageMap.fromDict({
    swagger: "2.0",
    info: { title: "Shop", version: "1" },
    paths: { "/books": { post: { parameters: [field], responses: {} } } },
  });
  post(map, "application/x-www-form-urlencoded", "title=Momo");
  const [operation] = map.report().operations;
  assert.equal(operation?.parameters[0]?.hits, 1);
  assert.equal(operation?.undocumented_bodies, undefined);
  post(map, "application/json", "{}");
  assert.deepEqual(map.report().operations[0]?.undocumented_bodies, [
    { media_type: "application/json", hits: 1 },
  ]);
});
