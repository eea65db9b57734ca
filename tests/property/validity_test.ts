// The validity that the counting evaluation comes to, compared with two validators that stop at the first failure.
import type { Json } from "../../src/values/json.ts";
import { Validator } from "@cfworker/json-schema";
import type { SchemaDraft } from "@cfworker/json-schema";
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import fc from "fast-check";
import { DRAFT_07, DRAFT_2019_09, DRAFT_2020_12 } from "../../src/schema/dialect.ts";
import { validator } from "../conformance/json_schema_test_suite.ts";
import { instances, schemasOf } from "./schema_arbitrary.ts";
import type { DefinedSchema, Draft, Schema } from "./schema_arbitrary.ts";

const RUNS = 300;
const DIALECTS = { "draft-07": DRAFT_07, "2019-09": DRAFT_2019_09, "2020-12": DRAFT_2020_12 };
const AJV = { "draft-07": Ajv, "2019-09": Ajv2019, "2020-12": Ajv2020 };
const DEFINITIONS = { "draft-07": "definitions", "2019-09": "$defs", "2020-12": "$defs" };
const CFWORKER: Readonly<Record<Draft, SchemaDraft>> = {
  "draft-07": "7",
  "2019-09": "2019-09",
  "2020-12": "2020-12",
};

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

/** What both validators say; undefined where they differ, or cannot read the schema. */
function agreed(draft: Draft, schema: Schema): (instance: Json) => boolean | undefined {
  const options = { strict: false, validateFormats: false, ownProperties: true };
  let first: (instance: Json) => unknown;
  try {
    first = new AJV[draft]({ ...options, logger: false }).compile<unknown>(schema);
  } catch {
    return () => undefined;
  }
  const second = new Validator(schema as boolean, CFWORKER[draft], true);
  return (instance) => {
    try {
      const valid = first(instance) === true;
      return second.validate(instance).valid === valid ? valid : undefined;
    } catch {
      return undefined; // code that ajv generates can fail at unevaluatedProperties
    }
  };
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
