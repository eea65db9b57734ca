import type { Json } from "../../src/values/json.ts";
import assert from "node:assert/strict";
import { type Dialect, DRAFT_07, OPENAPI_3_0_SCHEMA } from "../../src/schema/dialect.ts";
import { SchemaProgram } from "../../src/schema/schema_unit.ts";
import {
  causeFinder,
  draftGroups,
  needsSuite,
  validator,
} from "../conformance/json_schema_test_suite.ts";
import { needing } from "../requirement.ts";
import { schemasIn } from "./schemas_in.ts";

// Causes in alternatives, conditions, types and lists of schemas are tested in tests/property/causes_test.ts.
/** Pointers of the causes without the name of the schema, each with the part of the instance that it refuses. */
function findCauses(
  schemas: Readonly<Record<string, object>>,
  instance: Json,
  dialect?: Dialect,
): string[] {
  const root = schemasIn(schemas, dialect)("Root");
  return new SchemaProgram(root.graph).causeFinder.causes(root, instance).map((cause) =>
    `${cause.rule.path.replace(/^\/Root\//, "")} ${cause.instance}`.trim()
  );
}

const at = (root: object, instance: Json, dialect?: Dialect) =>
  findCauses({ Root: root }, instance, dialect);

Deno.test("applicators report the causes in their subschemas, with the part of the instance", () => {
  const schema = {
    properties: { tags: { items: { maxLength: 2 } }, "a/b": { type: "string" } },
    allOf: [{ required: ["id"] }],
  };
  assert.deepEqual(at(schema, { tags: ["a", "long", "longer"], "a/b": 1 }), [
    "properties/tags/items/maxLength /tags/1",
    "properties/a~1b/type /a~1b",
    "allOf/0/required",
  ]);
});

Deno.test("a keyword is the cause if its subschema is false", () => {
  const closed = { properties: { a: true, b: false }, additionalProperties: false };
  assert.deepEqual(at(closed, { b: 1 }), ["properties /b"]);
  assert.deepEqual(at(closed, { a: 1, c: 2 }), ["additionalProperties /*"]);
  assert.deepEqual(at({ prefixItems: [true], items: false }, [1, 2]), ["items"]);
  assert.deepEqual(at({ propertyNames: false }, { a: 1 }), ["propertyNames /*"]);
  assert.deepEqual(at({ if: true, then: false }, 1), ["then"]);
});

Deno.test("a discriminator selects the alternative by name, by mapping or by default", () => {
  const schemas = {
    Root: {
      oneOf: [{ $ref: "#/Cat" }, { $ref: "#/Dog" }],
      discriminator: {
        propertyName: "kind",
        mapping: { feline: "#/Cat", hound: "Dog" },
        defaultMapping: "Cat",
      },
    },
    Cat: { type: "object", properties: { lives: { maximum: 9 } }, required: ["lives"] },
    Dog: { type: "object", required: ["name"] },
  };
  assert.deepEqual(findCauses(schemas, { kind: "feline", lives: 10 }), [
    "/Cat/properties/lives/maximum /lives",
  ]);
  assert.deepEqual(findCauses(schemas, { kind: "Dog" }), ["/Dog/required"]);
  assert.deepEqual(findCauses(schemas, { kind: "hound" }), ["/Dog/required"]);
  assert.deepEqual(findCauses(schemas, { kind: "bird" }), ["/Cat/required"]);
  assert.deepEqual(findCauses(schemas, {}), ["/Cat/required"]);
});

Deno.test("a discriminator doesn't take the index of an alternative without a name for its name", () => {
  const version = (text: string) => ({
    required: ["id"],
    properties: { version: { const: text } },
  });
  const root = { discriminator: { propertyName: "version" }, oneOf: [version("1"), version("2")] };
  assert.deepEqual(at(root, { version: "1" }), ["oneOf"]);
});

Deno.test("a oneOf that several alternatives accept is a cause itself, despite a discriminator", () => {
  const root = {
    discriminator: { propertyName: "kind" },
    oneOf: ["Book", "Film", "Song"].map((name) => ({ $ref: `#/${name}` })),
  };
  const schemas = { Root: root, Book: { required: ["pages"] }, Film: {}, Song: {} };
  assert.deepEqual(findCauses(schemas, { kind: "Book" }, OPENAPI_3_0_SCHEMA), ["oneOf"]);
});

Deno.test("dependencies that list names are a cause themselves", () => {
  const schema = { dependencies: { a: ["b"], c: { required: ["d"] } } };
  assert.deepEqual(at(schema, { a: 1, c: 1 }, DRAFT_07), [
    "dependencies/c/required",
    "dependencies",
  ]);
  assert.deepEqual(at(schema, { c: 1 }, DRAFT_07), ["dependencies/c/required"]);
});

