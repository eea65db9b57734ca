// The classes of values that a body may show, compared with those that the page tells, worked out on their own.
import assert from "node:assert/strict";
import fc from "fast-check";
import { findValuePlaces } from "../../src/map/value_places.ts";
import { planOf } from "../map/plan_of.ts";
import { naiveValues } from "./naive_values.ts";
import { type Schema, schemasOf } from "./schema_arbitrary.ts";

const PLACE = "/components/schemas";
const BODY = "/paths/~1a/post/requestBody/content/application~1json/schema";

/** The classes of a body that covtool lists, as lines. */
function listClasses(schema: Schema, definitions: Readonly<Record<string, Schema>>): string[] {
  const content = { "application/json": { schema } };
  const { plan } = planOf({ "/a": { post: { requestBody: { content } } } }, definitions);
  const [body] = plan.operations[0]?.parameters ?? [];
  assert.ok(body);
  return findValuePlaces(body).flatMap(({ node, instance_path, classes }) =>
    classes.map(({ name, pointer }) => {
      const below = name === "present" || name === "absent"
        ? pointer.slice("/properties".length)
        : "";
      return `${node.pathOf("")}${pointer} ${name} at ${instance_path}${below}`;
    })
  ).sort();
}

Deno.test("the classes of a body are those that the page tells, whatever its schema", () => {
  let listed = 0;
  fc.assert(
    fc.property(schemasOf("2020-12", PLACE), (defined) => {
      const expected = naiveValues(defined, BODY, PLACE);
      listed += expected.length;
      assert.deepEqual(listClasses(defined.schema, defined.definitions), expected);
    }),
    { numRuns: 500 },
  );
  assert.ok(listed > 5_000, `only ${listed} classes`);
});
