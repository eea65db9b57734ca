import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import type { ReportValue } from "../../src/entries/report.ts";
import { mapOfBody, sendBody } from "../json_body.ts";

type Schema = Record<string, unknown>;
type Listed = readonly [path: string, name: string, hits: number];

/** Value classes of JSON bodies as a report lists them. */
function reportValues(
  schema: unknown,
  bodies: readonly (string | Uint8Array)[],
): readonly ReportValue[] {
  const map = mapOfBody(schema, {}, { values: true });
  for (const body of bodies) sendBody(map, body);
  return map.report().operations[0]?.parameters[0]?.values ?? [];
}

/** Value classes of a body, with the hits of some bodies. */
function countIn(schema: unknown, bodies: readonly unknown[]): Listed[] {
  const root = "/paths/~1x/post/requestBody/content/application~1json/schema";
  const texts = bodies.map((body) => JSON.stringify(body));
  return reportValues(schema, texts).map((one) => [
    one.schema_path.replace(root, "") || ".",
    one.class,
    one.hits,
  ]);
}

function named(listed: readonly Listed[]): string {
  return listed.map(([path, name, hits]) => `${path} ${name} ${hits}`).join("\n");
}

/** More properties than are compared one by one. */
function manyProperties(count: number): Schema {
  const properties: Schema = {};
  for (let index = 0; index < count; index++) properties[`p${index}`] = true;
  return { type: "object", properties };
}

for (const count of [3, 40]) {
  Deno.test(`the ${count} properties of an object count in any order`, () => {
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

Deno.test("characters outside ASCII count, escaped or not", () => {
  const schema = { items: { type: "string" } };
  const long = "x".repeat(70_000);
  const bodies = [
    '["\\u00e4","a","\\\\u00e4"]',
    '["ä","a"]',
    `["ä","${long}"]`,
    `["ä","${"x".repeat(2 ** 16 - '["ä",""]'.length)}"]`,
    '["a","\\n"]',
  ];
  for (const sent of [bodies, bodies.map((body) => new TextEncoder().encode(body))]) {
    const found = reportValues(schema, sent).find((one) => one.class === "non_ascii");
    assert.equal(found?.hits, 4);
  }
});

Deno.test("a text and a file of the same types count apart", () => {
  const text = { type: ["string", "null"] };
  for (const keyword of ["contentMediaType", "contentEncoding"]) {
    const map = mapOfBody(
      { properties: { text, file: { ...text, [keyword]: "x" }, count: { type: "integer" } } },
      {},
      { values: true },
    );
    for (const body of ['{"text":null}', '{"file":"ab"}']) sendBody(map, body);
    const keywords = map.report().operations[0]?.parameters[0]?.keywords;
    const count = keywords?.find(({ schema_path }) => schema_path.endsWith("/count/type"));
    assert.deepEqual([count?.valid, count?.invalid], [0, 0]);
  }
});

Deno.test("a file of Swagger 2.0 has no classes of texts, a text beside it has", () => {
  const parameters = ["file", "string"].map((type) => ({ name: type, in: "formData", type }));
  const post = { consumes: ["multipart/form-data"], parameters, responses: {} };
  const map = CoverageMap.fromDict({ swagger: "2.0", info: {}, paths: { "/a": { post } } });
  map.record({
    method: "POST",
    url: "/a",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: ["file", "string"].map((name) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\ntext\r\n`
    ).join("") + "--b--\r\n",
  });
  const [{ parameters: [file, text] = [] } = {}] = map.report().operations;
  assert.deepEqual(file?.values, []);
  assert.deepEqual(text?.values?.map((one) => [one.class, one.hits]), [
    ["empty", 0],
    ["between", 1],
    ["non_ascii", 0],
  ]);
});

// Limits, lengths, lists, constants and alternatives are tested in tests/property/total_evaluation_test.ts, and all
// places in tests/property/value_places_test.ts, against a naive search.
const CASES: readonly (readonly [string, Schema, readonly unknown[], string])[] = [
  [
    "distinct enum members of the schema's types",
    { type: ["string", "null"], enum: ["a", "b", "a", 3, null] },
    ["a", "a", null, "c"],
    "/enum/0 enum 2\n/enum/1 enum 0\n/enum/4 enum 1",
  ],
  [
    "enum members that pass the other keywords",
    {
      ...{ enum: [0, 1, 4, 5, 6, "", "ab", "B", "abcd", null, [1]], minLength: 1, maxLength: 3 },
      ...{ exclusiveMinimum: 0, maximum: 5, multipleOf: 2, pattern: "^[a-z]*$" },
    },
    [4, "ab", null],
    "/enum/2 enum 1\n/enum/6 enum 1\n/enum/9 enum 1\n/enum/10 enum 0",
  ],
  ["only the empty text", { type: "string", maxLength: 0 }, ["", "ä"], ". empty 1"],
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
  ["nothing for texts with a pattern or a format", { type: "string", pattern: "^a" }, ["a"], ""],
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
];

for (const [name, schema, bodies, expected] of CASES) {
  Deno.test(`values have classes for ${name}`, () => {
    assert.equal(named(countIn(schema, bodies)), expected);
  });
}
