import assert from "node:assert/strict";
import { CoverageMap, type HttpRequest } from "../../mod.ts";
import type { ReportParameter } from "../../src/entries/report.ts";

type Schema = Readonly<Record<string, unknown>>;

function newMap(operation: Schema, version: "2.0" | "3.1.0" = "3.1.0"): CoverageMap {
  const document = version === "2.0" ? { swagger: version } : { openapi: version };
  return CoverageMap.fromDict({ ...document, info: {}, paths: { "/t": { post: operation } } });
}

function mapOfContent(content: Readonly<Record<string, Schema>>): CoverageMap {
  const media = Object.entries(content).map(([type, schema]) => [type, { schema }]);
  return newMap({ requestBody: { content: Object.fromEntries(media) } });
}

/** A map of an operation with the only body that Swagger 2.0 allows. */
function mapOfConsumes(consumes: readonly string[], schema: Schema): CoverageMap {
  return newMap({ consumes, parameters: [{ name: "b", in: "body", schema }] }, "2.0");
}

function send(map: CoverageMap, body: HttpRequest["body"], type?: string): void {
  const headers = type === undefined ? {} : { "content-type": type };
  map.record({ method: "POST", url: "/t?p=%5B5%5D", headers, body });
}

function readParameters(map: CoverageMap): readonly ReportParameter[] {
  return map.report().operations[0]?.parameters ?? [];
}

/** Satisfiability and counts of each keyword, by its pointer after `schema`. */
function keywordCounts(map: CoverageMap): Readonly<Record<string, readonly unknown[]>> {
  const keywords = readParameters(map).flatMap((parameter) => parameter.keywords);
  return Object.fromEntries(
    keywords.map(({ schema_path, satisfiability, valid, invalid }) => [
      schema_path.slice(schema_path.indexOf("/schema/") + "/schema/".length),
      [satisfiability, valid, invalid],
    ]),
  );
}

const OBJECT = { type: "object", properties: { a: { type: "integer" } } };

for (const type of ["text/json", "text/x+json", "image/svg+json", "Text/JSON; charset=utf-8"]) {
  Deno.test(`a body of ${type} is JSON`, () => {
    const map = mapOfContent({ [type]: OBJECT });
    send(map, '{"a":"x"}', type);
    assert.deepEqual(keywordCounts(map), {
      type: ["Normal", 1, 0],
      properties: ["Normal", 0, 1],
      "properties/a/type": ["Normal", 0, 1],
    });
    send(map, "{", type);
    assert.equal(readParameters(map)[0]?.malformed, 1);
  });
}

Deno.test("text/json is JSON in the content of a parameter and in a part of a form", () => {
  const list = { type: "array", items: { type: "integer" } };
  const map = newMap({
    parameters: [{ name: "p", in: "query", content: { "text/json": { schema: list } } }],
  });
  send(map, undefined);
  assert.deepEqual(keywordCounts(map)["items/type"], ["Normal", 1, 0]);

  const form = mapOfContent({ "multipart/form-data": { properties: { a: list } } });
  const head = 'Content-Disposition: form-data; name="a"\r\nContent-Type: text/json';
  send(form, `--B\r\n${head}\r\n\r\n[5,6]\r\n--B--`, "multipart/form-data; boundary=B");
  assert.deepEqual(keywordCounts(form)["properties/a/items/type"]?.slice(1), [2, 0]);
});

Deno.test("a documented text/* range includes JSON, so its bodies can be any JSON value", () => {
  const map = mapOfContent({ "text/*": { type: "string" } });
  send(map, "5", "text/json");
  send(map, "5", "text/plain");
  assert.deepEqual(keywordCounts(map), { type: ["Normal", 1, 1] });
});

Deno.test("a documented image/* range doesn't include JSON", () => {
  const map = mapOfContent({ "image/*": { type: "string" } });
  send(map, "5", "image/svg+json");
  send(map, "5");
  assert.deepEqual(keywordCounts(map), { type: ["Positive", 2, 0] });
});

