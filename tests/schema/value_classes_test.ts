import assert from "node:assert/strict";
import type { ReportValue } from "../../src/entries/report.ts";
import { mapOfBody, sendBody } from "../json_body.ts";

type Schema = Record<string, unknown>;
type Listed = readonly [path: string, name: string, hits: number];

/** The classes of JSON bodies as a report lists them. */
function reportValues(
  schema: unknown,
  bodies: readonly (string | Uint8Array)[],
  components: Schema = {},
): readonly ReportValue[] {
  const map = mapOfBody(schema, components, { values: true });
  for (const body of bodies) sendBody(map, body);
  return map.report().operations[0]?.parameters[0]?.values ?? [];
}

/** The classes of a body that are listed, with the hits that some bodies have made. */
function countIn(schema: unknown, bodies: readonly unknown[], components: Schema = {}): Listed[] {
  const root = "/paths/~1x/post/requestBody/content/application~1json/schema";
  const texts = bodies.map((body) => JSON.stringify(body));
  return reportValues(schema, texts, components).map((one) => [
    one.schema_path.replace(root, "") || ".",
    one.class,
    one.hits,
  ]);
}

function named(listed: readonly Listed[]): string {
  return listed.map(([path, name, hits]) => `${path} ${name} ${hits}`).join("\n");
}

/** Properties in either order, and more of them than are looked through one by one. */
function manyProperties(count: number): Schema {
  const properties: Schema = {};
  for (let index = 0; index < count; index++) properties[`p${index}`] = true;
  return { type: "object", properties };
}

for (const count of [3, 40]) {
  Deno.test(`the ${count} properties of an object count in whatever order they come`, () => {
    const names = Array.from({ length: count }, (_, index) => `p${index}`);
    const ordered = Object.fromEntries(names.map((name) => [name, 1]));
    const reversed = Object.fromEntries(names.toReversed().map((name) => [name, 1]));
    const bodies = [ordered, reversed, { other: 1, [`p${count - 1}`]: 1 }];
    const expected = names.flatMap((name, index) => [
      `/properties/${name} present ${index === count - 1 ? 3 : 2}`,
      `/properties/${name} absent ${index === count - 1 ? 0 : 1}`,
    ]);
    assert.equal(named(countIn(manyProperties(count), bodies)), expected.join("\n"));
  });
}

Deno.test("characters outside ASCII count however a body is sent", () => {
  const schema = { items: { type: "string" } };
  const long = "x".repeat(70_000);
  const bodies = [
    '["\\u00e4","a","\\\\u00e4"]',
    '["ä","a"]',
    `["ä","${long}"]`,
    '["a","\\n"]',
  ];
  for (const sent of [bodies, bodies.map((body) => new TextEncoder().encode(body))]) {
    const found = reportValues(schema, sent).find((one) => one.class === "non_ascii");
    assert.equal(found?.hits, 3);
  }
});

