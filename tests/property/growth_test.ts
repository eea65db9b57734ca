// Tests that work grows at most linearly with every dimension of descriptions and traffic, from any source.
import assert from "node:assert/strict";
import { CoverageMap, type HttpRequest, type HttpResponse } from "../../mod.ts";
import { generateMarkdownReport } from "../../src/report/markdown_report.ts";
import { generateTextReport } from "../../src/report/text_report.ts";
import { countedWork, workGrowth } from "../counted_work.ts";
import { RECURSIVE_SHAPES, type RecursiveShape } from "./recursive_shapes.ts";
import { shopApi } from "../shop_api.ts";

/** An input of one size. */
interface Input {
  readonly paths: object;
  readonly more?: object;
  readonly requests?: readonly HttpRequest[];
  readonly response?: HttpResponse;
  /** True if each request has its own test. */
  readonly tests?: boolean;
  /** Exclusions. */
  readonly exclude?: readonly string[];
  /** Number of times that the hits are merged. */
  readonly merged?: number;
}

/** Makes the input of a size. */
type Make = (size: number) => Input;

const JSON_HEADERS = { "Content-Type": "application/json" };
const list = <T>(size: number, make: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, index) => make(index));
const record = <T>(size: number, make: (index: number) => T): Record<string, T> =>
  Object.fromEntries(list(size, (index) => [`n${index}`, make(index)]));

const posting = (schema: object, mediaType = "application/json"): object => ({
  "/a": { post: { requestBody: { content: { [mediaType]: { schema } } }, responses: { 200: {} } } },
});
const getting = (parameters: readonly object[], path = "/a"): object => ({
  [path]: { get: { parameters, responses: { 200: {} } } },
});
const get = (url: string, headers = {}): HttpRequest => ({ method: "GET", url, headers });
const post = (value: unknown): HttpRequest => ({
  ...{ method: "POST", url: "/a", headers: JSON_HEADERS, body: JSON.stringify(value) },
});
const text = { type: "string" };
const unsentA = { properties: { a: { readOnly: true } } };
const query = (name: string, schema: object = text, more: object = {}): object => ({
  ...{ name, in: "query", schema },
  ...more,
});
/** Wraps something in itself this many times. */
const nested = <T>(depth: number, inner: T, wrap: (value: T, level: number) => T): T =>
  list(depth, (level) => level).reduce(wrap, inner);

/** A body with the first of several components, each made of the next; the last is different or refers to the first. */
const chain = (
  size: number,
  link: (next: object, index: number) => object,
  last?: object,
  more: object = {},
): Pick<Input, "paths" | "more"> => {
  const named = (index: number) => ({ $ref: `#/components/schemas/n${index}` });
  return {
    paths: posting(named(0)),
    more: {
      components: {
        schemas: {
          ...record(size, (i) => link(named(last === undefined ? (i + 1) % size : i + 1), i)),
          ...(last !== undefined && { [`n${size}`]: last }),
          ...more,
        },
      },
    },
  };
};

/** Deep values for schemas with several recursive paths, as requests and responses. */
const recursive = ({ schemas, wrap }: RecursiveShape, leaf: unknown): [10, Make] => [10, (size) => {
  const body = JSON.stringify(nested<unknown>(size, leaf, wrap));
  const content = { "application/json": { schema: { $ref: "#/components/schemas/N" } } };
  const responses = { default: { description: "", content } };
  return {
    paths: { "/a": { post: { requestBody: { content }, responses } } },
    more: { components: { schemas: structuredClone(schemas) } },
    requests: [post(JSON.parse(body))],
    response: { status_code: 422, headers: JSON_HEADERS, body },
  };
}];

