// Tests that values can be written and read back: the writers and the readers in src/http don't share code.
import fc from "fast-check";
import assert from "node:assert/strict";
import { CoveragePlan } from "../../src/map/coverage_plan.ts";
import { propertyEncodings } from "../../src/map/parameter_encoding.ts";
import { loadFromDict } from "../../src/openapi/load.ts";
import { createReferences, readModel } from "../../src/openapi/read_model.ts";
import { bodyMediaTypes } from "../../src/suggest/parameter_maker.ts";
import { recordedValues } from "../../src/suggest/recorded_requests.ts";
import { composeRequest } from "../../src/suggest/request/compose_request.ts";
import { fileTypes } from "../../src/suggest/write/file_parts.ts";
import { writeBody } from "../../src/suggest/write/write_body.ts";
import { writeParameter } from "../../src/suggest/write/write_parameter.ts";
import type { Json } from "../../src/values/json.ts";

function makePlan(operation: object, more: object = { openapi: "3.2.0" }): CoveragePlan {
  const documents = loadFromDict({
    ...more,
    info: { title: "T", version: "1" },
    paths: { "/a/{p}/b": { post: { ...operation, responses: {} } } },
  });
  const references = createReferences(documents);
  return new CoveragePlan(readModel(documents, references), documents, references);
}

/** Writes a value and reads it back; undefined if it can't be written. */
function roundTrip(plan: CoveragePlan, value: Json): { readonly value: Json } | undefined {
  const operation = plan.operations[0];
  const parameter = operation?.parameters[0];
  assert(operation !== undefined && parameter !== undefined);
  const { model, shape, schema } = parameter;
  const properties = propertyEncodings(model);
  const encoding = { shape, properties };
  const files = fileTypes(schema, properties);
  const written = model.location === "body"
    ? writeBody(encoding, bodyMediaTypes(operation).get(parameter) ?? "", value, files)
    : writeParameter(parameter, value);
  if (written === undefined) return undefined;
  const credentials = { headers: {}, query: [], cookies: [], placeholders: [] };
  const frame = {
    method: "POST",
    server: "http://localhost",
    path: "/a/{p}/b",
    credentials,
    conditions: [],
    queryTemplates: [],
  };
  const request = composeRequest(frame, [written]);
  const match = plan.routes.match("POST", request.url);
  assert(match.kind === "operation", request.url);
  const { captures, query } = match;
  const read = recordedValues(operation, { request, captures, query });
  assert(read.has(0), JSON.stringify(request));
  return { value: read.get(0) as Json };
}

const texts = fc.oneof(
  fc.constantFrom(
    ...["a", "a,b", "a b", "a|b", "a.b", ";a", "a=b", "a&b", "%20", "+", "é😀", "[x]", '"', "\\"],
  ),
  fc.string({ minLength: 1, maxLength: 5, unit: "binary" }),
);
const names = fc.constantFrom("x", "y", "size of", "é");
const SCALARS: [schema: object, values: fc.Arbitrary<Json>][] = [
  [{ type: "string" }, texts],
  [{ type: "integer" }, fc.integer()],
  [
    { type: "number" },
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  ],
  [{ type: "boolean" }, fc.boolean()],
];

