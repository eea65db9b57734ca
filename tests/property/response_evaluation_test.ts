// Keywords seen and violated by responses, compared with naive evaluations.
import assert from "node:assert/strict";
import fc from "fast-check";
import { CoverageMap } from "../../mod.ts";
import { naiveCauses } from "./naive_causes.ts";
import { type Counts, naiveCount } from "./naive_count.ts";
import { instances, schemasOf } from "./schema_arbitrary.ts";
import { apiOf } from "../api_of.ts";

const PLACE = "/components/schemas";
const BODY = "/paths/~1things/get/responses/200/content/application~1json/schema";
const HEADERS = { "Content-Type": "application/json" };

const cases = fc.tuple(
  schemasOf("2020-12", PLACE, ["unevaluatedItems", "unevaluatedProperties"]),
  fc.array(instances, { minLength: 4, maxLength: 8 }),
);

Deno.test("keywords seen and violated by responses are those of naive evaluations", () => {
  let [seen, violated] = [0, 0];
  fc.assert(
    fc.property(cases, ([{ schema, definitions }, values]) => {
      const map = CoverageMap.fromDict(apiOf({
        "/things": { get: { responses: { 200: { content: { "application/json": { schema } } } } } },
      }, { components: { schemas: definitions } }));
      const counts: Counts = new Map();
      const causes = new Map<string, number>();
      for (const value of values) {
        const body = JSON.stringify(value);
        map.record({ method: "GET", url: "/things" }, { status_code: 200, headers: HEADERS, body });
        naiveCount(schema, value, BODY, {
          place: PLACE,
          definitions,
          counts,
          counted: new Set<string>(),
        });
        for (const path of naiveCauses(schema, value, BODY, { place: PLACE, definitions })) {
          causes.set(path, (causes.get(path) ?? 0) + 1);
        }
      }
      const { keywords = [], keyword_total = 0 } =
        map.report().operations[0]?.responses[0]?.media_types?.[0] ?? {};
      // Those that can't fail, or can't pass, are not in the report.
      assert.ok(keywords.length <= keyword_total);
      for (const { schema_path, seen: found, violated: broken = 0 } of keywords) {
        const { valid, invalid } = counts.get(schema_path) ?? { valid: 0, invalid: 0 };
        assert.equal(found, valid + invalid, schema_path);
        assert.equal(broken, causes.get(schema_path) ?? 0, schema_path);
        seen++;
        if (broken > 0) violated++;
      }
      if (schema === false) return;
      const findings = map.findings().flatMap((finding) =>
        finding.kind === "response_violates_schema"
          ? [[finding.schema_path, finding.count] as const]
          : []
      );
      assert.deepEqual(new Map(findings), causes);
    }),
    { numRuns: 300 },
  );
  assert.ok(seen > 1_000 && violated > 150, `${seen} seen, ${violated} violated`);
});
