import assert from "node:assert/strict";
import { CoverageMap, type HttpRequest, type InteractionDetails } from "../../mod.ts";
import { FULL_VISIBILITY } from "../../src/http/visibility.ts";
import { shopApi } from "../shop_api.ts";

function describe(genre: readonly string[], title = "T") {
  return {
    openapi: "3.1.0",
    info: { title, version: "1" },
    paths: {
      "/books": {
        get: {
          parameters: [
            { name: "genre", in: "query", schema: { enum: genre } },
            { name: "limit", in: "query", schema: { type: "integer", minimum: 1, default: 10 } },
          ],
        },
      },
    },
  };
}

const GENRES = ["novel", "poetry", "comic"];

function record(queries: readonly string[], values = true, schema = describe(GENRES)): CoverageMap {
  const map = CoverageMap.fromDict(schema, { values });
  for (const query of queries) {
    map.record({ method: "GET", url: `http://localhost/books?${query}` }, { status_code: 200 });
  }
  return map;
}

function hitsIn(map: CoverageMap): (readonly [unknown, number])[] {
  const [operation] = map.report().operations;
  return (operation?.parameters[0]?.values ?? []).map(({ value, hits }) => [value, hits]);
}

Deno.test("value classes are kept in hits, and those of several jobs add up", () => {
  const all = record(["genre=novel", "genre=poetry", "genre=novel&limit=1"]);
  const merged = record([]);
  merged.mergeHits(record(["genre=novel"]).exportHits());
  merged.mergeHits(record(["genre=poetry", "genre=novel&limit=1"]).exportHits());
  assert.deepEqual(merged.exportHits(), all.exportHits());
  assert.deepEqual(merged.report().summary.values, all.report().summary.values);
  assert.deepEqual(all.report().summary.values, {
    seen: 4,
    total: 6,
    percent: 400 / 6,
    measured: true,
  });
});

Deno.test("values are not measured if some of the hits were counted without values", () => {
  const counted = record(["genre=novel"]);
  counted.mergeHits(record(["genre=comic"], false).exportHits());
  const values = { seen: 0, total: 6, percent: null, measured: false };
  assert.deepEqual(counted.report().summary.values, values);
  assert.deepEqual(hitsIn(counted), []);
  assert.equal(counted.checkThresholds({ values: 1 })[0]?.actual, null);
  const merged = record(["genre=novel"]);
  merged.mergeHits(counted.exportHits());
  assert.deepEqual(merged.report().summary.values, values);
  const plain = record(["genre=comic"], false);
  plain.mergeHits(record(["genre=novel"]).exportHits());
  const expected = record(["genre=comic", "genre=novel"], false);
  assert.deepEqual(plain.exportHits(), expected.exportHits());
});

Deno.test("enum members that are in a changed description keep their counts", () => {
  const changed = record([], true, describe(["comic", "essay", "novel"]));
  changed.mergeHits(record(["genre=novel", "genre=poetry"]).exportHits(), { carry: true });
  assert.deepEqual(hitsIn(changed), [["comic", 0], ["essay", 0], ["novel", 1]]);
});

Deno.test("without values, the rest of the report is the same", () => {
  const queries = ["genre=novel", "genre=drama&limit=0", "limit=x"];
  const [counted, without] = [record(queries).report(), record(queries, false).report()];
  const strip = (text: string): unknown =>
    JSON.parse(
      text,
      (name, member) =>
        ["values", "value_total", "generated_at"].includes(name) ? undefined : member,
    );
  assert.deepEqual(strip(JSON.stringify(counted)), strip(JSON.stringify(without)));
  assert.equal(JSON.stringify(without).includes('"values"'), false);
});

Deno.test("a values threshold fails where no values were counted", () => {
  const counted = record(["genre=novel", "genre=poetry", "genre=novel&limit=1"]);
  assert.deepEqual(counted.checkThresholds({ values: 66 }), []);
  const [short] = counted.checkThresholds({ values: 67 });
  assert.equal(short?.dimension, "values");
  const [missing] = record(["genre=novel"], false).checkThresholds({ values: 1 });
  assert.equal(missing?.actual, null);
});