/** Schemas with generators of their values: scalars, lists and objects of one kind of scalar. */
const VALUES: [schema: object, values: fc.Arbitrary<Json>][] = SCALARS.flatMap((
  [schema, values],
) => [
  [schema, values],
  [{ type: "array", items: schema }, fc.array(values, { minLength: 1, maxLength: 3 })],
  [
    { type: "object", additionalProperties: schema },
    fc.dictionary(names, values, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
  ],
]);

/** Checks values of every kind, and that some of each can be written. */
function check(
  name: string,
  plans: (schema: object) => CoveragePlan,
  least: number,
  kinds = VALUES,
): void {
  let written = 0;
  for (const [schema, values] of kinds) {
    const plan = plans(schema);
    fc.assert(
      fc.property(values, (value) => {
        const read = roundTrip(plan, value);
        if (read === undefined) return;
        written++;
        assert.deepEqual(read.value, value);
      }),
      { numRuns: 40 },
    );
  }
  assert(written >= least, `${name}: ${written} of ${kinds.length * 40} values can be written`);
}

const STYLES = [
  ["path", "simple"],
  ["path", "label"],
  ["path", "matrix"],
  ["query", "form"],
  ["query", "spaceDelimited"],
  ["query", "pipeDelimited"],
  ["query", "deepObject"],
  ["header", "simple"],
  ["cookie", "form"],
  ["cookie", "cookie"],
] as const;

for (const [location, style] of STYLES) {
  for (const explode of [false, true]) {
    Deno.test(`values in ${location} with style ${style}, explode ${explode} are read back unchanged`, () => {
      const name = location === "query" || style === "form" ? "%20\u00e9" : "p";
      check(style, (schema) =>
        makePlan({
          parameters: [{ name, in: location, required: true, style, explode, schema }],
        }), style === "deepObject" ? 100 : 200);
    });
  }
}

for (const format of ["csv", "ssv", "tsv", "pipes", "multi"]) {
  for (const location of ["query", "header", "formData"]) {
    Deno.test(`values with collectionFormat ${format} in ${location} are read back unchanged`, () => {
      check(
        format,
        (schema) => {
          const own = schema as { type: string; items?: object };
          const { type, items } = own;
          const parameter = { name: "p", in: location, type, items, collectionFormat: format };
          return makePlan(
            { parameters: [parameter], consumes: ["application/x-www-form-urlencoded"] },
            { swagger: "2.0" },
          );
        },
        100,
        VALUES.filter(([schema]) => (schema as { type: string }).type !== "object"),
      );
    });
  }
}

const ENCODINGS: [string, object | undefined][] = [
  ["no encoding", undefined],
  ["JSON", { contentType: "application/json" }],
  ["form, exploded", { style: "form", explode: true }],
  ["form", { style: "form", explode: false }],
  ["pipeDelimited", { style: "pipeDelimited", explode: false }],
  ["deepObject", { style: "deepObject", explode: true }],
];

for (const mediaType of ["application/x-www-form-urlencoded", "multipart/form-data"]) {
  for (const [name, encoding] of ENCODINGS) {
    Deno.test(`fields in ${mediaType} with ${name} are read back unchanged`, () => {
      const forms = VALUES.map(([schema, values]): typeof VALUES[number] => [
        { type: "object", properties: { f: schema } },
        values.map((f) => ({ f })),
      ]);
      const content = (schema: object) => ({
        [mediaType]: { schema, ...(encoding !== undefined && { encoding: { f: encoding } }) },
      });
      check(name, (schema) => makePlan({ requestBody: { content: content(schema) } }), 200, forms);
    });
  }
}

const DIALECTS = [
  "https://json-schema.org/draft/2020-12/schema",
  "http://json-schema.org/draft-07/schema#",
];

for (const jsonSchemaDialect of DIALECTS) {
  Deno.test(`files in multipart forms have a file name and a media type: ${jsonSchemaDialect}`, () => {
    const plan = makePlan({
      requestBody: {
        content: {
          "multipart/form-data": {
            encoding: {
              cover: { contentType: "image/png, image/jpeg" },
              notes: { contentType: "text/csv" },
            },
            schema: {
              allOf: [{
                type: "object",
                properties: {
                  'a "file"': { type: "string", format: "binary" },
                  files: { type: "array", items: { $ref: "#/components/schemas/File" } },
                  cover: { type: "string" },
                  notes: { type: "string" },
                  logo: { type: "string", contentMediaType: "image/svg+xml" },
                  coded: {
                    type: "string",
                    contentMediaType: "image/gif",
                    contentEncoding: "base64",
                  },
                  title: { type: "string" },
                },
              }],
            },
          },
        },
      },
    }, {
      openapi: "3.2.0",
      jsonSchemaDialect,
      components: { schemas: { File: { type: "string", format: "binary" } } },
    });
    const parameter = plan.operations[0]?.parameters[0];
    assert(parameter !== undefined);
    const { model, shape, schema } = parameter;
    const properties = propertyEncodings(model);
    const value = {
      'a "file"': "x",
      files: ["y", "é"],
      ...{ cover: "c", notes: "n", logo: "l", coded: "Zw==", title: "t" },
    };
    const files = fileTypes(schema, properties);
    const written = writeBody({ shape, properties }, "multipart/form-data", value, files);
    assert(written?.kind === "body");
    const heads = [...written.body.matchAll(/form-data; (.*)\r\n(?:Content-Type: (.*)\r\n)?/g)];
    assert.deepEqual(heads.map(([, name, type]) => [name, type]), [
      ['name="a %22file%22"; filename="a %22file%22.bin"', "application/octet-stream"],
      ['name="files"; filename="files.bin"', "application/octet-stream"],
      ['name="files"', undefined], // a file would be read as bytes
      ['name="cover"; filename="cover.png"', "image/png"],
      ['name="notes"', undefined],
      ['name="logo"; filename="logo.bin"', "image/svg+xml"],
      ['name="coded"', undefined],
      ['name="title"', undefined],
    ]);
    assert.deepEqual(roundTrip(plan, value)?.value, value);
  });
}

Deno.test("lists in multipart forms have one part per item", () => {
  const plan = makePlan({
    requestBody: {
      content: {
        "multipart/form-data": {
          schema: {
            type: "object",
            properties: {
              files: { type: "array", items: { type: "string", format: "binary" } },
              pages: { type: "array", items: { type: "integer" } },
              notes: { type: "array", items: { type: "object" } },
            },
          },
        },
      },
    },
  });
  const parameter = plan.operations[0]?.parameters[0];
  assert(parameter !== undefined);
  const { model, shape } = parameter;
  const encoding = { shape, properties: propertyEncodings(model) };
  const listParts = (value: Json) => {
    const written = writeBody(encoding, "multipart/form-data", value);
    assert(written?.kind === "body");
    return [...written.body.matchAll(/name="(\w+)"\r\n(?:.+\r\n)?\r\n(.*)\r\n--/g)]
      .map(([, name, text]) => `${name} ${text}`);
  };
  const value = { files: ["a", "b"], pages: [1], notes: [{ x: 1 }, { x: 2 }] };
  assert.deepEqual(listParts(value), [
    "files a",
    "files b",
    "pages 1",
    'notes {"x":1}',
    'notes {"x":2}',
  ]);
  assert.deepEqual(roundTrip(plan, value)?.value, value);
  // Text can't express an empty list or items of another type.
  const odd = { files: [1], pages: [] };
  assert.deepEqual(listParts(odd), ["files [1]", "pages []"]);
  assert.deepEqual(roundTrip(plan, odd)?.value, odd);
});

const xmlNames = fc.constantFrom("a", "b", "é", "x-1");
const xmlObjects = fc.option(
  fc.record({
    name: xmlNames,
    wrapped: fc.boolean(),
    attribute: fc.boolean(),
    namespace: fc.constantFrom("urn:a", 'urn:"<&>'),
    prefix: fc.constantFrom("p", "q"),
  }, { requiredKeys: [] }),
  { nil: undefined },
);

/** Schemas with hints for XML, each with generated values. */
function xmlValues(depth: number): fc.Arbitrary<[schema: object, value: Json]> {
  const scalar = fc.constantFrom(...SCALARS).chain(([schema, values]) =>
    fc.tuple(xmlObjects, values).map(([xml, value]): [object, Json] => [{ ...schema, xml }, value])
  );
  if (depth === 0) return scalar;
  const below = xmlValues(depth - 1);
  const list = fc.tuple(below, xmlObjects, fc.integer({ min: 0, max: 3 })).map(
    ([[items, value], xml, length]): [object, Json] => [
      { type: "array", items, xml },
      Array.from({ length }, () => value),
    ],
  );
  const object = fc.tuple(fc.dictionary(xmlNames, below, { noNullPrototype: true }), xmlObjects)
    .map(
      ([members, xml]): [object, Json] => [
        { type: "object", properties: mapped(members, ([schema]) => schema), xml },
        mapped(members, ([, value]) => value) as Json,
      ],
    );
  return fc.oneof(scalar, list, object);
}

function mapped<T, U>(of: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]));
}