/** Dimensions of the input by what grows, each with an initial size. */
const DIMENSIONS: Readonly<Record<string, readonly [least: number, make: Make]>> = {
  ...Object.fromEntries(
    Object.entries(RECURSIVE_SHAPES).flatMap(([name, shape]) => [
      [`levels of a recursive schema, by ${name}`, recursive(shape, 1)],
      [`levels of a recursive schema, by ${name}, to an empty object`, recursive(shape, {})],
    ]),
  ),
  "operations": [100, (size) => ({
    paths: Object.assign({}, ...list(size, (i) => getting([query("q")], `/p${i}`))),
    requests: list(size, (i) => get(`/p${i}?q=1`)),
  })],
  "parameters of an operation": [100, (size) => ({
    paths: getting(list(size, (i) => query(`n${i}`))),
    requests: [get(`/a?${list(size, (i) => `n${i}=1`).join("&")}`)],
  })],
  "nested schemas": [25, (size) => ({
    paths: posting(nested<object>(size, text, (value) => ({ properties: { a: value } }))),
    requests: [post(nested<unknown>(size, "x", (value) => ({ a: value })))],
  })],
  "alternatives": [100, (size) => ({
    paths: posting({ anyOf: list(size, (i) => ({ const: i })) }),
    requests: [post(size - 1), post(-1)],
  })],
  "alternatives that exclude each other": [100, (size) => ({
    paths: posting({ oneOf: list(size, (i) => ({ const: i })) }),
    requests: [post(size - 1), post(-1)],
  })],
  "schemas that apply together": [100, (size) => ({
    paths: posting({ allOf: list(size, (i) => ({ properties: { [`n${i}`]: text } })) }),
    requests: [post({ n0: "a" })],
  })],
  "nested alternatives": [10, (size) => ({
    paths: posting(
      nested<object>(size, text, (value) => ({ anyOf: [value, { type: "integer" }] })),
    ),
    requests: [post("a"), post(null)],
  })],
  "chain of references": [50, (size) => ({
    ...chain(size, (next) => next, text),
    requests: [post("a")],
  })],
  "chain of references, each beside other schemas": [50, (size) => ({
    ...chain(size, (next, i) => ({ allOf: [next], properties: { [`p${i}`]: text } }), {}),
    requests: [post(Object.fromEntries(list(size, (i) => [`p${i}`, "a"])))],
  })],
  "circle of references": [50, (size) => ({
    ...chain(size, (next) => ({ anyOf: [next, text] })),
    requests: [post("a"), post(1)],
  })],
  "chain of references to alternatives that are the same schema": [50, (size) => ({
    ...chain(
      size,
      (next) => ({ allOf: [next] }),
      { anyOf: list(2, () => ({ $ref: "#/components/schemas/end" })) },
      { end: text },
    ),
    requests: [post("a")],
  })],
  "chain of references to a schema with a property that is not sent": [50, (size) => ({
    ...chain(size, (next) => ({ required: ["a"], allOf: [next] }), unsentA),
    requests: [post({})],
  })],
  "chain of references to a schema that requires a property that is not sent": [50, (size) => ({
    ...chain(size, (next) => ({ allOf: [next, unsentA] }), { required: ["a", "b"] }),
    requests: [post({})],
  })],
  "circle of schemas with a property that is not sent": [50, (size) => ({
    ...chain(size, (next, i) => ({
      required: ["a"],
      anyOf: [next, unsentA],
      allOf: [i < size - 1 ? next : unsentA],
    })),
    requests: [post({})],
  })],
  "properties with chains of references to a readOnly schema": [50, (size) => ({
    ...chain(size, (next) => next, { readOnly: true }),
    paths: posting({ properties: record(size, (i) => ({ $ref: `#/components/schemas/n${i}` })) }),
    requests: [post({ n0: 1 })],
  })],
  "chain of negations": [50, (size) => ({
    ...chain(size, (next) => ({ properties: { a: { not: next } } }), text),
    requests: [post({ a: 1 })],
  })],
  "references to one schema": [100, (size) => ({
    paths: posting({ properties: record(size, () => ({ $ref: "#/components/schemas/a" })) }),
    more: { components: { schemas: { a: text } } },
    requests: [post(record(size, () => "a"))],
  })],
  "length of a pattern": [250, (size) => ({
    paths: posting({ type: "string", pattern: `^${"a?".repeat(size)}$` }),
    requests: [post("aaa")],
  })],
  "length of a text": [1000, (size) => ({
    paths: posting({ type: "string", minLength: 1, maxLength: 5, pattern: "a" }),
    requests: [post("a".repeat(size))],
  })],
  "length of a list": [250, (size) => ({
    paths: posting({ items: { type: "integer" }, uniqueItems: true, contains: { const: -1 } }),
    requests: [post(list(size, (i) => i))],
  })],
  "objects in a list of unique items": [250, (size) => ({
    paths: posting({ uniqueItems: true }),
    requests: [post(list(size, (i) => ({ a: i })))],
  })],
  "values of an enum": [250, (size) => ({
    paths: posting({ enum: list(size, (i) => `v${i}`) }),
    requests: list(size, (i) => post(`v${i}`)),
  })],
  "properties": [100, (size) => ({
    paths: posting({
      properties: record(size, () => text),
      required: Object.keys(record(size, () => 0)),
      additionalProperties: false,
    }),
    requests: [post(record(size, () => "a"))],
  })],
  "pairs of a query": [250, (size) => ({
    paths: getting([query("q", { type: "array", items: text })]),
    requests: [get(`/a?${list(size, (i) => `q=${i}`).join("&")}`)],
  })],
  "undocumented pairs of a query": [250, (size) => ({
    paths: getting([query("q")]),
    requests: [get(`/a?${list(size, (i) => `x${i}=${i}`).join("&")}`)],
  })],
  "object parameters of a query": [100, (size) => ({
    paths: getting(list(size, (i) => query(`n${i}`, { properties: { [`p${i}`]: text } }))),
    requests: [get("/a?p1=1")],
  })],
  "schemas that each declare a property of a query": [100, (size) => ({
    paths: getting([query("q", {
      ...{ type: "object", allOf: list(size, (i) => ({ properties: { [`p${i}`]: text } })) },
    })]),
    requests: [get("/a?p1=1")],
  })],
  "properties of an object in a query, and pairs": [100, (size) => ({
    paths: getting([query("q", { type: "object", properties: record(size, () => text) })]),
    requests: [get(`/a?${list(size, (i) => `n${i}=1`).join("&")}`)],
  })],
  "brackets": [250, (size) => ({
    paths: getting([query("q", { type: "object" }, { style: "deepObject", explode: true })]),
    requests: [get(`/a?${list(size, (i) => `q[n${i}]=1`).join("&")}`)],
  })],
  "brackets in one name": [250, (size) => ({
    paths: getting([query("q", { type: "object" }, { style: "deepObject", explode: true })]),
    requests: [get(`/a?q${"[a]".repeat(size)}=1`)],
  })],
  "headers": [250, (size) => ({
    paths: getting(list(size, (i) => ({ name: `n${i}`, in: "header", schema: text }))),
    requests: [get("/a", record(size, () => "1"))],
  })],
  "cookies": [100, (size) => ({
    paths: getting(list(size, (i) => ({ name: `n${i}`, in: "cookie", schema: text }))),
    requests: [get("/a", { Cookie: list(size, (i) => `n${i}=1`).join("; ") })],
  })],
  "parts of a multipart body": [100, (size) => ({
    paths: posting({ properties: record(size, () => text) }, "multipart/form-data"),
    requests: [{
      ...{ method: "POST", url: "/a" },
      headers: { "Content-Type": "multipart/form-data; boundary=b" },
      body: list(
        size,
        (i) => `--b\r\nContent-Disposition: form-data; name="n${i}"\r\n\r\n1\r\n`,
      ).join("") + "--b--\r\n",
    }],
  })],
  "templates of a path": [50, (size) => ({
    paths: getting(
      list(size, (i) => ({ name: `n${i}`, in: "path", required: true, schema: text })),
      list(size, (i) => `/{n${i}}`).join(""),
    ),
    requests: [get("/1".repeat(size))],
  })],
  "templates of a segment": [25, (size) => ({
    paths: getting(
      list(size, (i) => ({ name: `n${i}`, in: "path", required: true, schema: text })),
      `/${list(size, (i) => `{n${i}}`).join("-")}`,
    ),
    requests: [get(`/${list(size, () => "1").join("-")}`), get(`/${"1-".repeat(size - 1)}`)],
  })],
  "servers": [100, (size) => ({
    paths: getting([]),
    more: { servers: list(size, (i) => ({ url: `/s${i}` })) },
    requests: list(size, (i) => get(`/s${i}/a`)),
  })],
  "servers and operations": [50, (size) => ({
    paths: Object.assign({}, ...list(size, (i) => getting([], `/p${i}`))),
    more: { servers: list(size, (i) => ({ url: `/s${i}` })) },
  })],
  "servers, and operations with their own servers": [50, (size) => ({
    paths: Object.fromEntries(list(size, (i) => [`/p${i}`, {
      servers: [{ url: `/i${i}` }],
      get: { servers: [{ url: `/o${i}` }] },
    }])),
    more: { servers: list(size, (i) => ({ url: `/s${i}` })) },
  })],
  "values of a server's variable": [100, (size) => ({
    paths: getting([]),
    more: {
      servers: [{
        url: "/{v}",
        variables: { v: { default: "v0", enum: list(size, (i) => `v${i}`) } },
      }],
    },
    requests: [get(`/v${size - 1}/a`)],
  })],
  "variables of a server": [25, (size) => ({
    paths: getting([]),
    more: {
      servers: [{
        url: list(size, (i) => `/{n${i}}`).join(""),
        variables: record(size, () => ({ default: "a", enum: ["a", "b"] })),
      }],
    },
    requests: [get(`${"/b".repeat(size)}/a`)],
  })],
  "tags": [100, (size) => ({
    paths: { "/a": { get: { tags: list(size, (i) => `t${i}`), responses: { 200: {} } } } },
    more: { tags: list(size, (i) => ({ name: `t${i}` })) },
    requests: [get("/a")],
  })],
  "tests": [100, (size) => ({
    paths: getting([query("q")]),
    requests: list(size, () => get("/a?q=1")),
    tests: true,
  })],
  "exclusions": [50, (size) => ({
    // Exclusions are written by hand: each is compared with each operation.
    paths: Object.assign({}, ...list(10, (i) => getting([query("q")], `/p${i}`))),
    exclude: list(size, (i) => `GET /p${i}`),
    requests: list(10, (i) => get(`/p${i}?q=1`)),
  })],
  "exclusions by tag": [50, (size) => ({
    paths: { "/a": { get: { tags: ["t0"], responses: { 200: {} } } } },
    exclude: list(size, (i) => `tag:t${i}`),
    requests: [get("/a")],
  })],
  "merged hits": [20, (size) => ({
    paths: getting(list(20, (i) => query(`n${i}`))),
    requests: [get("/a?n1=1")],
    merged: size,
  })],
  "security schemes": [50, (size) => ({
    paths: {
      "/a": { get: { security: list(size, (i) => ({ [`n${i}`]: [] })), responses: { 200: {} } } },
    },
    more: {
      components: {
        securitySchemes: record(size, () => ({ type: "apiKey", in: "header", name: "X-Key" })),
      },
    },
    requests: [get("/a", { "X-Key": "1" }), get("/a")],
  })],
  "headers of a response": [50, (size) => ({
    paths: {
      "/a": { get: { responses: { 200: { headers: record(size, () => ({ schema: text })) } } } },
    },
    requests: [get("/a")],
    response: { status_code: 200, headers: record(size, () => "1") },
  })],
  "undocumented requests": [100, (size) => ({
    paths: getting([]),
    requests: list(size, (i) => get(`/x${i}`)),
  })],
  "length of a response's list": [250, (size) => ({
    paths: {
      "/a": {
        get: {
          responses: {
            200: { content: { "application/json": { schema: { items: { required: ["a"] } } } } },
          },
        },
      },
    },
    requests: [get("/a")],
    response: {
      ...{ status_code: 200, headers: JSON_HEADERS },
      body: JSON.stringify(list(size, (i) => ({ a: i }))),
    },
  })],
  "documented statuses": [50, (size) => ({
    paths: {
      "/a": { get: { responses: Object.fromEntries(list(size, (i) => [`${i + 100}`, {}])) } },
    },
    requests: [get("/a")],
  })],
  "media types of a body": [50, (size) => ({
    paths: {
      "/a": {
        post: {
          requestBody: {
            content: Object.fromEntries(
              list(size, (i) => [`application/n${i}+json`, { schema: text }]),
            ),
          },
          responses: {},
        },
      },
    },
    requests: list(size, (i) => ({
      ...{ method: "POST", url: "/a", body: '"a"' },
      headers: { "Content-Type": `application/n${i}+json` },
    })),
  })],
  "examples": [50, (size) => ({
    paths: getting([query("q", text, { examples: record(size, (i) => ({ value: `v${i}` })) })]),
    requests: list(size, (i) => get(`/a?q=v${i}`)),
  })],
};

