// Tests that descriptions which nest too deeply are refused with a message, or cut with a diagnostic.
import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { DescriptionError } from "../../src/values/errors.ts";
import { parseDocument } from "../../src/openapi/parse_document.ts";
import { shopApi } from "../shop_api.ts";

function nested(open: string, close: string, levels: number): string {
  return open.repeat(levels) + "1" + close.repeat(levels);
}

const KINDS = [
  ["[", "]"],
  ['{"a":', "}"],
  ['{"allOf":[', "]}"],
  ["[\r\n", "\r\n]"],
  ["\n  [", "\n  ]"],
] as const;

Deno.test("a document with more than 1,000 levels is refused, in any syntax", () => {
  for (const levels of [1_100, 5_000, 100_000]) {
    for (const [open, close] of KINDS) {
      for (const text of [nested(open, close, levels), `x: ${nested("[", "]", levels)}`]) {
        assert.throws(() => parseDocument(text, "deep.json"), (error) => {
          assert.ok(error instanceof DescriptionError);
          assert.match(error.message, /nested more than 1000 levels deep/);
          return true;
        });
      }
    }
  }
  for (const [open, close] of KINDS) parseDocument(nested(open, close, 400), "deep.json");
});

Deno.test("an object with more than 1,000 levels is refused as a description", () => {
  for (const levels of [1_100, 3_000, 20_000]) {
    let schema: unknown = { type: "string" };
    for (let level = 0; level < levels; level++) schema = { items: schema };
    const description = { openapi: "3.1.0", components: { schemas: { schema } } };
    assert.throws(() => CoverageMap.fromDict(description), /nested more than 1000 levels deep/);
  }
});

/** A map of a description whose body has a schema with this name, and the report after one request. */
function recordAndReport(name: string, schema: object): readonly [CoverageMap, string] {
  const $ref = `#/components/schemas/${name}`;
  const map = CoverageMap.fromDict(shopApi({
    "/x": {
      post: {
        requestBody: { content: { "application/json": { schema: { $ref } } } },
        responses: {},
      },
    },
  }, { openapi: "3.0.3", components: { schemas: { [name]: schema } } }));
  const headers = { "Content-Type": "application/json" };
  map.record({ method: "POST", url: "/x", headers, body: "{}" });
  return [map, map.generateReport({ format: "json" })];
}

Deno.test("schemas whose pointers are too long accept anything, don't count, and have a diagnostic", () => {
  let deep: object = { type: "string" };
  for (let level = 0; level < 300; level++) deep = { properties: { [`level${level}`]: deep } };
  const names = Array.from({ length: 2_000 }, (_, index) => `p${index}`);
  const wide = { properties: Object.fromEntries(names.map((name) => [name, { maxLength: 1 }])) };
  const long = "n".repeat(50_000);
  for (
    const [name, schema, path] of [
      ["Deep", deep, /^\/components\/schemas\/Deep\/properties\/level299\/.{1700}/],
      [long, wide, /^\/components\/schemas$/],
      ["Name", { properties: { [long]: wide } }, /^\/components\/schemas\/Name$/],
    ] as const
  ) {
    const [map, report] = recordAndReport(name, schema);
    assert.ok(report.length < 1_000_000, `${report.length}`);
    const found = map.diagnostics().filter(({ code }) => code === "too_deep");
    assert.equal(found.length, 1);
    assert.match(found[0]?.schema_path ?? "", path);
    assert.match(found[0]?.message ?? "", /more than 2,000 characters/);
    assert.equal(
      map.uncoveredKeywords().filter(({ schema_path }) => schema_path.length > 2_100).length,
      0,
    );
  }
});

Deno.test("a schema whose pointer has a realistic length counts", () => {
  let schema: object = { type: "string" };
  for (let level = 0; level < 33; level++) schema = { properties: { aNameThatIsLong: schema } };
  const [map] = recordAndReport("Real", schema);
  assert.deepEqual(map.diagnostics(), []);
  assert.equal(map.statistic().keywords.total, 34);
});