Deno.test("coverage level 5 includes the values in bodies if values are counted", () => {
  const schema = {
    properties: { lines: { items: { properties: { gift: { type: "boolean" } } } } },
  };
  const described = shopApi({
    "/a": { post: { requestBody: { content: { "application/json": { schema } } } } },
  });
  const valueCounts = (values: boolean, gifts: readonly boolean[]) => {
    const map = CoverageMap.fromDict(described, { values });
    map.record({
      method: "POST",
      url: "http://localhost/a",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ lines: gifts.map((gift) => ({ gift })) }),
    }, { status_code: 200 });
    const criterion = map.report().tcl_criteria?.find((one) =>
      one.criterion === "parameter_values"
    );
    return [criterion?.covered, criterion?.total];
  };
  assert.deepEqual(valueCounts(true, [true, true]), [1, 2]);
  assert.deepEqual(valueCounts(true, [true, false]), [2, 2]);
  assert.deepEqual(valueCounts(false, [true]), [0, 0]);
});

Deno.test("a default is left out only by requests whose recording shows the parameter", () => {
  const parameters = [{ name: "X-Mode", in: "header", schema: { default: "a" } }];
  const description = shopApi({ "/a": { get: { parameters } } });
  const map = CoverageMap.fromDict(description);
  const record = (headers: Record<string, string>, details?: InteractionDetails) => {
    const request = { method: "GET", url: "http://localhost/a", headers };
    map.record(request, undefined, undefined, undefined, details);
  };
  const leftOut = (of: CoverageMap) => of.report().operations[0]?.parameters[0]?.values?.[0]?.hits;
  record({ "x-mode": "b" });
  record({}, { visibility: { ...FULL_VISIBILITY, request_headers: "none" } });
  assert.equal(map.traffic().matched, 2);
  assert.equal(leftOut(map), 0);
  const merged = CoverageMap.fromDict(description);
  merged.mergeHits(map.exportHits());
  assert.equal(leftOut(merged), 0);
  record({ accept: "*/*" });
  assert.equal(leftOut(map), 1);
});

Deno.test("a form that can't be read leaves out no defaults", () => {
  const parameters = [{ name: "mode", in: "formData", type: "string", default: "a" }];
  const map = CoverageMap.fromDict({
    swagger: "2.0",
    info: { title: "T", version: "1" },
    consumes: ["application/x-www-form-urlencoded", "multipart/form-data"],
    paths: { "/a": { post: { parameters, responses: {} } } },
  });
  const record = (type: string, body: Pick<HttpRequest, "body" | "body_truncated">) =>
    map.record({ method: "POST", url: "/a", headers: { "Content-Type": type }, ...body });
  const leftOut = () => map.report().operations[0]?.parameters[0]?.values?.[0]?.hits;
  record("application/x-www-form-urlencoded", { body_truncated: true });
  record("multipart/form-data; boundary=b", { body: "--b" });
  map.record({ method: "POST", url: "/a", body: "other=b" }); // without a media type
  assert.equal(leftOut(), 0);
  record("application/x-www-form-urlencoded", { body: "other=b" });
  assert.equal(leftOut(), 1);
});

Deno.test("only a body in JSON has the value class of the empty text", () => {
  const textClasses = (consumes: readonly string[]) => {
    const map = CoverageMap.fromDict({
      swagger: "2.0",
      info: { title: "T", version: "1" },
      consumes,
      paths: {
        "/a": {
          post: { parameters: [{ name: "note", in: "body", schema: { type: "string" } }] },
        },
      },
    });
    const headers = { "Content-Type": consumes[0] ?? "" };
    map.record({ method: "POST", url: "/a", headers, body: '""' });
    return map.report().operations[0]?.parameters[0]?.values?.map((one) => one.class);
  };
  assert.deepEqual(textClasses(["application/json"]), ["empty", "between", "non_ascii"]);
  assert.deepEqual(textClasses(["text/plain"]), ["between", "non_ascii"]);
});

Deno.test("a text that can be a scalar is not a list of one item or none", () => {
  const itemClasses = (explode: boolean) => {
    const schema = { anyOf: [{ type: "array" }, { type: "boolean" }] };
    const parameters = [{ name: "p", in: "query", explode, schema }];
    const map = CoverageMap.fromDict(shopApi({ "/a": { get: { parameters } } }));
    for (const query of ["p=", "p=true", "p=x", explode ? "p=x&p=y" : "p=x,y"]) {
      map.record({ method: "GET", url: `/a?${query}` });
    }
    const values = map.report().operations[0]?.parameters[0]?.values;
    return values?.filter((one) => one.class.endsWith("_items") || one.class.endsWith("_item"))
      .map((one) => `${one.class} ${one.hits}`);
  };
  assert.deepEqual(itemClasses(true), ["several_items 1"]);
  assert.deepEqual(itemClasses(false), ["several_items 1"]);
});