for (const [what, [least, make]] of Object.entries(DIMENSIONS)) {
  Deno.test(`work grows at most linearly with the input: ${what}`, () => {
    const growth = workGrowth((size) => {
      const { paths, more, requests = [], response = { status_code: 200 }, ...others } = make(size);
      const { tests, exclude = [], merged = 0 } = others;
      const description = shopApi(paths, more);
      return () => {
        const map = CoverageMap.fromDict(description, { exclude });
        requests.forEach((request, index) => {
          map.record(request, response, undefined, tests === true ? `t${index}` : undefined);
        });
        const hits = merged === 0 ? undefined : map.exportHits();
        for (let count = 0; hits !== undefined && count < merged; count++) map.mergeHits(hits);
        map.generateReport({ format: "json" });
        // Without the next requests, whose work is limited and grows up to the limit.
        const report = map.report();
        generateTextReport(report, { width: 80 });
        generateMarkdownReport([{ name: undefined, report, input: {} }]);
      };
    }, least);
    // Work may grow a little faster than linearly, because of sorting.
    for (const factor of growth) assert.ok(factor < 2.4, `${growth}`);
  });
}

Deno.test("work grows at most linearly with the input: suggested requests", () => {
  const growth = workGrowth((size) => {
    const paths = Object.assign(
      {},
      ...list(size, (i) => getting([query("q", { minLength: 2 })], `/p${i}`)),
    );
    const map = CoverageMap.fromDict(shopApi(paths, { servers: [{ url: "http://localhost" }] }));
    return () => assert.ok(map.suggestRequests().requests.length >= size);
  }, 20);
  for (const factor of growth) assert.ok(factor < 2.4, `${growth}`);
});

