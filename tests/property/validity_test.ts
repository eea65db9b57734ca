// The validity that the counting evaluation comes to, compared with two validators that stop at the first failure.
import assert from "node:assert/strict";
import fc from "fast-check";
import { DRAFT_07, DRAFT_2019_09, DRAFT_2020_12 } from "../../src/schema/dialect.ts";
import { validator } from "../conformance/json_schema_test_suite.ts";
import { type DefinedSchema, type Draft, instances, schemasOf } from "./schema_arbitrary.ts";
import { agreed } from "./two_validators.ts";

const RUNS = 150;
const DIALECTS = { "draft-07": DRAFT_07, "2019-09": DRAFT_2019_09, "2020-12": DRAFT_2020_12 };
const DEFINITIONS = { "draft-07": "definitions", "2019-09": "$defs", "2020-12": "$defs" };

/** Schemas of a draft, without what both validators are wrong about in the same way. */
function comparable(draft: Draft): fc.Arbitrary<DefinedSchema> {
  const place = `/${DEFINITIONS[draft]}`;
  if (draft !== "2019-09") return schemasOf(draft, place);
  // Before 2020-12 `contains` leaves items unevaluated; the validators take them for evaluated.
  return fc.oneof(
    schemasOf(draft, place, ["contains"]),
    schemasOf(draft, place, ["unevaluatedItems"]),
  );
}

for (const draft of ["draft-07", "2019-09", "2020-12"] as const) {
  Deno.test(`the evaluation of ${draft} agrees with two validators wherever these agree`, () => {
    let [compared, passed] = [0, 0];
    fc.assert(
      fc.property(
        comparable(draft),
        fc.array(instances, { minLength: 8, maxLength: 8 }),
        ({ schema: alone, definitions }, values) => {
          const schema = typeof alone === "boolean"
            ? alone
            : { ...alone, [DEFINITIONS[draft]]: definitions };
          const expected = agreed(draft, schema);
          const evaluate = validator(schema, DIALECTS[draft], []);
          for (const value of values) {
            const valid = expected(value);
            if (valid === undefined) continue;
            compared++;
            if (valid) passed++;
            assert.equal(evaluate(value), valid, JSON.stringify(value));
          }
        },
      ),
      { numRuns: RUNS },
    );
    assert.ok(compared > RUNS * 8 * 0.8, `only ${compared} comparisons`);
    assert.ok(passed > compared * 0.1 && passed < compared * 0.9, `${passed} of ${compared} pass`);
  });
}
