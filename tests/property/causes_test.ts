import type { Json } from "../../src/values/json.ts";
import { type SchemaDraft, Validator } from "@cfworker/json-schema";
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import fc from "fast-check";
import { type Dialect, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12 } from "../../src/schema/dialect.ts";
import { causeFinder, validator } from "../conformance/json_schema_test_suite.ts";
import { naiveCauses } from "./naive_causes.ts";
import { isValid } from "./naive_count.ts";
import {
  type DefinedSchema,
  type Draft,
  draftSchemas,
  instances,
  type Schema,
} from "./schema_arbitrary.ts";

const UNEVALUATED = ["unevaluatedItems", "unevaluatedProperties"];
const PLACE = "/$defs";
const values = fc.array(instances, { minLength: 8, maxLength: 8 });
const cases = fc.tuple(draftSchemas("2020-12", PLACE, UNEVALUATED), values);

const DRAFTS: readonly [Draft, Dialect, string][] = [
  ["draft-07", DRAFT_07, "definitions"],
  ["2019-09", DRAFT_2019_09, "$defs"],
  ["2020-12", DRAFT_2020_12, "$defs"],
];

const AJV = { "draft-07": Ajv, "2019-09": Ajv2019, "2020-12": Ajv2020 };
const CFWORKER: Readonly<Record<Draft, SchemaDraft>> = {
  "draft-07": "7",
  "2019-09": "2019-09",
  "2020-12": "2020-12",
};

/** The result of both validators; undefined if they differ or can't read the schema. */
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

/** The schema with its definitions, serialized so that each part has one pointer. */
function whole({ schema, definitions }: DefinedSchema, place = "$defs"): Schema {
  if (typeof schema === "boolean") return schema;
  return JSON.parse(JSON.stringify({ ...schema, [place]: definitions }));
}

for (const [draft, dialect, place] of DRAFTS) {
  Deno.test(`${draft}: there are causes if and only if two validators call the instance invalid`, () => {
    let [valid, invalid, compared] = [0, 0, 0];
    fc.assert(
      fc.property(draftSchemas(draft, `/${place}`), values, (defined, instances) => {
        const schema = whole(defined, place);
        const causes = causeFinder(schema, dialect);
        if (causes === undefined) return;
        const evaluate = validator(schema, dialect, []);
        // Before 2020-12, they count items that `contains` matches as evaluated, which is wrong.
        const text = JSON.stringify(schema);
        const isComparable = draft !== "2019-09" || !text.includes("contains") ||
          !text.includes("unevaluatedItems");
        const others = isComparable ? agreed(draft, schema) : () => undefined;
        for (const instance of instances) {
          const found = causes(instance);
          if (found.length === 0) valid++;
          else invalid++;
          assert.equal(found.length === 0, evaluate(instance), JSON.stringify(instance));
          const expected = others(instance);
          if (expected === undefined) continue;
          compared++;
          assert.equal(found.length === 0, expected, JSON.stringify(instance));
        }
      }),
      { numRuns: 250 },
    );
    assert.ok(valid > 100 && invalid > 500, `${valid} valid, ${invalid} invalid`);
    assert.ok(compared > 250, `${compared} compared`);
  });
}

Deno.test("causes equal those of a naive search", () => {
  let [single, several] = [0, 0];
  fc.assert(
    fc.property(cases, ([defined, instances]) => {
      const causes = causeFinder(whole(defined), DRAFT_2020_12);
      if (causes === undefined) return;
      const scope = { place: PLACE, definitions: defined.definitions };
      for (const instance of instances) {
        const found = causes(instance);
        const two = causes(instance, true);
        assert.ok(two.every((cause) => found.includes(cause)), `${two} of ${found}`);
        assert.ok(two.length === found.length || two.length >= 2, `${two} of ${found}`);
        if (found.length === 1) single++;
        else if (found.length > 1) several++;
        const expected = naiveCauses(defined.schema, instance, "", scope);
        assert.deepEqual([...found].sort(), [...expected].sort(), JSON.stringify(instance));
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(single > 500 && several > 150, `${single} single, ${several} several`);
});

/** Keywords that affect others: without them, other keywords begin to fail. */
const LEADING = /\/(type|contains|prefixItems|properties|patternProperties|\$ref)$/;
/** Keywords under which accepting more makes the whole schema accept less. */
const REVERSING = ["not", "if", "then", "else", "oneOf", "maxContains"];

const monotonous = draftSchemas("2020-12", PLACE, [...UNEVALUATED, ...REVERSING]);

/** A copy of a value without the member at a pointer. */
function removing(value: unknown, pointer: string): unknown {
  const copy = structuredClone(value);
  const tokens = pointer.slice(1).split("/").map((one) =>
    one.replaceAll("~1", "/").replaceAll("~0", "~")
  );
  const last = tokens.pop() ?? "";
  let around = copy as Record<string, unknown>;
  for (const one of tokens) around = around[one] as Record<string, unknown>;
  delete around[last];
  return copy;
}

Deno.test("removing a cause's keyword removes the cause, and makes an instance with a single cause valid", () => {
  let [removed, repaired] = [0, 0];
  fc.assert(
    fc.property(monotonous, values, (defined, instances) => {
      const schema = whole(defined);
      const causes = causeFinder(schema, DRAFT_2020_12);
      if (causes === undefined) return;
      for (const instance of instances) {
        const found = causes(instance);
        for (const cause of found) {
          const rest = removing(schema, cause) as { readonly [keyword: string]: unknown };
          const left = causeFinder(rest, DRAFT_2020_12)?.(instance) ?? [];
          removed++;
          assert.ok(!left.includes(cause), cause);
          if (found.length > 1 || LEADING.test(cause)) continue;
          const { $defs: definitions, ...alone } = rest;
          const scope = { place: PLACE, definitions: definitions as Record<string, Schema> };
          repaired++;
          assert.ok(isValid(alone, instance as Json, scope), cause);
        }
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(removed > 1_000 && repaired > 150, `${removed} removed, ${repaired} repaired`);
});
