// Tests the value classes of bodies against a naive derivation.
import assert from "node:assert/strict";
import fc from "fast-check";
import { makePlan } from "../map/make_plan.ts";
import { listedClasses, NaiveSchemas } from "./naive_schemas.ts";
import { draftSchemas } from "./schema_arbitrary.ts";

const PLACE = "/components/schemas";
const BODY = "/paths/~1a/post/requestBody/content/application~1json/schema";

Deno.test("a body has the value classes that the semantics define, whatever its schema", () => {
  let listed = 0;
  fc.assert(
    fc.property(draftSchemas("2020-12", PLACE), (defined) => {
      // No two schemas may be the same object, like in a file.
      const { schema, definitions } = JSON.parse(JSON.stringify(defined));
      const content = { "application/json": { schema } };
      const { plan } = makePlan({ "/a": { post: { requestBody: { content } } } }, definitions);
      const [body] = plan.operations[0]?.parameters ?? [];
      assert.ok(body);
      const naive = new NaiveSchemas({ components: { schemas: definitions } });
      const expected = naive.classes(schema, BODY);
      listed += expected.length;
      assert.deepEqual(listedClasses(body), expected);
    }),
    { numRuns: 500 },
  );
  assert.ok(listed > 5_000, `only ${listed} classes`);
});
