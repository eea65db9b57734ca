import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { shopApi } from "../shop_api.ts";

function queryMap(parameter: object): CoverageMap {
  return CoverageMap.fromDict(
    shopApi({ "/t": { get: { parameters: [{ name: "q", in: "query", ...parameter }] } } }, {
      openapi: "3.0.3",
    }),
  );
}

function exampleHits(map: CoverageMap): string[] {
  return map.report().operations[0]?.parameters[0]?.examples.map(({ schema_path, hits }) =>
    `${schema_path.replace("/paths/~1t/get/parameters/0", "")} ${hits}`
  ) ?? [];
}

Deno.test("examples keep the description's order, before or after those of the schema", () => {
  const schema = { type: "integer", default: 1, example: 2 };
  const behind = queryMap({ schema, example: 3 });
  const before = queryMap({ examples: { one: { value: 3 } }, schema });
  for (const map of [behind, before]) map.record({ method: "GET", url: "/t?q=3" });
  assert.deepEqual(exampleHits(behind), ["/schema/default 0", "/schema/example 0", "/example 1"]);
  assert.deepEqual(exampleHits(before), [
    "/examples/one/value 1",
    "/schema/default 0",
    "/schema/example 0",
  ]);
});

Deno.test("a number or boolean as the example of a string is used when its text is sent", () => {
  const map = queryMap({ schema: { type: "string", default: true, example: 79001234567 } });
  for (const value of ["79001234567", "True", "7900123456.7"]) {
    map.record({ method: "GET", url: `/t?q=${value}` });
  }
  assert.deepEqual(exampleHits(map), ["/schema/default 0", "/schema/example 1"]);
  map.record({ method: "GET", url: "/t?q=true" });
  assert.deepEqual(exampleHits(map), ["/schema/default 1", "/schema/example 1"]);
});

Deno.test("an example of XML, JSON Lines or a form may be a document, and one of a form or line JSON", () => {
  const schema = {
    type: "object",
    properties: { a: { type: "integer" }, l: { type: "array", items: { type: "string" } } },
  };
  const documents = {
    "application/xml": ["<r><a>1</a><l>x</l><l>y</l></r>", "<r>"],
    "application/x-www-form-urlencoded": ["a=1&l=x&l=y", '{"a":1,"l":["x","y"]}'],
    "application/x-ndjson": ['{"a":1,"l":["x","y"]}\n{"a":2}\n', '{"a":1,"l":["x","y"]}'],
  };
  for (const [type, [value = "", other]] of Object.entries(documents)) {
    const content = { [type]: { schema, examples: { value: { value }, other: { value: other } } } };
    const map = CoverageMap.fromDict(shopApi({ "/t": { post: { requestBody: { content } } } }));
    const headers = { "Content-Type": type };
    map.record({ method: "POST", url: "/t", headers, body: value.replace("x", "z") });
    assert.equal(map.statistic().examples.seen, 0);
    map.record({ method: "POST", url: "/t", headers, body: value });
    assert.equal(map.statistic().examples.seen, other === "<r>" ? 1 : 2, type);
  }
});

Deno.test("only the properties that a schema names are declared, not those of Object.prototype", () => {
  const map = queryMap({
    style: "deepObject",
    explode: true,
    schema: {
      type: "object",
      properties: { name: { type: "string" } },
      additionalProperties: { type: "integer" },
    },
  });
  // Node.js and browsers define this property on every object; Deno removes it.
  Object.defineProperty(Object.prototype, "__proto__", {
    configurable: true,
    get: () => Object.prototype,
  });
  try {
    for (const name of ["__proto__", "constructor", "toString"]) {
      map.record({ method: "GET", url: `/t?q[${name}]=1` });
    }
  } finally {
    Reflect.deleteProperty(Object.prototype, "__proto__");
  }
  const keywords = map.report().operations[0]?.parameters[0]?.keywords ?? [];
  const type = keywords.find(({ schema_path }) => schema_path.endsWith("Properties/type"));
  assert.deepEqual([type?.valid, type?.invalid], [3, 0]);
});

