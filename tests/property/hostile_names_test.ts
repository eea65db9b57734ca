// Tests that names with a meaning in JavaScript, pointers, URLs or headers are treated like any other.
import assert from "node:assert/strict";
import { CoverageMap, type HttpRequest } from "../../mod.ts";
import type { ReportParameter } from "../../src/entries/report.ts";
import { assertPossibleCounts } from "../corpus/impossible_counts.ts";
import { shopApi } from "../shop_api.ts";

const NAMES = [
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "prototype",
  "length",
  "then",
  "0",
  "-1",
  "a/b~c",
  "~1",
  "%2F",
  "a b",
  "a&b=c",
  "a+b",
  "#?",
  "$ref",
  "x-y",
  "naïve é 😀",
  "\u202eabc\u0000",
  "<script>alert(1)</script>",
  '"quoted\\"',
  "n".repeat(900),
];

/** A name that is too long for any schema's pointer: semantics.md, section 4, *Depth*. */
const TOO_LONG = "n".repeat(20_000);

/** Names that a header or a cookie can have. */
const TOKENS = [...NAMES, TOO_LONG].filter((name) => /^[\w$~.+-]+$/.test(name));

/** An object with one own property of any name. */
function named(name: string, value: unknown): Record<string, unknown> {
  return Object.fromEntries([[name, value]]);
}

const INTEGER = { type: "integer", minimum: 3 };

interface Documented {
  readonly path?: string;
  readonly operation: object;
  readonly components?: object;
}

function load({ path = "/things", operation, components = {} }: Documented): CoverageMap {
  return CoverageMap.fromDict(
    shopApi(named(path, { post: { responses: { 200: {} }, ...operation } }), { components }),
  );
}

/** Records the values 5 and 1. Returns the parameter that they hit, which must be the only one. */
function recordBoth(
  map: CoverageMap,
  request: (value: number) => Omit<HttpRequest, "method">,
): ReportParameter {
  for (const value of [5, 1]) {
    map.record({ method: "POST", ...request(value) }, { status_code: 200 });
  }
  assert.deepEqual(map.unmatched(), []);
  const report = map.report();
  assert.equal(report.summary.operations.seen, 1);
  assertPossibleCounts(report);
  assert.deepEqual(
    JSON.parse(map.generateReport({ format: "json" })).operations,
    report.operations,
  );
  for (const format of ["html", "text"] as const) {
    assert.ok(map.generateReport({ format }).length > 0);
  }
  const [parameter, ...others] = (report.operations[0]?.parameters ?? [])
    .filter(({ hits }) => hits > 0);
  assert.deepEqual(others, []);
  assert.ok(parameter, "the parameter is hit");
  return parameter;
}

/** Asserts that `minimum` was evaluated for 5 and for 1, with a pointer that leads to it. */
function assertCounted(parameter: ReportParameter, name: string): void {
  assert.equal(parameter.hits, 2);
  const minimum = parameter.keywords.filter(({ keyword }) => keyword === "minimum");
  assert.deepEqual(minimum.map(({ valid, invalid }) => [valid, invalid]), [[1, 1]], name);
}

function assertUntouched(): void {
  assert.deepEqual(Object.keys(Object.prototype), []);
  assert.equal(({} as Record<string, unknown>)["minimum"], undefined);
}

function short(name: string): string {
  return JSON.stringify(name.length > 30 ? `${name.slice(0, 10)}… of ${name.length}` : name);
}

type Sent = Omit<HttpRequest, "method">;

/** A way to send a value under a name. */
interface Way {
  readonly documented: (name: string) => Documented;
  /** Requests with the value in different notations. */
  readonly requests: readonly ((name: string, value: number) => Sent)[];
  readonly check?: (map: CoverageMap, parameter: ReportParameter, name: string) => void;
}