for (const name of ["anyOf", "oneOf"]) {
  Deno.test(`properties that an alternative of a failing ${name} declares are not also unevaluated`, () => {
    const short = { type: "object", properties: { a: { maxLength: 2 } } };
    const schema = { [name]: [short, { type: "string" }], unevaluatedProperties: false };
    const rule = `${name}/0/properties/a/maxLength /a`;
    assert.deepEqual(at(schema, { a: "long" }), [rule]);
    assert.deepEqual(at(schema, { a: "long", z: 1 }), [rule, "unevaluatedProperties /*"]);
    assert.deepEqual(at({ allOf: [schema], unevaluatedProperties: false }, { a: "long" }), [
      rule.replace(name, `allOf/0/${name}`),
    ]);
    const referred = { Root: { [name]: [{ $ref: "#/Part" }], unevaluatedProperties: false } };
    assert.deepEqual(findCauses({ ...referred, Part: short }, { a: "long" }), [
      "/Part/properties/a/maxLength /a",
    ]);
    const either = { [name]: [short, { required: ["b"] }], unevaluatedProperties: false };
    assert.deepEqual(at(either, { a: "long" }), [name], "no alternative was meant");
    const list = { [name]: [{ prefixItems: [{ maximum: 1 }] }], unevaluatedItems: false };
    assert.deepEqual(at(list, [2]), [`${name}/0/prefixItems/0/maximum /0`]);
    assert.deepEqual(at(list, [2, 3]), [
      `${name}/0/prefixItems/0/maximum /0`,
      "unevaluatedItems /1",
    ]);
  });
}

Deno.test("unevaluatedProperties is not a second cause beside a failing subschema", () => {
  const schemas = {
    Root: {
      allOf: [{ $ref: "#/Base" }, { properties: { c: { maximum: 1 } } }],
      unevaluatedProperties: false,
    },
    Base: { properties: { a: { type: "string" }, b: true } },
  };
  assert.deepEqual(findCauses(schemas, { a: 1, b: 1 }), ["/Base/properties/a/type /a"]);
  assert.deepEqual(findCauses(schemas, { c: 2 }), ["allOf/1/properties/c/maximum /c"]);
  assert.deepEqual(findCauses(schemas, { d: 1 }), ["unevaluatedProperties /*"]);
  const then = { properties: { a: { type: "string" } } };
  const branched = { if: { required: ["a"] }, then, unevaluatedProperties: false };
  assert.deepEqual(at(branched, { a: 1 }), ["then/properties/a/type /a"]);
  assert.deepEqual(at(branched, { b: 1 }), ["unevaluatedProperties /*"]);
});

Deno.test("a schema with too many dynamic scopes has the causes found in the first ones", () => {
  const names = Array.from({ length: 60 }, (_, index) => `scope${index}`);
  const causesWhere = (strict: (index: number) => boolean): [string[], boolean] => {
    const scopes = names.map((name, index) => [name, {
      $id: `https://example.org/${name}`,
      $ref: "word",
      $defs: { limit: { $dynamicAnchor: "limit", maxLength: strict(index) ? 1 : 2 } },
    }]);
    const root = schemasIn({
      Root: { allOf: names.map((name) => ({ $ref: `#/${name}` })) },
      Word: {
        $id: "https://example.org/word",
        $dynamicRef: "#limit",
        $defs: { limit: { $dynamicAnchor: "limit" } },
      },
      ...Object.fromEntries(scopes),
    })("Root");
    const finder = new SchemaProgram(root.graph).causeFinder;
    const found = finder.causes(root, "ab").map(({ rule }) => rule.path);
    return [found, finder.hasLeftOut];
  };
  const limit = (index: number) => `/scope${index}/$defs/limit/maxLength`;
  assert.deepEqual(causesWhere(() => false), [[], true]);
  assert.deepEqual(causesWhere((index) => index === 10), [[limit(10)], true]);
  assert.deepEqual(causesWhere((index) => index === 59), [[], true]);
  assert.deepEqual(causesWhere((index) => index === 0), [[limit(0)], true]);
});

Deno.test("readOnly properties are never a cause", () => {
  const schema = { properties: { id: { readOnly: true, type: "integer" } }, required: ["id"] };
  assert.deepEqual(at(schema, { id: "a" }, OPENAPI_3_0_SCHEMA), []);
  assert.deepEqual(at(schema, {}, OPENAPI_3_0_SCHEMA), []);
});

Deno.test("a keyword is one cause, even if it refuses several parts or is reached several times", () => {
  const schemas = {
    Root: { allOf: [{ $ref: "#/List" }, { $ref: "#/List" }] },
    List: { items: { $ref: "#/Word" } },
    Word: { maxLength: 1 },
  };
  assert.deepEqual(findCauses(schemas, ["ab", "cd"]), ["/Word/maxLength /0"]);
});

Deno.test("the search for causes ends in recursive schemas", () => {
  const tree = { properties: { next: { $ref: "#/Root" } }, required: ["value"] };
  assert.deepEqual(at(tree, { value: 1, next: { next: { value: 1 } } }), ["required /next"]);
  assert.deepEqual(at({ allOf: [{ $ref: "#/Root" }], minimum: 3 }, 1), ["minimum"]);
});

Deno.test({
  ...needing(
    needsSuite(),
    "findCauses() finds causes for the invalid instances of the JSON Schema Test Suite",
  ),
  async fn() {
    let [valid, invalid] = [0, 0];
    for (const { title, group: { schema, tests }, dialect, documents } of await draftGroups()) {
      if (typeof schema === "boolean") continue;
      const causes = causeFinder(schema, dialect, documents);
      const evaluate = validator(schema, dialect, documents);
      for (const { description, data } of tests) {
        const found = causes?.(data) ?? [];
        if (found.length === 0) valid++;
        else invalid++;
        assert.equal(found.length === 0, evaluate(data), `${title}: ${description}: ${found}`);
      }
    }
    assert.ok(valid > 1_000 && invalid > 1_000, `${valid} valid, ${invalid} invalid`);
  },
});
