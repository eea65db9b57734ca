import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";

function mapOf(parameter: object): CoverageMap {
  return CoverageMap.fromDict({
    openapi: "3.0.3",
    info: { title: "T", version: "1" },
    paths: { "/t": { get: { parameters: [{ name: "q", in: "query", ...parameter }] } } },
  });
}

function examplesOf(map: CoverageMap): string[] {
  return map.report().operations[0]?.parameters[0]?.examples.map(({ schema_path, hits }) =>
    `${schema_path.replace("/paths/~1t/get/parameters/0", "")} ${hits}`
  ) ?? [];
}

Deno.test("examples are listed in the description's order, before or after the schema's", () => {
  const schema = { type: "integer", default: 1, example: 2 };
  const behind = mapOf({ schema, example: 3 });
  const before = mapOf({ examples: { one: { value: 3 } }, schema });
  for (const map of [behind, before]) map.record({ method: "GET", url: "/t?q=3" });
  assert.deepEqual(examplesOf(behind), ["/schema/default 0", "/schema/example 0", "/example 1"]);
  assert.deepEqual(examplesOf(before), [
    "/examples/one/value 1",
    "/schema/default 0",
    "/schema/example 0",
  ]);
});

Deno.test("a number or boolean that documents a text is used by the text that it is written as", () => {
  const map = mapOf({ schema: { type: "string", default: true, example: 79001234567 } });
  for (const value of ["79001234567", "True", "7900123456.7"]) {
    map.record({ method: "GET", url: `/t?q=${value}` });
  }
  assert.deepEqual(examplesOf(map), ["/schema/default 0", "/schema/example 1"]);
  map.record({ method: "GET", url: "/t?q=true" });
  assert.deepEqual(examplesOf(map), ["/schema/default 1", "/schema/example 1"]);
});

Deno.test("a property is declared where the schema names it, and nowhere else", () => {
  const map = mapOf({
    style: "deepObject",
    explode: true,
    schema: {
      type: "object",
      properties: { name: { type: "string" } },
      additionalProperties: { type: "integer" },
    },
  });
  // Every object has it in Node.js and browsers, and in Deno none.
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