const JSON_HEADERS = { "Content-Type": "application/json" };
const FORM_HEADERS = { "Content-Type": "application/x-www-form-urlencoded" };
const body = (mediaType: string, schema: object): Documented => ({
  operation: { requestBody: { content: { [mediaType]: { schema } } } },
});
const objectWith = (name: string) => ({ type: "object", properties: named(name, INTEGER) });
const escape = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
/** The literal text of a path with a name, and the captured name if it can be one. */
const pathWith = (name: string) => {
  const isTemplate = !/[{}/?#]/.test(name);
  return {
    text: `/${isTemplate ? "" : "x"}${encodeURIComponent(name)}`,
    captured: isTemplate ? name : "id",
  };
};

/** Ways in which the name is part of the pointer of a schema or path. */
const POINTED: Readonly<Record<string, Way>> = {
  "in a deepObject": {
    documented: (name) => ({
      operation: {
        parameters: [{ name: "p", in: "query", style: "deepObject", schema: objectWith(name) }],
      },
    }),
    requests: [(name, value) => ({ url: `/things?p[${encodeURIComponent(name)}]=${value}` })],
  },
  "in JSON, with the name of a component": {
    documented: (name) => ({
      ...body("application/json", {
        $ref: `#/components/schemas/${encodeURIComponent(escape(name))}`,
      }),
      components: {
        schemas: named(name, {
          ...objectWith(name),
          required: [name],
          dependentRequired: named(name, [name]),
          additionalProperties: false,
        }),
      },
    }),
    requests: [(name, value) => ({
      ...{ url: "/things", headers: JSON_HEADERS, body: JSON.stringify(named(name, value)) },
    })],
    check(map, { keywords }, name) {
      const states = Object.fromEntries(keywords.map((found) => [found.keyword, found]));
      for (const keyword of ["required", "dependentRequired", "additionalProperties"]) {
        assert.deepEqual([states[keyword]?.valid, states[keyword]?.invalid], [2, 0], keyword);
      }
      assert.equal(
        states["minimum"]?.schema_path,
        `/components/schemas/${escape(name)}/properties/${escape(name)}/minimum`,
      );
      map.record({ method: "POST", url: "/things", headers: JSON_HEADERS, body: "{}" });
      const after = map.report().operations[0]?.parameters[0]?.keywords;
      assert.equal(after?.find(({ keyword }) => keyword === "required")?.invalid, 1);
    },
  },
  "in a form": {
    documented: (name) => body(FORM_HEADERS["Content-Type"], objectWith(name)),
    requests: [(name, value) => ({
      ...{ url: "/things", headers: FORM_HEADERS, body: `${encodeURIComponent(name)}=${value}` },
    })],
  },
  "of a path and its parameter": {
    documented(name) {
      const { text, captured } = pathWith(name);
      const parameter = { name: captured, in: "path", required: true, schema: INTEGER };
      return { path: `${text}/{${captured}}`, operation: { parameters: [parameter] } };
    },
    requests: [(name, value) => ({ url: `${pathWith(name).text}/${value}` })],
  },
};

const parameterIn = (location: string) => (name: string): Documented => ({
  operation: { parameters: [{ name, in: location, schema: INTEGER }] },
});
const inFields = (fields: (name: string, value: number) => [string, string][]): Way["requests"] => [
  (name, value) => ({ url: "/things", headers: fields(name, value) }),
  (name, value) => ({ url: "/things", headers: Object.fromEntries(fields(name, value)) }),
];
const WAYS: Readonly<Record<string, readonly [names: readonly string[], way: Way]>> = {
  ...Object.fromEntries(Object.entries(POINTED).map(([title, way]) => [title, [NAMES, way]])),
  "in a query": [[...NAMES, TOO_LONG], {
    documented: parameterIn("query"),
    requests: [(name, value) => ({ url: `/things?${encodeURIComponent(name)}=${value}` })],
  }],
  "of a header": [TOKENS, {
    documented: parameterIn("header"),
    requests: inFields((name, value) => [[name.toUpperCase(), String(value)]]),
  }],
  "of a cookie": [TOKENS, {
    documented: parameterIn("cookie"),
    requests: inFields((name, value) => [["Cookie", `other=1; ${name}=${value}`]]),
  }],
};

for (const [title, [names, { documented, requests, check }]] of Object.entries(WAYS)) {
  for (const name of names) {
    Deno.test(`${short(name)} is treated like any other name ${title}`, () => {
      for (const request of requests) {
        const map = load(documented(name));
        // A missing value must not be found in what all objects inherit.
        map.record({ method: "POST", url: "/things", headers: {} });
        assert.equal(map.statistic().parameters.seen, 0);
        const fresh = load(documented(name));
        const parameter = recordBoth(fresh, (value) => request(name, value));
        assertCounted(parameter, name);
        check?.(fresh, parameter, name);
      }
      assertUntouched();
    });
  }
}

Deno.test("a name too long for a schema's pointer is read, with a diagnostic that nothing counts there", () => {
  for (const [title, { documented, requests: [request] }] of Object.entries(POINTED)) {
    const isJson = title.startsWith("in JSON");
    const map = load(
      isJson ? body("application/json", objectWith(TOO_LONG)) : documented(TOO_LONG),
    );
    const parameter = recordBoth(map, (value) => request?.(TOO_LONG, value) ?? { url: "/" });
    assert.equal(parameter.hits, 2);
    assert.deepEqual(parameter.keywords.filter(({ keyword }) => keyword === "minimum"), []);
    assert.deepEqual(map.diagnostics().map(({ code }) => code), ["too_deep"]);
  }
});

Deno.test("names that every object inherits don't count as sent parameters, properties or templates", () => {
  const names = ["__proto__", "constructor", "hasOwnProperty", "toString"];
  const properties = Object.fromEntries(names.map((name) => [name, INTEGER]));
  const schema = { type: "object", properties, required: names };
  const map = load({
    operation: {
      parameters: names.map((name) => ({ name, in: "query", schema: INTEGER })),
      requestBody: { content: { "application/json": { schema } } },
    },
  });
  map.record({
    method: "POST",
    url: "/things",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  const { operations: [operation] } = map.report();
  const hits = operation?.parameters.filter(({ hits }) => hits > 0) ?? [];
  assert.deepEqual(hits.map(({ location }) => location), ["body"]);
  const counted = hits[0]?.keywords.filter(({ valid, invalid }) => valid + invalid > 0);
  assert.deepEqual(counted?.map(({ keyword, valid, invalid }) => [keyword, valid, invalid]), [
    ["type", 1, 0],
    ["required", 0, 1],
  ]);
});

Deno.test("responses, media types and methods may have names of object members", () => {
  const content = { ...named("__proto__", { schema: INTEGER }), constructor: { schema: INTEGER } };
  const map = load({ operation: { requestBody: { content }, responses: named("__proto__", {}) } });
  map.record(
    { method: "POST", url: "/things", headers: { "Content-Type": "constructor" }, body: "1" },
    { status_code: 200 },
  );
  map.record({ method: "constructor", url: "/things" });
  map.record({ method: "__proto__", url: "/__proto__" });
  const { operations: [operation], unmatched } = map.report();
  assert.deepEqual(operation?.parameters.map(({ parameter, hits }) => [parameter, hits]), [
    ["__proto__", 0],
    ["constructor", 1],
  ]);
  assert.deepEqual(operation?.undocumented_responses, [{ status_code: "200", hits: 1 }]);
  assert.equal(unmatched.length, 2);
  assertUntouched();
});

Deno.test("a description in JSON or YAML may have properties with names of object members", async () => {
  const folder = await Deno.makeTempDir();
  const content =
    `"content": {"application/json": {"schema": {"$ref": "#/components/schemas/__proto__"}}}`;
  const json = `{
    "openapi": "3.1.0", "info": {"title": "Names", "version": "1"},
    "paths": {"/things": {"post": {"requestBody": {${content}}, "responses": {}}}},
    "components": {"schemas": {"__proto__": {
      "properties": {"__proto__": {"minimum": 3}, "constructor": {"minimum": 3}}
    }}}
  }`;
  const yaml = `
openapi: 3.1.0
info: { title: Names, version: "1" }
paths:
  /things:
    post:
      requestBody: { ${content} }
      responses: {}
components:
  schemas:
    __proto__:
      properties:
        __proto__: { minimum: 3 }
        constructor: { minimum: 3 }
`;
  try {
    for (const [name, text] of [["names.json", json], ["names.yaml", yaml]] as const) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
      const map = await CoverageMap.fromPath(`${folder}/${name}`);
      assert.deepEqual(map.diagnostics(), [], name);
      map.record({
        method: "POST",
        url: "/things",
        headers: { "Content-Type": "application/json" },
        body: '{"__proto__": 1, "constructor": 5}',
      });
      const counted = map.report().operations[0]?.parameters[0]?.keywords ?? [];
      const counts = counted.map((
        { schema_path, valid, invalid },
      ) => [schema_path, valid, invalid]);
      const schema = "/components/schemas/__proto__/properties";
      assert.deepEqual(counts, [
        [schema, 0, 1],
        [`${schema}/__proto__/minimum`, 0, 1],
        [`${schema}/constructor/minimum`, 1, 0],
      ], name);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  assertUntouched();
});
