import assert from "node:assert/strict";
import { findUnit } from "../../src/map/hits_file/plan_names.ts";
import { makePlan } from "./make_plan.ts";

const SCHEMA = "/paths/~1t/get/parameters/0/schema";

Deno.test("findUnit() finds the schema of a parameter and other schemas of the document by pointer", () => {
  const { plan } = makePlan({
    "/t": {
      get: { parameters: [{ name: "q", in: "query", schema: { items: { minLength: 1 } } }] },
    },
  });
  const parameter = plan.operations[0]?.parameters[0] ?? assert.fail();
  const unit = findUnit(plan, parameter, SCHEMA);
  assert.ok(unit !== undefined && typeof parameter.schema === "object");
  assert.equal(unit, plan.schemas.program.unit(parameter.schema));
  assert.ok(findUnit(plan, parameter, `${SCHEMA}/items`));
});

Deno.test("findUnit() finds nothing where there is no schema or no such document", () => {
  const { plan } = makePlan({ "/t": { get: { parameters: [{ name: "q", in: "query" }] } } });
  const parameter = plan.operations[0]?.parameters[0] ?? assert.fail();
  assert.equal(findUnit(plan, parameter, "/components/schemas/Lost"), undefined);
  assert.equal(findUnit(plan, parameter, "other.yaml#/components/schemas/A"), undefined);
});
