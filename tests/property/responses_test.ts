// Tests keywords seen and violated by responses against naive evaluations, and against requests where both are equal.
import type { Json } from "../../src/values/json.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { CoverageMap } from "../../mod.ts";
import { naiveCauses } from "./naive_causes.ts";
import { type Counts, naiveCount } from "./naive_count.ts";
import { type DefinedSchema, draftSchemas, instances, type Schema } from "./schema_arbitrary.ts";
import { shopApi } from "../shop_api.ts";

const PLACE = "/components/schemas";
const UNEVALUATED = ["unevaluatedItems", "unevaluatedProperties"];
const CONTENT = "content/application~1json/schema";
const REQUEST = `/paths/~1things/post/requestBody/${CONTENT}`;
const RESPONSE = `/paths/~1things/post/responses/200/${CONTENT}`;
const JSON_TYPE = { "Content-Type": "application/json" };

/** Objects with or without the property `own`. */
const owners = fc.array(fc.record({ own: instances }, { requiredKeys: [] }), {
  minLength: 6,
  maxLength: 6,
});
const defined = draftSchemas("2020-12", PLACE, UNEVALUATED);
const values = fc.array(instances, { minLength: 4, maxLength: 8 });

/** A description with one schema for requests and another for responses. */
function describe({ definitions }: DefinedSchema, request: Schema, response: Schema): object {
  const content = (schema: Schema) => ({ content: { "application/json": { schema } } });
  return JSON.parse(JSON.stringify(shopApi({
    "/things": {
      post: {
        requestBody: content(request),
        responses: { 200: { description: "Fine", ...content(response) } },
      },
    },
  }, { components: { schemas: definitions } })));
}

/** Keywords that responses violate according to findings, with counts. */
function violations(map: CoverageMap): (readonly [schemaPath: string, count: number])[] {
  return map.findings().flatMap((finding) =>
    finding.kind === "response_violates_schema"
      ? [[finding.schema_path, finding.count] as const]
      : []
  );
}

function answer(map: CoverageMap, value: Json): CoverageMap {
  map.record(
    { method: "POST", url: "/things" },
    { status_code: 200, headers: JSON_TYPE, body: JSON.stringify(value) },
  );
  return map;
}

Deno.test("keywords seen and violated by responses equal those of naive evaluations", () => {
  let [seen, violated] = [0, 0];
  fc.assert(
    fc.property(defined, values, ({ schema, definitions }, values) => {
      const map = CoverageMap.fromDict(describe({ schema, definitions }, true, schema));
      const counts: Counts = new Map();
      const causes = new Map<string, number>();
      for (const value of values) {
        answer(map, value);
        const scope = { place: PLACE, definitions, counts, counted: new Set<string>() };
        naiveCount(schema, value, RESPONSE, scope);
        for (const path of naiveCauses(schema, value, RESPONSE, scope)) {
          causes.set(path, (causes.get(path) ?? 0) + 1);
        }
      }
      const { keywords = [], keyword_total = 0 } =
        map.report().operations[0]?.responses[0]?.media_types?.[0] ?? {};
      // The report leaves out those that can't fail or can't pass.
      assert.ok(keywords.length <= keyword_total);
      for (const { schema_path, seen: found, violated: broken = 0 } of keywords) {
        const { valid, invalid } = counts.get(schema_path) ?? { valid: 0, invalid: 0 };
        assert.equal(found, valid + invalid, schema_path);
        assert.equal(broken, causes.get(schema_path) ?? 0, schema_path);
        seen++;
        if (broken > 0) violated++;
      }
      if (schema === false) return;
      assert.deepEqual(new Map(violations(map)), causes);
    }),
    { numRuns: 300 },
  );
  assert.ok(seen > 1_000 && violated > 150, `${seen} seen, ${violated} violated`);
});

/** A copy of a schema with a mark in every property whose schema is an object. */
function marking(value: unknown, mark: string): unknown {
  const copy = (part: unknown, isMap = false): unknown => {
    if (Array.isArray(part)) return part.map((item) => copy(item));
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([name, member]) => {
        if (["enum", "const", "default", "examples"].includes(name) && !isMap) {
          return [name, member];
        }
        const inside = copy(member, name === "properties" && !isMap);
        const isMarked = isMap && typeof inside === "object" && inside !== null;
        return [name, isMarked ? { ...inside, [mark]: true } : inside];
      }),
    );
  };
  return copy(value);
}

Deno.test("writeOnly affects responses like readOnly affects requests", () => {
  let [same, marked] = [0, 0];
  fc.assert(
    fc.property(defined, owners, ({ schema, definitions }, instances) => {
      const owner = { properties: { own: schema }, required: ["own"] };
      const [read, write] = ["readOnly", "writeOnly"].map((mark) =>
        marking({ schema: owner, definitions }, mark) as DefinedSchema
      ) as [DefinedSchema, DefinedSchema];
      const requests = MeasuredApi.fromDict(describe(read, read.schema, true));
      const plan = requests.plan;
      const body = plan.operations[0]?.parameters[0]?.schema;
      const responses = describe(write, true, write.schema);
      const unmarked = { place: PLACE, definitions };
      for (const instance of instances) {
        const causes = typeof body === "object"
          ? plan.schemas.program.causeFinder.causes(body, instance).map(({ rule }) =>
            rule.path.replace(REQUEST, RESPONSE)
          ).sort()
          : [];
        if (typeof body !== "object") continue;
        const map = answer(CoverageMap.fromDict(responses), instance);
        const broken = violations(map).map(([path]) => path).sort();
        assert.deepEqual(broken, causes, JSON.stringify(instance));
        same++;
        if (causes.length !== naiveCauses(owner, instance, RESPONSE, unmarked).size) {
          marked++;
        }
      }
    }),
    { numRuns: 150 },
  );
  assert.ok(same > 300 && marked > 50, `${same} compared, ${marked} changed by their marks`);
});
