import assert from "node:assert/strict";
import fc from "fast-check";
import { DRAFT_07, DRAFT_2019_09, DRAFT_2020_12 } from "../../../src/schema/dialect.ts";
import { validator } from "../../conformance/json_schema_test_suite.ts";
import { type Draft, instances, schemasOf } from "../../property/schema_arbitrary.ts";
import { agreed } from "../../property/two_validators.ts";
import { bytesOf, type FuzzTarget, jsonOf } from "../fuzz_target.ts";

const DIALECTS = { "draft-07": DRAFT_07, "2019-09": DRAFT_2019_09, "2020-12": DRAFT_2020_12 };
const DEFINITIONS = { "draft-07": "definitions", "2019-09": "$defs", "2020-12": "$defs" } as const;
const DRAFTS: readonly Draft[] = ["draft-07", "2019-09", "2020-12"];

/** Schemas and instances, against two validators wherever these agree. */
export const schemas: FuzzTarget = {
  name: "schemas",
  make(random) {
    const draft = random.pick(DRAFTS);
    // Before 2020-12 `contains` leaves items unevaluated; the validators take them for evaluated.
    const left = draft === "2019-09" ? [random.pick(["contains", "unevaluatedItems"])] : [];
    const all = fc.tuple(schemasOf(draft, `/${DEFINITIONS[draft]}`, left), fc.array(instances));
    const [sample] = fc.sample(all, { numRuns: 1, seed: random.below(2 ** 31) });
    if (sample === undefined) return bytesOf("null");
    const [{ schema, definitions }, values] = sample;
    const whole = typeof schema === "boolean"
      ? schema
      : { ...schema, [DEFINITIONS[draft]]: definitions };
    return bytesOf(JSON.stringify({ draft, schema: whole, values }));
  },
  check(input) {
    const { draft, schema, values } = (jsonOf(input) ?? {}) as {
      draft?: Draft;
      schema?: boolean | Record<string, unknown>;
      values?: readonly (string | number)[];
    };
    if (draft === undefined || DIALECTS[draft] === undefined || schema === undefined) return;
    if (!Array.isArray(values)) return;
    const expected = agreed(draft, schema);
    const evaluate = validator(schema, DIALECTS[draft], []);
    for (const value of values) {
      const valid = expected(value);
      if (valid !== undefined) assert.equal(evaluate(value), valid, JSON.stringify(value));
    }
  },
};
