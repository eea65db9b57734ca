// The causes of invalid responses are those of requests, as far as both directions are alike.
import type { Json } from "../../src/values/json.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { CoverageMap } from "../../mod.ts";
import { naiveCauses } from "./naive_causes.ts";
import { type DefinedSchema, instances, type Schema, schemasOf } from "./schema_arbitrary.ts";
import { apiOf } from "../api_of.ts";

const PLACE = "/components/schemas";
const UNEVALUATED = ["unevaluatedItems", "unevaluatedProperties"];
const CONTENT = "content/application~1json/schema";
const REQUEST = `/paths/~1things/post/requestBody/${CONTENT}`;
const RESPONSE = `/paths/~1things/post/responses/200/${CONTENT}`;
const JSON_TYPE = { "Content-Type": "application/json" };

/** Objects that have the property `own`, or lack it. */
const owners = fc.array(fc.record({ own: instances }, { requiredKeys: [] }), {
  minLength: 6,
  maxLength: 6,
});
const defined = schemasOf("2020-12", PLACE, UNEVALUATED);

/** A description that takes one schema and answers with another. */
function describe({ definitions }: DefinedSchema, request: Schema, response: Schema): object {
  const content = (schema: Schema) => ({ content: { "application/json": { schema } } });
  return JSON.parse(JSON.stringify(apiOf({
    "/things": {
      post: {
        requestBody: content(request),
        responses: { 200: { description: "Fine", ...content(response) } },
      },
    },
  }, { components: { schemas: definitions } })));
}

/** The keywords that findings say a response breaks. */
function broken(map: CoverageMap): string[] {
  return map.findings().flatMap((finding) =>
    finding.kind === "response_violates_schema" ? [finding.schema_path] : []
  ).sort();
}

function answering(description: object, value: Json): CoverageMap {
  const map = CoverageMap.fromDict(description);
  map.record(
    { method: "POST", url: "/things" },
    { status_code: 200, headers: JSON_TYPE, body: JSON.stringify(value) },
  );
  return map;
}

/** A copy of a schema in which every property whose schema is an object has a mark. */
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

Deno.test("writeOnly takes away of responses what readOnly takes away of requests", () => {
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
        assert.deepEqual(broken(answering(responses, instance)), causes, JSON.stringify(instance));
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