const CASES: readonly (readonly [string, Schema, readonly unknown[], string])[] = [
  [
    "members of an enum, of its types, each once",
    { type: ["string", "null"], enum: ["a", "b", "a", 3, null] },
    ["a", "a", null, "c"],
    "/enum/0 enum 2\n/enum/1 enum 0\n/enum/4 enum 1",
  ],
  [
    "members that another keyword refuses are none",
    {
      ...{ enum: [0, 1, 4, 5, 6, "", "ab", "B", "abcd", null, [1]], minLength: 1, maxLength: 3 },
      ...{ exclusiveMinimum: 0, maximum: 5, multipleOf: 2, pattern: "^[a-z]*$" },
    },
    [4, "ab", null],
    "/enum/2 enum 1\n/enum/6 enum 1\n/enum/9 enum 1\n/enum/10 enum 0",
  ],
  ["lists whose items can't be any are empty", { items: false }, [[]], ". no_items 1"],
  [
    "lists whose first items can be something aren't",
    { prefixItems: [true], items: false },
    [[], [1]],
    ". no_items 1\n. one_item 1\n. several_items 0",
  ],
  ["a constant", { const: { b: 1, a: [2] } }, [{ a: [2], b: 1 }, {}], "/const enum 1"],
  [
    "booleans and null",
    { type: ["boolean", "null"] },
    [false, null],
    ". boolean 0\n. boolean 1\n. null 1",
  ],
  [
    "whole numbers at their limits and between",
    { type: "integer", exclusiveMinimum: 0, maximum: 9.5 },
    [1, 9, 5, 6, 0, 10],
    "/exclusiveMinimum minimum 1\n/maximum maximum 1\n. between 2",
  ],
  [
    "numbers with a limit that none equals",
    { type: "number", exclusiveMaximum: 1, minimum: -1 },
    [-1, 0.99],
    "/minimum minimum 1\n. between 1",
  ],
  [
    "two whole numbers",
    { type: "integer", minimum: 1, maximum: 2 },
    [1],
    "/minimum minimum 1\n/maximum maximum 0",
  ],
  [
    "the signs of numbers without limits",
    { type: "number" },
    [-1, 0, -0, 2.5, "1"],
    ". negative 1\n. zero 2\n. positive 1",
  ],
  [
    "lengths in characters, and characters outside ASCII",
    { type: "string", minLength: 2, maxLength: 4 },
    ["ab", "👍👍", "abc", "abcd", "a"],
    "/minLength min_length 2\n/maxLength max_length 1\n. between 1\n. non_ascii 1",
  ],
  [
    "texts without limits",
    { type: "string" },
    ["", "a", "ä"],
    ". empty 1\n. between 2\n. non_ascii 1",
  ],
  ["nothing of texts with a pattern or a format", { type: "string", pattern: "^a" }, ["a"], ""],
  [
    "lists of none, one, several and most items",
    { type: "array", maxItems: 3, items: true },
    [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4]],
    ". no_items 1\n. one_item 1\n. several_items 1\n/maxItems max_items 1",
  ],
  [
    "optional properties with and without, but not readOnly or required ones",
    {
      type: "object",
      required: ["id"],
      properties: { id: true, note: {}, at: { readOnly: true }, no: false },
    },
    [{ id: 1, note: 1 }, { id: 1 }, { note: 1 }],
    "/properties/note present 1\n/properties/note absent 1",
  ],
  [
    "alternatives that alone accept a value",
    { anyOf: [{ minimum: 3 }, { maximum: 5 }, false] },
    [1, 4, 9],
    "/anyOf/0 alternative 1\n/anyOf/1 alternative 1\n" +
    "/anyOf/0/minimum minimum 0\n/anyOf/0 between 2\n" +
    "/anyOf/1/maximum maximum 0\n/anyOf/1 between 2",
  ],
  [
    "nothing that a value must not be",
    { not: { enum: [1] }, if: { const: 2 }, contains: { enum: [3] }, then: { enum: [2] } },
    [2],
    "/then/enum/0 enum 1",
  ],
  ["nothing where limits contradict each other", { type: "string", minLength: 3, maxLength: 2 }, [
    "ab",
  ], ""],
];

for (const [name, schema, bodies, expected] of CASES) {
  Deno.test(`values are told apart by ${name}`, () => {
    assert.equal(named(countIn(schema, bodies)), expected);
  });
}

Deno.test("a component that comes again inside itself is one place, at the shortest way", () => {
  const components = {
    Tree: {
      type: "object",
      properties: { kids: { items: { $ref: "#/components/schemas/Tree" } } },
    },
  };
  const listed = countIn({ $ref: "#/components/schemas/Tree" }, [{ kids: [{}, {}] }], components);
  assert.equal(
    named(listed).replaceAll("/components/schemas/Tree", "Tree"),
    "Tree/properties/kids present 1\nTree/properties/kids absent 2\n" +
      "Tree/properties/kids no_items 0\nTree/properties/kids one_item 0\n" +
      "Tree/properties/kids several_items 1",
  );
});