Deno.test("XML is read back unchanged, and nearly all values can be written", () => {
  let written = 0;
  let all = 0;
  fc.assert(
    fc.property(xmlValues(3), ([schema, value]) => {
      const plan = makePlan({ requestBody: { content: { "application/xml": { schema } } } });
      if ((schema as { type: string }).type === "string") return; // written as it is
      all++;
      const read = roundTrip(plan, value);
      if (read === undefined) return;
      written++;
      assert.deepEqual(read.value, value);
    }),
    { numRuns: 600 },
  );
  assert(written > all / 2 && written > 200, `${written} of ${all}`);
});

Deno.test("XML is written with the names, wrappers, attributes and namespaces of the schema", () => {
  const body = (schema: object, components: object = {}) =>
    makePlan({ requestBody: { content: { "text/xml": { schema } } } }, {
      openapi: "3.1.0",
      components: { schemas: components },
    });
  const writeXml = (plan: CoveragePlan, value: Json) => {
    const { shape } = plan.operations[0]?.parameters[0] ?? assert.fail();
    const written = writeBody({ shape, properties: {} }, "text/xml", value);
    return written?.kind === "body" ? written.body : undefined;
  };
  const tag = { type: "string", xml: { name: "tag" } };
  const Pet = {
    type: "object",
    properties: {
      id: { type: "integer", xml: { attribute: true } },
      urls: { type: "array", items: tag, xml: { wrapped: true, name: "list" } },
      tags: { type: "array", items: tag },
      owner: { type: ["string", "null"], xml: { prefix: "o", namespace: "urn:o" } },
    },
  };
  const pet = body({ $ref: "#/components/schemas/Pet" }, { Pet });
  assert.equal(
    writeXml(pet, { id: 1, urls: ["a&b", ""], tags: ["]]>"], owner: "x" }),
    '<Pet id="1"><list><tag>a&#38;b</tag><tag/></list><tag>]]&#62;</tag><o:owner xmlns:o="urn:o">x</o:owner></Pet>',
  );
  assert.equal(
    writeXml(pet, { owner: null }),
    '<Pet><o:owner xmlns:o="urn:o" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></Pet>',
  );
  assert.equal(writeXml(pet, { tags: [] }), "<Pet><tags/></Pet>");
  // Null for a number, a name that XML doesn't allow, and control characters.
  for (const value of [{ id: null }, { "a b": "x" }, { owner: "\0" }]) {
    assert.equal(writeXml(pet, value), undefined, JSON.stringify(value));
  }
  const upload = body({ type: "object", properties: { Upload: Pet } });
  assert.equal(writeXml(upload, { Upload: { tags: ["x"] } }), "<Upload><tag>x</tag></Upload>");
  const policy = body({ type: "object", properties: { Policy: { type: "string" } } });
  assert.equal(writeXml(policy, { Policy: "x" }), "<root><Policy>x</Policy></root>");
});

Deno.test("JSON, sequences and text are read back unchanged", () => {
  const body = (mediaType: string, schema: object) =>
    makePlan({ requestBody: { content: { [mediaType]: schema } } });
  const json = body("application/*", { schema: {} });
  const lines = body("application/jsonl", { itemSchema: {} });
  const text = body("text/plain", { schema: { type: "string" } });
  fc.assert(fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
    const plain = JSON.parse(JSON.stringify(value)) as Json;
    assert.deepEqual(roundTrip(json, plain)?.value, plain);
    assert.deepEqual(roundTrip(lines, [plain, plain])?.value, [plain, plain]);
  }));
  fc.assert(fc.property(fc.string({ minLength: 1, unit: "binary" }), (value) => {
    assert.deepEqual(roundTrip(text, value)?.value, value);
  }));
});
