import type { Json } from "../../src/values/json.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { CoverageMap } from "../../mod.ts";
import type { ReportParameter } from "../../src/entries/report.ts";
import { assertPossibleCounts } from "../corpus/impossible_counts.ts";
import { type Counts, naiveCount } from "./naive_count.ts";
import { type DefinedSchema, instances, schemasOf } from "./schema_arbitrary.ts";
import { apiOf } from "../api_of.ts";

const PLACE = "/components/schemas";
const UNEVALUATED = ["unevaluatedItems", "unevaluatedProperties"];
const BODY = "/paths/~1things/post/requestBody/content/application~1json/schema";

const cases = fc.tuple(
  schemasOf("2020-12", PLACE, UNEVALUATED),
  fc.array(instances, { minLength: 4, maxLength: 8 }),
);

function mapOf({ schema, definitions }: DefinedSchema): CoverageMap {
  return CoverageMap.fromDict(apiOf({
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

Deno.test("every keyword counts every instance that it applies to, regardless of others", () => {
  let [counted, positive, negative] = [0, 0, 0];
  fc.assert(
    fc.property(cases, ([defined, values]) => {
      const counts: Counts = new Map();
      for (const value of values) {
        const { definitions } = defined;
        const scope = { place: PLACE, definitions, counts, counted: new Set<string>() };
        naiveCount(defined.schema, value, BODY, scope);
      }
      const { keywords, keyword_total } = recordAll(mapOf(defined), values);
      const normal = keywords.filter(({ satisfiability }) => satisfiability === "Normal");
      assert.equal(keyword_total, normal.length);
      const found = keywords.filter(({ valid, invalid }) => valid + invalid > 0)
        .map(({ schema_path, valid, invalid }) => [schema_path, { valid, invalid }] as const);
      assert.deepEqual(new Map(found), new Map([...counts].filter(([path]) => tracked(path))));
      counted += found.length;
      // Those that can't fail never did, nor passed those that can't pass: recordAll() sees to that.
      positive += keywords.filter((one) =>
        one.satisfiability === "Positive" && one.valid > 0
      ).length;
      negative += keywords.filter((one) => one.satisfiability === "Negative" && one.invalid > 0)
        .length;
    }),
    { numRuns: 500 },
  );
  assert.ok(counted > 3_000, `only ${counted} keywords counted`);
  assert.ok(positive > 50 && negative > 10, `${positive} Positive, ${negative} Negative`);
});

function tracked(path: string): boolean {
  return !path.endsWith("/title");
}
