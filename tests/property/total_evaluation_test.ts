import type { Json } from "../../src/values/json.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { CoverageMap } from "../../mod.ts";
import type { ReportParameter } from "../../src/entries/report.ts";
import { assertPossibleCounts } from "../corpus/impossible_counts.ts";
import { canonical, TYPES } from "./naive_classes.ts";
import { type Counts, naiveCount } from "./naive_count.ts";
import { NaiveSchemas } from "./naive_schemas.ts";
import { type DefinedSchema, draftSchemas, instances, type Schema } from "./schema_arbitrary.ts";
import { shopApi } from "../shop_api.ts";

const PLACE = "/components/schemas";
const UNEVALUATED = ["unevaluatedItems", "unevaluatedProperties"];
const BODY = "/paths/~1things/post/requestBody/content/application~1json/schema";

/** A limit for each type or none: most values are valid, so that they have classes. */
const { open } = fc.letrec<{ open: Schema }>((tie) => {
  const [least, most] = [fc.integer({ min: -1, max: 2 }), fc.integer({ min: 1, max: 4 })];
  const lengths = { minLength: least, maxLength: most, minItems: least, maxItems: most };
  const below = fc.oneof({ maxDepth: 2 }, fc.constant(true), tie("open"));
  const parts = { items: below, properties: fc.record({ a: below, b: below }) };
  const type = fc.subarray(TYPES, { minLength: 4 });
  return {
    open: fc.record({ type, minimum: least, maximum: most, ...lengths, ...parts }, {
      requiredKeys: [],
    }),
  };
});

/** Two paths to the same place. */
const twice = { allOf: [{ $ref: `#${PLACE}/open` }, { $ref: `#${PLACE}/open` }] };
const cases = fc.tuple(
  fc.oneof(
    { arbitrary: draftSchemas("2020-12", PLACE, UNEVALUATED), weight: 5 },
    {
      arbitrary: open.map((open): DefinedSchema => ({ schema: twice, definitions: { open } })),
      weight: 3,
    },
  ),
  fc.array(instances, { minLength: 4, maxLength: 8 }),
);

function newMap({ schema, definitions }: DefinedSchema): CoverageMap {
  return CoverageMap.fromDict(shopApi({
    "/things": {
      post: { requestBody: { content: { "application/json": { schema } } }, responses: {} },
    },
  }, { components: { schemas: definitions } }));
}

function recordAll(map: CoverageMap, values: readonly Json[]): ReportParameter {
  for (const value of values) {
    map.record({
      method: "POST",
      url: "/things",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(value),
    });
  }
  const report = map.report();
  assertPossibleCounts(report);
  const parameter = report.operations[0]?.parameters[0];
  assert.ok(parameter);
  return parameter;
}

Deno.test("every keyword and class counts every instance that it applies to, independently of others", () => {
  let [counted, positive, negative, classified] = [0, 0, 0, 0];
  fc.assert(
    fc.property(cases, ([defined, values]) => {
      const counts: Counts = new Map();
      const classes = new Map<string, number>();
      for (const value of values) {
        const { definitions } = defined;
        const scope = { place: PLACE, definitions, counts, counted: new Set<string>(), classes };
        naiveCount(defined.schema, value, BODY, scope);
      }
      const { keywords, keyword_total, values: listed = [] } = recordAll(newMap(defined), values);
      const normal = keywords.filter(({ satisfiability }) => satisfiability === "Normal");
      assert.equal(keyword_total, normal.length);
      const found = keywords.filter(({ valid, invalid }) => valid + invalid > 0)
        .map(({ schema_path, valid, invalid }) => [schema_path, { valid, invalid }] as const);
      assert.deepEqual(new Map(found), counts);
      counted += found.length;
      const seen = listed.filter(({ hits }) => hits > 0).map((one) =>
        [`${one.schema_path} ${one.class} ${canonical(one.value)}`, one.hits] as const
      );
      const { schema, definitions } = JSON.parse(JSON.stringify(defined));
      const naive = new NaiveSchemas({ components: { schemas: definitions } });
      const places = new Set(naive.classes(schema, BODY).map((line) => line.split(" at ")[0]));
      const expected = [...classes].filter(([key]) => places.has(key));
      assert.deepEqual(new Map(seen), new Map(expected));
      classified += seen.length;
      // recordAll() checks that those that can't fail never did, and those that can't pass never passed.
      positive += keywords.filter((one) =>
        one.satisfiability === "Positive" && one.valid > 0
      ).length;
      negative += keywords.filter((one) => one.satisfiability === "Negative" && one.invalid > 0)
        .length;
    }),
    { numRuns: 800 },
  );
  assert.ok(counted > 3_000, `only ${counted} keywords counted`);
  assert.ok(classified > 1_000, `only ${classified} classes counted`);
  assert.ok(positive > 50 && negative > 10, `${positive} Positive, ${negative} Negative`);
});