Deno.test("a Swagger 2.0 body can be sent in every media type of consumes", () => {
  const schema = OBJECT;
  const map = mapOfConsumes(["text/plain", "application/x-www-form-urlencoded"], schema);
  send(map, "a=5", "application/x-www-form-urlencoded");
  send(map, "a=5", "text/plain");
  assert.deepEqual(keywordCounts(map), {
    type: ["Normal", 1, 1],
    properties: ["Normal", 1, 0],
    "properties/a/type": ["Normal", 1, 0],
  });
  const text = mapOfConsumes(["text/plain", "application/xml"], { type: "string", minLength: 2 });
  send(text, "a", "text/plain");
  assert.deepEqual(keywordCounts(text), { type: ["Positive", 1, 0], minLength: ["Normal", 0, 1] });
});

Deno.test("without a Content-Type, a JSON body hits no media type if JSON isn't documented", () => {
  const map = mapOfConsumes(["application/xml", "text/plain"], { type: "object" });
  send(map, "{}");
  assert.deepEqual(readParameters(map).map(({ hits }) => hits), [0]);
  const content = { "application/xml": {}, "text/plain": {} };
  const several = mapOfContent(content);
  send(several, "{}");
  assert.deepEqual(readParameters(several).map(({ hits }) => hits), [0, 0]);
});

Deno.test("without a Content-Type, a JSON body hits the documented JSON media type", () => {
  for (const json of ["application/json", "text/json", "application/vnd.a+json", "*/*"]) {
    const map = mapOfConsumes(["application/xml", json], { type: "object" });
    send(map, "{}");
    send(map, "<a/>");
    assert.deepEqual(readParameters(map).map(({ hits }) => hits), [1], json);
    const several = mapOfContent({ "application/xml": {}, [json]: {} });
    send(several, "{}");
    assert.deepEqual(readParameters(several).map(({ hits }) => hits), [0, 1], json);
  }
});

Deno.test("a body without a Content-Type isn't judged if several documented types are possible", () => {
  const xml = { "application/json": OBJECT, "text/csv": { type: "string" } };
  const found = (request: Partial<HttpRequest>) => {
    const map = mapOfContent(xml);
    const body = "a;b";
    const headers = { host: "localhost" };
    map.record({ method: "POST", url: "/t", headers, body, ...request }, { status_code: 400 });
    const kinds = map.findings().map(({ kind }) => kind);
    return kinds.filter((kind) => kind === "undocumented_body" || kind === "valid_request_refused");
  };
  assert.deepEqual(found({}), ["undocumented_body"]);
  assert.deepEqual(found({ headers: {} }), [], "the recording has no headers");
  assert.deepEqual(found({ body_truncated: true }), [], "the body is cut");
  const encoded = { "content-encoding": "gzip", host: "localhost" };
  assert.deepEqual(found({ headers: encoded, body: Uint8Array.of(1, 2) }), [], "it can't be read");
  const typed = { "content-type": "image/png" };
  assert.deepEqual(found({ headers: typed, body_truncated: true }), ["undocumented_body"]);
});

Deno.test("a nock recording without request headers has no undocumented bodies", () => {
  const map = mapOfContent({ "text/csv": { type: "string" }, "text/plain": { type: "string" } });
  map.cassette.recordFromDict([{
    scope: "http://localhost:80",
    method: "POST",
    path: "/t",
    body: "a;b",
    status: 400,
    response: "",
  }]);
  assert.deepEqual(map.findings().filter(({ kind }) => kind === "undocumented_body"), []);
});

Deno.test("a form without a Content-Type is read as the only documented media type", () => {
  const hits = (consumes: readonly string[] | undefined, body: string) => {
    const map = newMap({
      ...(consumes && { consumes }),
      parameters: [{ name: "n", in: "formData", type: "integer" }],
    }, "2.0");
    send(map, body);
    return [readParameters(map)[0]?.hits, ...map.findings().map(({ kind }) => kind)];
  };
  const form = "application/x-www-form-urlencoded";
  assert.deepEqual(hits([form], "n=1"), [1]);
  assert.deepEqual(hits(undefined, "n=1"), [1]);
  assert.deepEqual(hits([form, "multipart/form-data"], "n=1"), [0]);
  assert.deepEqual(hits(["text/plain"], "n=1"), [0]);
});