Deno.test("work for the next requests in a report is limited, however large the schemas", () => {
  const work = (size: number): number => {
    const schema = { allOf: list(size, (i) => ({ properties: { [`n${i}`]: { maxLength: 3 } } })) };
    const description = shopApi(posting(schema));
    const map = CoverageMap.fromDict(description);
    const report = map.report();
    return countedWork(() => void map.nextRequests(report));
  };
  assert.ok(work(4000) < work(200), "a schema too large for it is left to covtool suggest");
});

Deno.test("many headers and cookies have the same values as few", () => {
  const names = list(60, (i) => `n${i}`);
  const map = CoverageMap.fromDict(shopApi(getting(
    ["header", "cookie"].flatMap((location) =>
      names.map((name, i) => ({ name, in: location, required: true, schema: { const: `v${i}` } }))
    ),
  )));
  const values = names.map((name, i): [string, string] => [name.toUpperCase(), `v${i}`]);
  const cookies = [...names, ...names].map((name, i) => `${name}=v${i}`).join("; ");
  map.record(get("/a", [...values, ["Cookie", cookies]]), { status_code: 200 });
  const [operation] = map.report().operations;
  assert.equal(operation?.parameters.length, 120);
  for (const { hits, keywords } of operation?.parameters ?? []) {
    assert.deepEqual([hits, keywords.map(({ valid }) => valid)], [1, [1]]);
  }
});