/** Examples of a parameter with their counts after a query, and the diagnostics about the others. */
function sentExamples(parameter: object, query: string): [string[], string[]] {
  const map = queryMap(parameter);
  map.record({ method: "GET", url: `/t?${query}` });
  const examples = exampleHits(map);
  assert.equal(map.statistic().examples.total, examples.length);
  const said = map.diagnostics().filter(({ code }) => code === "unsendable_example");
  return [examples, said.map(({ severity, message }) => `${severity}: ${message}`)];
}

Deno.test("an example that no request can carry isn't counted, and is a diagnostic", () => {
  const say = (value: string) =>
    `info: No request can carry \`${value}\` in \`q\` (query), so this example is not counted.`;
  const schema = { type: "string", nullable: true, default: null, example: "null" };
  assert.deepEqual(sentExamples({ schema, example: null }, "q=null"), [
    ["/schema/example 1"],
    [say("null"), say("null")],
  ]);
  const list = { type: "array", items: { type: "string" }, default: [] };
  assert.deepEqual(sentExamples({ schema: list }, "q="), [[], [say("[]")]]);
  assert.deepEqual(sentExamples({ schema: list, explode: false }, "q="), [
    ["/schema/default 1"],
    [],
  ]);
  const mixed = { anyOf: [list, { type: "string" }], default: ["a"], example: ["a", "b"] };
  assert.deepEqual(sentExamples({ schema: { ...mixed }, explode: false }, "q=a,b"), [
    ["/schema/example 1"],
    [say('["a"]'), say("[]")],
  ]);
  const scalar = { type: "string", default: { a: 1 }, example: [1, 2] };
  assert.deepEqual(sentExamples({ schema: scalar, example: 1 }, "q=1"), [
    ["/example 1"],
    [say('{"a":1}'), say("[1,2]")],
  ]);
  const object = { type: "object", properties: { a: { type: "string" } }, default: {} };
  for (const style of ["form", "deepObject"]) {
    assert.deepEqual(sentExamples({ schema: object, style }, "a=1"), [[], [say("{}")]]);
  }
  assert.deepEqual(
    sentExamples({ schema: list, explode: false, example: ["a", null] }, "q=a,null"),
    [
      ["/schema/default 0"],
      [say('["a",null]')],
    ],
  );
  const nested = { schema: { ...object, default: { a: null } }, example: { a: "b" } };
  assert.deepEqual(sentExamples({ ...nested, style: "deepObject" }, "q[a]=b"), [
    ["/example 1"],
    [say('{"a":null}')],
  ]);
  const below = { type: "string", items: { default: "x" } };
  assert.deepEqual(sentExamples({ schema: below, example: "x" }, "q=x"), [
    ["/example 1"],
    [say('"x"')],
  ]);
});

Deno.test("examples beside one that can't be sent keep their own counts, also in hits", () => {
  const examples = { none: { value: null }, one: { value: 1 }, two: { value: 2 } };
  const map = queryMap({ schema: { type: "integer" }, examples });
  map.record({ method: "GET", url: "/t?q=2" });
  const merged = queryMap({ schema: { type: "integer" }, examples });
  merged.mergeHits(map.exportHits());
  for (const one of [map, merged]) {
    assert.deepEqual(exampleHits(one), ["/examples/one/value 0", "/examples/two/value 1"]);
  }
});

Deno.test("an example that only one of two parameters can carry counts for that parameter only", () => {
  const schema = { $ref: "#/components/schemas/L" };
  const map = CoverageMap.fromDict(shopApi({
    "/t": {
      post: {
        parameters: [{ name: "q", in: "query", schema }],
        requestBody: { content: { "application/json": { schema } } },
      },
    },
  }, { components: { schemas: { L: { type: "array", default: [] } } } }));
  const json = { "Content-Type": "application/json" };
  map.record({ method: "POST", url: "/t?q=", headers: json, body: "[]" });
  const counted = map.report().operations[0]?.parameters.map(({ examples }) => examples.length);
  assert.deepEqual(counted, [0, 1]);
});
