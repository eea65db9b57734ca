// Tests mutually recursive schemas: what can pass and fail is a fixed point, found without exponential work.
import assert from "node:assert/strict";
import fc from "fast-check";
import { CoverageMap } from "../../mod.ts";
import { NaiveSchemas } from "./naive_schemas.ts";
import { shopApi } from "../shop_api.ts";

const NAMES = ["S0", "S1", "S2", "S3", "S4", "S5"];

function to(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

function describe(schemas: object, parameters: readonly object[] = []): Record<string, unknown> {
  const content = { "application/json": { schema: to("S0") } };
  return shopApi({ "/x": { post: { parameters, requestBody: { content }, responses: {} } } }, {
    openapi: "3.0.3",
    components: { schemas },
  });
}

const harmless = fc.constantFrom<object>({}, { minLength: 0 }, { nullable: true }, { enum: [] }, {
  not: {},
});
const leaves: fc.Arbitrary<object> = fc.oneof(
  { arbitrary: fc.constantFrom(...NAMES).map(to), weight: 6 },
  { arbitrary: fc.constantFrom(...NAMES).map((name) => ({ not: to(name) })), weight: 1 },
  { arbitrary: harmless, weight: 2 },
  { arbitrary: fc.constant<object>({ type: "string" }), weight: 1 },
);
const schemas: fc.Arbitrary<object> = fc.oneof(
  fc.dictionary(fc.constantFrom("a", "b", "c"), leaves, { minKeys: 1 }).map((properties) => ({
    properties,
  })),
  leaves.map((items) => ({ items })),
  leaves.map((additionalProperties) => ({ additionalProperties })),
  fc.tuple(
    fc.constantFrom("allOf", "anyOf", "oneOf"),
    fc.array(leaves, { minLength: 1, maxLength: 3 }),
  ).map(([keyword, members]) => ({ [keyword]: members })),
  harmless,
);

Deno.test("keywords of mutually recursive schemas have the outcomes of a fixed point", () => {
  let normal = 0;
  fc.assert(
    fc.property(fc.array(schemas, { minLength: 6, maxLength: 6 }), (list) => {
      const named = Object.fromEntries(NAMES.map((name, index) => [name, list[index]]));
      // No two schemas may be the same object, like in a file.
      const document = JSON.parse(JSON.stringify(describe(named)));
      const map = CoverageMap.fromDict(document);
      const counted = new NaiveSchemas(document).count(to("S0"));
      const { total } = map.statistic().keywords;
      assert.equal(total, counted.normal);
      normal += total;
      const listed = map.uncoveredKeywords();
      assert.equal(new Set(listed.map(({ schema_path }) => schema_path)).size, counted.listed);
      const isNormal = listed.filter(({ satisfiability }) => satisfiability === "Normal");
      assert.equal(isNormal.length, 2 * total);
    }),
    { numRuns: 2000 },
  );
  assert.ok(normal > 150, `only ${normal} keywords`);
});

Deno.test("a dozen schemas that all refer to each other are judged without trying every path", () => {
  const names = Array.from({ length: 12 }, (_, index) => `S${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, to(name)]));
  const dense = Object.fromEntries(names.map((name) => [name, { properties }]));
  const map = CoverageMap.fromDict(describe(dense, [
    { name: "q", in: "query", style: "deepObject", schema: to("S0") },
  ]));
  assert.equal(map.statistic().keywords.total, 0);
  map.record({ method: "POST", url: "/x?q[S1][S2][S3]=1" });
  assert.equal(map.statistic().parameters.seen, 1);
});

Deno.test("schemas that form chains of diamonds are judged once each", () => {
  const layers = 30;
  const diamonds = Object.fromEntries(
    Array.from({ length: layers }, (_, index) => [
      `S${index}`,
      { allOf: [to(`S${index + 1}`), to(`S${index + 1}`)] },
    ]),
  );
  const parameters = [{ name: "q", in: "query", schema: to("S0") }];
  const map = CoverageMap.fromDict(
    describe({ ...diamonds, [`S${layers}`]: { maxLength: 3 } }, parameters),
  );
  assert.equal(map.statistic().keywords.total, 2 * (layers + 1));
});

Deno.test("long chains of references are safe", () => {
  const links: ((next: object) => object)[] = [
    (next) => next,
    (next) => ({ allOf: [next] }),
    (next) => ({ anyOf: [next, { maxLength: 1 }] }),
    (next) => ({ not: next }),
    (next) => ({ items: next }),
  ];
  for (const link of links) {
    const length = 700;
    const row = Object.fromEntries(
      Array.from({ length }, (_, index) => [`S${index}`, link(to(`S${index + 1}`))]),
    );
    for (const last of [{ type: "integer" }, to("S0")]) {
      const parameters = [{ name: "q", in: "query", schema: to("S0") }];
      const map = CoverageMap.fromDict(describe({ ...row, [`S${length}`]: last }, parameters));
      const headers = { "content-type": "application/json" };
      map.record({ method: "POST", url: "/x?q=1", headers, body: "1" });
      assert.deepEqual(map.statistic().parameters, { seen: 2, total: 2 });
    }
  }
});
