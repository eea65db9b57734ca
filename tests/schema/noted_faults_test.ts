import type { Json } from "../../src/values/json.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { type Dialect, DRAFT_07, DRAFT_2020_12 } from "../../src/schema/dialect.ts";
import { Counters } from "../../src/schema/counters.ts";
import type { SchemaNode } from "../../src/schema/schema_node.ts";
import { SchemaProgram } from "../../src/schema/schema_unit.ts";
import { compileSchema, draftGroups, needsSuite } from "../conformance/json_schema_test_suite.ts";
import { draftSchemas, instances } from "../property/schema_arbitrary.ts";
import { needing } from "../requirement.ts";
import { schemasIn } from "./schemas_in.ts";

/** The fault that an evaluation notes: the pointer of the only cause, `several`, or `unclear`. */
function noted(program: SchemaProgram, root: SchemaNode, instance: Json): string {
  const counters = new Counters();
  program.evaluate(root, instance, counters);
  const fault = program.causeOfFault(counters, program.lastFault);
  const found = program.causeFinder.causes(root, instance);
  if (fault === undefined) return "unclear";
  if (fault === "several") {
    assert.ok(program.causeFinder.hasLeftOut || found.length > 1, `several, not ${found.length}`);
    return fault;
  }
  assert.deepEqual(found.map(({ rule }) => rule), [fault.rule]);
  assert.deepEqual(found.map(({ instance }) => instance), [fault.instance]);
  return fault.rule.path;
}

function notedIn(
  schemas: Readonly<Record<string, object>>,
  instance: Json,
  dialect?: Dialect,
): string {
  const root = schemasIn(schemas, dialect)("Root");
  return noted(new SchemaProgram(root.graph), root, instance);
}

Deno.test("a keyword that fails alone at the whole value is noted without a search", () => {
  const root = { type: "integer", minimum: 1, maximum: 9, example: 3 };
  assert.equal(notedIn({ Root: root }, 0), "/Root/minimum");
  assert.equal(notedIn({ Root: root }, 10), "/Root/maximum");
  assert.equal(notedIn({ Root: root }, "a"), "/Root/type");
  assert.equal(notedIn({ Root: { type: "string" } }, 1), "/Root/type");
  assert.equal(notedIn({ Root: { $ref: "#/Low" }, Low: { maximum: 2 } }, 3), "/Low/maximum");
});

Deno.test("keywords that fail in several places are noted as several", () => {
  const root = {
    properties: { a: { type: "string" }, b: { $ref: "#/Part" }, list: { items: { minimum: 1 } } },
  };
  const schemas = { Root: root, Part: { minLength: 2, maxLength: 3 } };
  assert.equal(notedIn(schemas, { a: 1, b: "x" }), "several");
  assert.equal(notedIn(schemas, { a: 1 }), "/Root/properties/a/type");
  assert.equal(notedIn(schemas, { list: [1, 0, 0] }), "/Root/properties/list/items/minimum");
});

Deno.test("a schema false is noted as the keyword that has it, and counts as a cause beside others", () => {
  const root = {
    properties: { a: false, b: { type: "string" }, c: { $ref: "#/Root/$defs/none" } },
    additionalProperties: false,
    $defs: { none: false },
  };
  const list = { prefixItems: [{ type: "string" }, false], items: false };
  assert.equal(notedIn({ Root: root }, { a: 1 }), "/Root/properties");
  assert.equal(notedIn({ Root: root }, { x: 1, y: 1 }), "/Root/additionalProperties");
  assert.equal(notedIn({ Root: root }, { a: 1, b: 1 }), "several");
  assert.equal(notedIn({ Root: root }, { b: 1, c: 1 }), "unclear");
  assert.equal(notedIn({ Root: list }, ["a", 1]), "/Root/prefixItems");
  assert.equal(notedIn({ Root: { items: list } }, [["a", 1, 1]]), "several");
  assert.equal(notedIn({ Root: { allOf: [false], minimum: 1 } }, 0), "several");
});

Deno.test("dependencies with lists and schemas are noted as unclear", () => {
  const root = { dependencies: { a: ["b"], c: { minProperties: 2 } } };
  assert.equal(notedIn({ Root: root }, { a: 1 }, DRAFT_07), "unclear");
  assert.equal(notedIn({ Root: root }, { c: 1 }, DRAFT_07), "unclear");
});

Deno.test("one keyword that is reached by several paths is noted as unclear, not as several", () => {
  const schemas = {
    Root: { properties: { a: { $ref: "#/Pair" }, b: { $ref: "#/Pair/properties/left" } } },
    Pair: { properties: { left: { type: "string" } } },
  };
  assert.equal(notedIn(schemas, { a: { left: 1 }, b: 1 }), "unclear");
  const text = { type: "string" }; // one object for both properties, as YAML aliases give
  const aliased = { Root: { properties: { a: text, b: text } } };
  assert.equal(notedIn(aliased, { a: 1, b: 1 }), "unclear");
});

Deno.test("the noted fault is what the search finds, for random schemas and values", () => {
  const seen = new Map<string, number>();
  const values = fc.array(instances, { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(
      draftSchemas("2020-12", "/$defs"),
      values,
      ({ schema, definitions }, instances) => {
        if (typeof schema === "boolean") return;
        // Serialized, so that no object is shared and each part has one pointer.
        const whole = JSON.parse(JSON.stringify({ ...schema, $defs: definitions }));
        const { program, root } = compileSchema(whole, DRAFT_2020_12, []);
        if (typeof root === "boolean") return;
        for (const instance of instances) {
          const kind = noted(program, root, instance).replace(/^(\/|https?:).*/, "one");
          seen.set(kind, (seen.get(kind) ?? 0) + 1);
        }
      },
    ),
    { numRuns: 1_000 },
  );
  for (const kind of ["one", "several", "unclear"]) {
    assert.ok((seen.get(kind) ?? 0) > 100, `${kind}: ${JSON.stringify([...seen])}`);
  }
});

Deno.test({
  ...needing(needsSuite(), "noted faults equal the found faults, in the JSON Schema Test Suite"),
  async fn() {
    const clear = { one: 0, several: 0 };
    for (const { group: { schema, tests }, dialect, documents } of await draftGroups()) {
      const { program, root } = compileSchema(schema, dialect, documents);
      if (typeof root === "boolean") continue;
      for (const { data } of tests) {
        const kind = noted(program, root, data);
        if (kind === "several") clear.several++;
        else if (kind !== "unclear") clear.one++;
      }
    }
    assert.ok(clear.one > 500 && clear.several > 10, JSON.stringify(clear));
  },
});
